"""One file's part in an installation: what is there, what should be there, and the step between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ade_runtime.machine.install import blocks, files
from ade_runtime.machine.install.blocks import DamagedBlockError
from ade_runtime.machine.install.files import UnusableFileError

Kind = Literal["launcher", "completion", "rc_file", "unit"]
Action = Literal["create", "change", "remove", "keep", "blocked"]


@dataclass(slots=True)
class Step:
    """What happens to one file. ``data`` is its content afterwards, ``None`` when it is to be gone; ``note`` says why nothing
    happens, or what else there is to know.
    """

    kind: Kind
    path: Path
    action: Action
    note: str = ""
    data: bytes | None = None
    mode: int | None = None
    created: list[Path] = field(default_factory=list)
    """Folders made on the way, the innermost last; known once applied."""

    def apply(self) -> None:
        """Do it. A step that fails says so and leaves the file as it was."""
        try:
            if self.action in ("create", "change"):
                assert self.data is not None
                self.created = files.make_folders(self.path.parent)
                files.write(self.path, self.data, self.mode)
            elif self.action == "remove":
                files.remove(self.path)
        except UnusableFileError as problem:
            self.action, self.note = "blocked", f"The file {problem}."


def place(kind: Kind, path: Path, data: bytes, is_ours: Callable[[bytes], bool], mode: int = 0o644) -> Step:
    """The step that puts a whole file of ours at ``path``. Anybody else's file there is left alone."""
    try:
        if path.is_symlink():
            return Step(kind, path, "blocked", "A symlink that ade did not make is in its place.")
        found = files.read(path)
        if found == data and path.stat().st_mode & 0o777 & mode == mode:
            return Step(kind, path, "keep", "It is up to date.")
        if found is not None and not is_ours(found):
            return Step(kind, path, "blocked", "A file that ade did not make is in its place.")
        files.check_writable(path)
    except UnusableFileError as problem:
        return Step(kind, path, "blocked", f"The file {problem}.")
    return Step(kind, path, "create" if found is None else "change", data=data, mode=mode)


def displace(kind: Kind, path: Path, is_ours: Callable[[bytes], bool]) -> Step | None:
    """The step that removes a whole file of ours; ``None`` where there is no file."""
    try:
        if path.is_symlink():
            return Step(kind, path, "keep", "It is a symlink that ade did not make.")
        found = files.read(path)
        if found is None:
            return None
        if not is_ours(found):
            return Step(kind, path, "keep", "It is a file that ade did not make.")
        files.check_writable(path)
    except UnusableFileError as problem:
        return Step(kind, path, "blocked", f"The file {problem}.")
    return Step(kind, path, "remove")


def put_block(path: Path, lines: str) -> Step:
    """The step that puts our block into somebody else's file, or brings the one there up to date."""
    try:
        found = files.read(path)
        data = blocks.put(found, lines)
        if data == found:
            return Step("rc_file", path, "keep", "Its block is up to date.")
        files.check_writable(path)
    except (UnusableFileError, DamagedBlockError) as problem:
        note = f"The file {problem}. Change it by hand; what belongs into it: {' '.join(lines.split())}"
        return Step("rc_file", path, "blocked", note)
    return Step("rc_file", path, "create" if found is None else "change", data=data)


def take_block(path: Path) -> Step | None:
    """The step that takes our block out of somebody else's file; ``None`` where there is none."""
    try:
        found = files.read(path)
        if found is None or blocks.body(found) is None:
            return None
        files.check_writable(path)
        data = blocks.take(found)
    except DamagedBlockError as problem:
        return Step("rc_file", path, "blocked", f"The file {problem}. Mend it by hand.")
    except UnusableFileError as problem:
        return Step("rc_file", path, "blocked", f"The file {problem}.")
    return Step("rc_file", path, "remove" if data is None else "change", data=data)


def block_in(path: Path) -> bytes | None:
    """The lines of our block in a file, empty where its marks are damaged, ``None`` where there is none."""
    try:
        found = files.read(path)
        return None if found is None else blocks.body(found)
    except DamagedBlockError:
        return b""
    except UnusableFileError:
        return None
