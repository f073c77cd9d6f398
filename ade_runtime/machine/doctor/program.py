"""This installation: version, build, interpreter."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.facts import PROTOCOL, build_hash, package_version

PYTHON_NEEDED = (3, 11)


def check(place: Place) -> Iterator[Row]:
    version = package_version()
    told = f"ade {version}, build {build_hash()}, protocol {PROTOCOL}"
    if version.startswith("0+"):
        yield Row(
            "version", "warn", told, "It runs without being installed; run `pip install` or `make setup`."
        )
    else:
        yield Row("version", "ok", told)
    python = f"{sys.version.split()[0]} at {sys.executable}"
    if sys.version_info < PYTHON_NEEDED:
        yield Row("python", "fail", python, "Install ade with Python 3.11 or later.")
    else:
        yield Row("python", "ok", python)
