"""The file plan: what the generator wants on disk, compared with what is there, and written so that a kill leaves no mess.

``ade_generated/MANIFEST.json`` lists every owned file with the SHA-256 of its content. A file whose content is neither what
the manifest says nor what is planned was edited by hand: it is refused, with the difference. Orphans the manifest owns are
removed; files it does not know are reported and left alone.
"""

from __future__ import annotations

import difflib
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

ALLOWED = (PurePosixPath("ade_generated"), PurePosixPath("docs/reference"))
MANIFEST = PurePosixPath("ade_generated/MANIFEST.json")
FOREIGN_OK = frozenset({"py.typed"})


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One generated file: its path relative to the project root, its text, and the spec files it comes from."""

    path: PurePosixPath
    content: str
    sources: tuple[str, ...]

    @property
    def data(self) -> bytes:
        return self.content.encode()


@dataclass(frozen=True, slots=True)
class Manifest:
    """``files`` maps a path to the digests its content may have: one, or two while a write is under way."""

    files: Mapping[str, tuple[str, ...]]
    sources: Mapping[str, tuple[str, ...]]
    inputs: str
    """Digest of everything the generator read: specs, its own code and the versions of its tools."""


@dataclass(slots=True)
class Plan:
    """The differences between plan and disk, each a sorted list of paths."""

    create: list[str] = field(default_factory=list)
    change: list[str] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    unchanged: int = 0

    @property
    def is_clean(self) -> bool:
        return not (self.create or self.change or self.remove or self.edited)


class OutsideAllowList(Exception):
    """An emitter planned a file outside the folders the generator owns: a fault of the emitter."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_manifest(root: Path) -> Manifest:
    """The manifest on disk; an empty one where there is none or it cannot be read."""
    try:
        raw = json.loads((root / MANIFEST).read_text())
        files = {path: tuple(entry["sha256"]) for path, entry in raw["files"].items()}
        sources = {path: tuple(entry["sources"]) for path, entry in raw["files"].items()}
        return Manifest(files, sources, str(raw["inputs"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Manifest({}, {}, "")


def check_allowed(files: Iterable[PlannedFile]) -> None:
    seen: set[str] = set()
    for file in files:
        parts = file.path.parts
        inside = any(file.path.is_relative_to(folder) for folder in ALLOWED)
        if not inside or ".." in parts or file.path.is_absolute() or str(file.path) in seen:
            raise OutsideAllowList(f"{file.path} is outside {', '.join(map(str, ALLOWED))} or planned twice")
        seen.add(str(file.path))


def compare(root: Path, files: Iterable[PlannedFile], manifest: Manifest) -> Plan:
    """Compare the planned files with the disk."""
    plan = Plan()
    planned = {str(file.path): file.data for file in files}
    for path, data in sorted(planned.items()):
        current = _read(root / path)
        if current is None:
            plan.create.append(path)
        elif current == data:
            plan.unchanged += 1
        elif manifest.files and digest(current) not in manifest.files.get(path, ()):
            plan.edited.append(path)
        else:
            plan.change.append(path)
    for path, digests in sorted(manifest.files.items()):
        if path not in planned and (current := _read(root / path)) is not None:
            (plan.remove if digest(current) in digests else plan.edited).append(path)
    known = planned.keys() | manifest.files.keys() | {str(MANIFEST)}
    plan.unknown = sorted(path for path in _on_disk(root) if path not in known)
    return plan


def difference(root: Path, path: str, files: Mapping[str, bytes]) -> str:
    """A unified diff from what the specs say to what is on disk, at most 200 lines."""
    wanted = files.get(path, b"").decode(errors="replace").splitlines(keepends=True)
    current = (_read(root / path) or b"").decode(errors="replace").splitlines(keepends=True)
    lines = list(difflib.unified_diff(wanted, current, f"{path} (from the specs)", f"{path} (on disk)"))
    cut = [f"… {len(lines) - 200} more lines\n"] if len(lines) > 200 else []
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines[:200] + cut)


def apply(root: Path, files: Iterable[PlannedFile], plan: Plan, manifest: Manifest, inputs: str) -> None:
    """Write what differs and remove orphans. Each file appears whole or not at all.

    The manifest first names old and new digests, so that a run killed half-way leaves no file that looks hand-edited.
    """
    planned = {str(file.path): file for file in files}
    if plan.is_clean and manifest.inputs == inputs:
        return
    both = dict.fromkeys([*planned, *plan.remove])
    _write_manifest(
        root,
        {p: (*dict.fromkeys([*manifest.files.get(p, ()), *_digests(planned.get(p))]),) for p in both},
        {p: f.sources for p, f in planned.items()},
        "",
    )
    for path in (*plan.create, *plan.change, *plan.edited):
        if path in planned:
            write_atomic(root / path, planned[path].data)
    for path in plan.remove:
        (root / path).unlink(missing_ok=True)
        _remove_empty_parents(root, PurePosixPath(path).parent)
    _write_manifest(
        root, {p: _digests(f) for p, f in planned.items()}, {p: f.sources for p, f in planned.items()}, inputs
    )


def write_atomic(path: Path, data: bytes) -> None:
    """Replace a file in one step; mode 0644 whatever the umask."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def exclusive(root: Path) -> Iterator[None]:
    """Let one generator at a time write into a project; a second one waits."""
    with (root / "pyproject.toml").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digests(file: PlannedFile | None) -> tuple[str, ...]:
    return (digest(file.data),) if file else ()


def _write_manifest(
    root: Path, files: Mapping[str, tuple[str, ...]], sources: Mapping[str, tuple[str, ...]], inputs: str
) -> None:
    document = {
        "note": "Generated by `make gen`; do not edit. Lists every generated file, its digest and its sources.",
        "inputs": inputs,
        "files": {p: {"sha256": list(files[p]), "sources": list(sources.get(p, ()))} for p in sorted(files)},
    }
    write_atomic(root / MANIFEST, (json.dumps(document, indent=1) + "\n").encode())


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _on_disk(root: Path) -> Iterator[str]:
    for folder in ALLOWED:
        for path in (root / folder).rglob("*"):
            skip = path.suffix == ".pyc" or "__pycache__" in path.parts or path.name in FOREIGN_OK
            if path.is_file() and not skip:
                yield path.relative_to(root).as_posix()


def _remove_empty_parents(root: Path, folder: PurePosixPath) -> None:
    while folder not in ALLOWED and folder.parts:
        cache = root / folder / "__pycache__"
        if cache.is_dir() and not [p for p in (root / folder).iterdir() if p != cache]:
            for compiled in cache.glob("*.pyc"):
                compiled.unlink()
            cache.rmdir()
        try:
            (root / folder).rmdir()
        except OSError:
            return
        folder = folder.parent
