"""What a runtime says about itself: version, protocol, a digest of the code it runs."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ade_runtime.client.build import PROTOCOL

__all__ = ["PROTOCOL", "build_hash", "package_version"]

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def package_version() -> str:
    """Version of the installed package, ``0+unknown`` when it runs from a bare checkout."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ade-control-plane")
    except PackageNotFoundError:
        return "0+unknown"


@cache
def build_hash() -> str:
    """Digest of the runtime's code and of what was generated from the specs, 16 hexadecimal digits. Computed once."""
    digest = hashlib.sha256()
    manifest = _PACKAGE.parent / "ade_generated" / "MANIFEST.json"
    for file in [manifest, *sorted(_PACKAGE.rglob("*.py"))]:
        digest.update(file.name.encode() + b"\0" + (file.read_bytes() if file.exists() else b"") + b"\0")
    return digest.hexdigest()[:16]
