"""A release as it was, in ``tests/compat/<version>/release.tar.xz``: specs, what was generated from them, and thin client.

Later versions are held to it: they load its specs and its generated package, and its client talks to them.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from codegen.failure import GenerationError
from codegen.generate import inputs_digest, tools_digest
from codegen.manifest import MANIFEST, read_manifest

FOLDER = Path("tests", "compat")
ARCHIVE = "release.tar.xz"
PARTS = (
    ("specs", "specs", "*"),
    ("ade_generated", "generated/ade_generated", "*"),
    ("ade_runtime/client", "client/ade_runtime/client", "*.py"),
    ("ade_runtime/cli", "client/ade_runtime/cli", "*.py"),
)
"""Folders of a project, where they are in the archive, and which of their files."""

SINGLE = (
    ("ade_runtime/__init__.py", "client/ade_runtime/__init__.py"),
    ("ade_runtime/contracts.py", "client/ade_runtime/contracts.py"),
    ("scripts/ade", "client/ade"),
)
LEFT_OUT = frozenset(["__pycache__", "released"])


def freeze(root: Path, number: str) -> Path | None:
    """Keep a release whole; ``None`` for a project in which nothing was generated.

    The same files give the same archive, whoever makes it. Raises :class:`GenerationError` where what was generated is not of
    today's specs.
    """
    if not (root / MANIFEST).is_file():
        return None
    if read_manifest(root).inputs != inputs_digest(root, tools_digest()):
        raise GenerationError("ade_generated is not what the specs call for; run `make gen` first")
    target = root / FOLDER / number / ARCHIVE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(lzma.compress(_packed(root), preset=9 | lzma.PRESET_EXTREME))
    return target


def unpack(archive: Path, folder: Path) -> None:
    """Have a release in ``folder``: ``specs``, ``generated`` and ``client``, the last two to be put on a path of modules."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")


def releases(root: Path) -> dict[str, Path]:
    """The archive of each release that is kept, by its version."""
    return {path.parent.name: path for path in sorted((root / FOLDER).glob(f"*/{ARCHIVE}"))}


def _packed(root: Path) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as packed:
        for name, path in sorted(_files(root)):
            data = path.read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            packed.addfile(member, io.BytesIO(data))
    return out.getvalue()


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    for source, place, wanted in PARTS:
        for path in (root / source).rglob(wanted):
            inside = path.relative_to(root / source)
            if path.is_file() and not LEFT_OUT.intersection(inside.parts):
                yield str(PurePosixPath(place, inside.as_posix())), path
    for single, place in SINGLE:
        yield place, root / single
