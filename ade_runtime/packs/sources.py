"""The files of a pack, read without running anything of it, and the hash that stands for their content."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.strict_yaml.reader import decode, plain, read
from ade_runtime.workspace.opening import Root, open_file
from ade_runtime.workspace.problems import WorkspaceProblem, words
from ade_runtime.workspace.reading import read_all

if TYPE_CHECKING:
    from ade_runtime.packs.records import Kind
    from ade_runtime.strict_yaml.places import Span

SPECS = ".ade/specs"
PACKAGE_SPECS = "ade_specs"
GROUP = "ade.packs"
MOST_SPECS = 32
MOST_FILES = 4000
SPEC_LIMIT = 256 * 1024
FILE_LIMIT = 16 * 2**20
TOTAL_LIMIT = 64 * 2**20


@dataclass(frozen=True, slots=True)
class SourceFile:
    """``path`` is relative to the pack's root, ``seen`` what a change of the file would change of its status."""

    path: str
    data: bytes
    executable: bool
    seen: tuple[int, int, int]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """``specs`` describe actions, ``files`` are what those run. ``handlers`` are the classes of a package by domain."""

    name: str
    kind: Kind
    root: Path
    specs: tuple[SourceFile, ...]
    files: tuple[SourceFile, ...]
    handlers: tuple[tuple[str, str], ...] = ()

    @property
    def hash(self) -> str:
        total = hashlib.sha256(self.kind.encode())
        for file in sorted((*self.specs, *self.files), key=lambda file: file.path):
            total.update(f"\0{file.path}\0{file.sha256}\0{int(file.executable)}".encode())
        for name, value in self.handlers:
            total.update(f"\0\0{name}\0{value}".encode())
        return f"sha256:{total.hexdigest()}"

    @property
    def watched(self) -> tuple[tuple[str, tuple[int, int, int]], ...]:
        """Files whose change is noticed from their status alone."""
        files = self.specs if self.kind == "package" else (*self.specs, *self.files)
        return tuple((str(self.root / file.path), file.seen) for file in files)


def status_of(path: str) -> tuple[int, int, int] | None:
    """What a change of a file changes; ``None`` where there is no plain file."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return _seen(found) if stat.S_ISREG(found.st_mode) else None


def read_project(name: str, root: Path) -> Source:
    """The pack of a checkout. Raises ``pack_unreadable``, also where there is none."""
    try:
        with Root(root) as opened:
            for folder in (".ade", SPECS):
                with opened.place(folder, follow=False) as place:
                    if place.kind != "a folder":
                        raise errors.PackUnreadable(
                            pack=name, reason=f"{folder} is {place.kind}, not a folder"
                        )
            with opened.folder(SPECS) as (fd, _):
                listed = sorted(one for one in os.listdir(fd) if one.endswith(".yaml") and one[0] != ".")  # noqa: PTH208 - a descriptor
            _few(name, listed, MOST_SPECS)
            specs = tuple(_file(opened, f"{SPECS}/{one}", SPEC_LIMIT, name) for one in listed)
            wanted = _named_files(specs)
            _few(name, wanted, MOST_FILES)
            files = tuple(_file(opened, one, FILE_LIMIT, name) for one in wanted)
    except WorkspaceProblem as problem:
        raise errors.PackUnreadable(pack=name, reason=f"{problem.path}: {words(problem)}") from None
    if not specs:
        raise errors.PackUnreadable(pack=name, reason=f"{SPECS} holds no .yaml file")
    return Source(name, "project", root, specs, files)


def _file(root: Root, path: str, limit: int, name: str) -> SourceFile:
    with root.place(path, follow=False) as place:
        if place.kind == "a symbolic link":
            raise errors.PackUnreadable(pack=name, reason=f"{path} is a symbolic link")
        fd = open_file(place, path)
        try:
            status = os.fstat(fd)
            return SourceFile(path, read_all(fd, limit, path), bool(status.st_mode & 0o100), _seen(status))
        finally:
            os.close(fd)


def _seen(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_size, status.st_ino


def _named_files(specs: tuple[SourceFile, ...]) -> list[str]:
    """The files of the project that the actions run."""
    found: set[str] = set()
    for spec in specs:
        text = decode(spec.data, spec.path, _Deaf())
        node = None if text is None else read(text, spec.path, _Deaf())
        actions = plain(node).get("actions") if node is not None else None
        for action in actions.values() if isinstance(actions, dict) else ():
            run = action.get("run") if isinstance(action, dict) else None
            listed = run.get("files") if isinstance(run, dict) else None
            found |= {one for one in listed if isinstance(one, str)} if isinstance(listed, list) else set()
    return sorted(found)


class _Deaf:
    """Takes faults and forgets them: whoever checks the pack tells them."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def add(self, span: Span, code: str, message: str, help: str = "") -> None:
        self.items.append(code)


def read_package(name: str) -> Source:
    """The pack of an installed package, found without importing it. Raises ``pack_unreadable``."""
    import importlib.util
    from importlib.metadata import entry_points

    importlib.invalidate_caches()
    if not name.isidentifier():
        raise errors.PackUnreadable(pack=name, reason="it is no name of a package")
    found = importlib.util.find_spec(name)
    folders = list(found.submodule_search_locations or ()) if found is not None else []
    if len(folders) != 1:
        raise errors.PackUnreadable(pack=name, reason="no package of that name is installed beside ade")
    declared = [one for one in entry_points(group=GROUP) if one.value.split(":")[0].split(".")[0] == name]
    if not declared:
        raise errors.PackUnreadable(pack=name, reason=f"it declares no entry point of group {GROUP}")
    root = Path(folders[0])
    files = _package_files(name, root)
    specs = tuple(
        file for file in files if file.path.startswith(f"{PACKAGE_SPECS}/") and file.path.endswith(".yaml")
    )
    if not specs:
        raise errors.PackUnreadable(pack=name, reason=f"{PACKAGE_SPECS} holds no .yaml file")
    others = tuple(file for file in files if file not in specs)
    handlers = tuple(sorted((one.name, one.value) for one in declared))
    return Source(name, "package", root, specs, others, handlers)


def _package_files(name: str, root: Path) -> list[SourceFile]:
    found: list[SourceFile] = []
    total = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for one in sorted(names):
            path = Path(folder, one)
            if one.endswith(".pyc"):
                continue
            if path.is_symlink() or not path.is_file():
                raise errors.PackUnreadable(pack=name, reason=f"{path} is no plain file")
            data = path.read_bytes()
            total += len(data)
            status = path.stat()
            found.append(SourceFile(path.relative_to(root).as_posix(), data, False, _seen(status)))
            _few(name, found, MOST_FILES)
            if total > TOTAL_LIMIT:
                raise errors.PackUnreadable(pack=name, reason=f"it holds more than {TOTAL_LIMIT} bytes")
    return found


def _few(name: str, found: list[str] | list[SourceFile], most: int) -> None:
    if len(found) > most:
        raise errors.PackUnreadable(pack=name, reason=f"it holds more than {most} files")
