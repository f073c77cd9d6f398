"""The runtime as a service, where it was installed as one."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.contracts import AdeError
from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.service.managers import manager_of
from ade_runtime.machine.service.units import Service, installed_files


def check(place: Place) -> Iterator[Row]:
    found = installed_files(place.environ)
    if not found:
        yield Row(
            "service",
            "ok",
            "not installed; commands start the runtime. `ade service install` has it from login on",
        )
        return
    try:
        wanted = manager_of(Service.of(place.environ), place.environ).files()
    except AdeError as problem:
        yield Row("service", "warn", problem.message, problem.hint)
        return
    stale = [path for path, data in wanted.items() if not path.exists() or path.read_bytes() != data]
    if stale:
        yield Row(
            "service", "warn", f"{stale[0]} is not what this version writes", "Run `ade service install`."
        )
    else:
        yield Row("service", "ok", f"installed: {', '.join(map(str, found))}")
