"""The file plan: what the generator wants on disk, compared with what is there, and written so that a kill
leaves no mess.

``ade_generated/MANIFEST.json`` lists every owned file with the SHA-256 of its content. A file whose content
is neither what the manifest says nor what is planned was edited by hand: it is refused, with the difference.
Orphans the manifest owns are removed; files it does not know are reported and left alone.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from codegen.manifest import MANIFEST, Entry, Manifest, write_atomic, write_manifest
from codegen.sound import Sound

ALLOWED = (PurePosixPath("ade_generated"), PurePosixPath("docs/reference"))
NOT_OURS = frozenset({"ade_generated/__init__.py", "ade_generated/py.typed", str(MANIFEST)})
"""Files in our folders that are written by hand, and the manifest itself."""
DIFFERENCE_LINES = 200


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One generated file: its path relative to the project root, its text, and the spec files it comes from.

    ``key`` is all that the content depends on besides the generator itself, where an emitter can tell it
    without making the content; a file made from the same key before is not made or formatted again.
    ``finished`` content is formatted.
    """

    path: PurePosixPath
    content: str
    sources: tuple[str, ...]
    key: str = ""
    finished: bool = False
    checked: bool = False
    structure: str = ""

    @property
    def data(self) -> bytes:
        return self.content.encode()

    @property
    def key_digest(self) -> str:
        return digest((self.key or self.content).encode())


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


class OutsideAllowListError(Exception):
    """An emitter planned a file outside the folders the generator owns, or one twice: a fault of the
    emitter.
    """


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def check_allowed(files: Iterable[PlannedFile]) -> None:
    seen: set[str] = set()
    for file in files:
        path = str(file.path)
        inside = any(file.path.is_relative_to(folder) for folder in ALLOWED)
        if not inside or ".." in file.path.parts or path in NOT_OURS:
            raise OutsideAllowListError(f"{path} is outside {', '.join(map(str, ALLOWED))}")
        if path.lower() in seen:
            raise OutsideAllowListError(f"{path} is planned twice")
        seen.add(path.lower())


def compare(root: Path, files: Iterable[PlannedFile], manifest: Manifest) -> Plan:
    """Compare the planned files with the disk. Nothing is written."""
    plan = Plan()
    planned = {str(file.path): file.data for file in files}
    for path, data in sorted(planned.items()):
        current = read(root / path)
        if current is None:
            plan.create.append(path)
        elif current == data:
            plan.unchanged += 1
        elif manifest.owns(path, digest(current)):
            plan.change.append(path)
        else:
            plan.edited.append(path)
    for path, entry in sorted(manifest.files.items()):
        if path not in planned and (current := read(root / path)) is not None:
            (plan.remove if digest(current) in entry.digests else plan.edited).append(path)
    known = planned.keys() | manifest.files.keys() | NOT_OURS
    plan.unknown = sorted(path for path in _on_disk(root) if path not in known)
    return plan


def difference(root: Path, path: str, wanted: bytes) -> str:
    """A unified diff from what the specs say to what is on disk, at most 200 lines."""
    before = wanted.decode(errors="replace").splitlines(keepends=True)
    after = (read(root / path) or b"").decode(errors="replace").splitlines(keepends=True)
    lines = list(difflib.unified_diff(before, after, f"{path} (from the specs)", f"{path} (on disk)"))
    if len(lines) > DIFFERENCE_LINES:
        lines[DIFFERENCE_LINES:] = [f"… {len(lines) - DIFFERENCE_LINES} more lines\n"]
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def apply(root: Path, files: Iterable[PlannedFile], plan: Plan, before: Manifest, after: Manifest) -> None:
    """Write what differs and remove orphans. Each file appears whole or not at all.

    The manifest first names old and new digests, so that a run killed half-way leaves no file that looks
    hand-edited.
    """
    planned = {str(file.path): file for file in files}
    if not plan.is_clean:
        write_manifest(root, before.merged(after))
        for path in (*plan.create, *plan.change):
            write_atomic(root / path, planned[path].data)
        for path in plan.remove:
            (root / path).unlink(missing_ok=True)
            _remove_empty_parents(root, PurePosixPath(path).parent)
    write_manifest(root, after)


def manifest_of(
    files: Iterable[PlannedFile], keys: Mapping[str, str], inputs: str, tools: str, sound: Sound
) -> Manifest:
    """The manifest of a finished plan; ``keys`` are the digests of what each file was made from."""
    entries = {
        str(file.path): Entry(
            (digest(file.data),), tuple(sorted(file.sources)), keys[str(file.path)], file.structure
        )
        for file in files
    }
    return Manifest(dict(sorted(entries.items())), inputs, tools, sound)


def read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _on_disk(root: Path) -> Iterator[str]:
    for folder in ALLOWED:
        for path in (root / folder).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                yield path.relative_to(root).as_posix()


def _remove_empty_parents(root: Path, folder: PurePosixPath) -> None:
    """Remove folders that hold nothing but compiled leftovers of what was removed."""
    while folder not in ALLOWED and folder.parts:
        cache = root / folder / "__pycache__"
        if cache.is_dir() and [*(root / folder).iterdir()] == [cache]:
            for compiled in cache.glob("*.pyc"):
                compiled.unlink()
            cache.rmdir()
        try:
            (root / folder).rmdir()
        except OSError:
            return
        folder = folder.parent
