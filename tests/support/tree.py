"""The contents of a folder held in memory, so that it can be put where it was, again and again, without being made anew."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path


class Unkeepable(Exception):
    """Something that is more than its contents, such as a socket."""


@dataclass(frozen=True, slots=True)
class Entry:
    """``path`` is relative; ``content`` is a file's bytes, a link's target or, for a folder, ``None``."""

    path: str
    mode: int
    modified: int
    content: bytes | str | None


@dataclass(frozen=True, slots=True)
class Tree:
    """Folders come before what is in them."""

    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, base: Path) -> Tree:
        """All that is below ``base``; raises :class:`Unkeepable`."""
        found: list[Entry] = []
        folders = [""]
        while folders:
            folder = folders.pop()
            with os.scandir(base / folder) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    made = _entry(entry, path)
                    found.append(made)
                    if made.content is None:
                        folders.append(path)
        return cls(tuple(found))

    def put(self, base: Path) -> None:
        """Make it all in the empty folder ``base``, with the permissions and times of modification that it had.

        Git and ADE read a file again before they believe what they have noted about it: its inode and its time of change,
        which nobody can set, are others.
        """
        for entry in self.entries:
            if entry.content is None:
                (base / entry.path).mkdir(0o700)
            elif isinstance(entry.content, str):
                (base / entry.path).symlink_to(entry.content)
            else:
                _write(f"{base}/{entry.path}", entry, entry.content)
        for entry in reversed(self.entries):
            if entry.content is None:
                (base / entry.path).chmod(entry.mode)
                os.utime(base / entry.path, ns=(entry.modified, entry.modified))


def _entry(entry: os.DirEntry[str], path: str) -> Entry:
    status = entry.stat(follow_symlinks=False)
    kind, mode = stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode)
    content: bytes | str | None
    if kind == stat.S_IFDIR:
        content = None
    elif kind == stat.S_IFLNK:
        content = str(Path(entry.path).readlink())
    elif kind == stat.S_IFREG and status.st_nlink == 1:
        content = Path(entry.path).read_bytes()
    else:
        raise Unkeepable(entry.path)
    return Entry(path, mode, status.st_mtime_ns, content)


def _write(path: str, entry: Entry, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, content)
        os.fchmod(descriptor, entry.mode)
        os.utime(descriptor, ns=(entry.modified, entry.modified))
    finally:
        os.close(descriptor)
