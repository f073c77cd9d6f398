"""Opening a regular file below a folder, whatever lies there and whatever changes meanwhile.

Each part of the path is opened relative to the folder before it and never through a link, so nothing that is swapped in
between the check and the opening leads elsewhere. A link is read and followed by hand, and only as far as it stays below the
root. Nothing blocks: a FIFO or a device is told by its kind and closed.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable
from pathlib import Path

MOST_LINKS = 40
CHUNK = 1 << 20
Barred = Callable[[tuple[str, ...], str], str | None]
"""Why a name below those folders, told from the root with links resolved, may not be used; ``None`` where it may."""
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | getattr(os, "O_NOCTTY", 0)


class NotBeneathError(ValueError):
    """The path is no regular file below the root. ``reason`` says why, in words that follow the path."""

    def __init__(self, reason: str, *, missing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing = missing


def open_beneath(root: Path, path: str, *, links: bool = True, barred: Barred | None = None) -> int:
    """A descriptor of the regular file at ``path`` (relative to ``root``, or absolute and below it), for reading; the caller
    closes it. Raises :class:`NotBeneathError`. ``root`` itself may be reached through links. What ``barred`` names is not
    passed, by whichever way.
    """
    top = os.path.realpath(root)
    walk = _Walk(top, links, barred)
    try:
        return walk.open(_below(top, path))
    except OSError as problem:
        raise _explained(problem) from problem
    finally:
        walk.close()


def read_beneath(root: Path, path: str, most: int, *, links: bool = True) -> tuple[bytes, int]:
    """The first ``most`` bytes of the file, and its size in bytes as it was opened."""
    descriptor = open_beneath(root, path, links=links)
    try:
        size = os.fstat(descriptor).st_size
        data = bytearray()
        while len(data) < most and (part := os.read(descriptor, min(CHUNK, most - len(data)))):
            data += part
        return bytes(data), max(size, len(data))
    finally:
        os.close(descriptor)


class _Walk:
    """``folders`` are open descriptors from the root to where the walk is, so that ``..`` is one step back and never out."""

    def __init__(self, top: str, links: bool, barred: Barred | None) -> None:
        self._top = top
        self._links = links
        self._barred = barred
        self._followed = 0
        self._names: list[str] = []
        self._folders = [os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]

    def close(self) -> None:
        self._back_to(0)

    def open(self, path: str) -> int:
        parts = deque(path.split("/"))
        while parts:
            part = parts.popleft()
            if part in ("", "."):
                continue
            if part == "..":
                if len(self._folders) == 1:
                    raise NotBeneathError("leads out of its folder")
                self._back_to(len(self._folders) - 1)
                continue
            self._check(part)
            status = os.stat(part, dir_fd=self._folders[-1], follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                parts.extendleft(reversed(self._target(part).split("/")))
            elif stat.S_ISDIR(status.st_mode):
                self._folders.append(os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=self._folders[-1]))
                self._names.append(part)
            elif any(rest not in ("", ".") for rest in parts):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            else:
                return self._file(part, status.st_mode)
        raise NotBeneathError("is a folder")

    def _check(self, name: str) -> None:
        reason = None if self._barred is None else self._barred(tuple(self._names), name)
        if reason is not None:
            raise NotBeneathError(reason)

    def _file(self, name: str, mode: int) -> int:
        if not stat.S_ISREG(mode):
            raise NotBeneathError("is no regular file")
        descriptor = os.open(name, _FLAGS, dir_fd=self._folders[-1])
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
        raise NotBeneathError("is no regular file")

    def _target(self, name: str) -> str:
        if not self._links:
            raise NotBeneathError("is a symbolic link, or lies behind one")
        self._followed += 1
        if self._followed > MOST_LINKS:
            raise NotBeneathError("is a loop of symbolic links")
        target = os.readlink(name, dir_fd=self._folders[-1])
        if target.startswith("/"):
            self._back_to(1)
            return _below(self._top, target)
        return target

    def _back_to(self, count: int) -> None:
        while len(self._folders) > count:
            os.close(self._folders.pop())
        del self._names[max(0, count - 1) :]


def _below(top: str, path: str) -> str:
    if "\0" in path:
        raise NotBeneathError("holds a NUL character")
    if not path.startswith("/"):
        return path
    for prefix in (top, top.rstrip("/") + "/"):
        if path == prefix or path.startswith(prefix.rstrip("/") + "/"):
            return path[len(prefix.rstrip("/")) :].lstrip("/")
    folder, name = os.path.split(path.rstrip("/"))
    real = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - the last part may be a link, which is judged later
    if real.startswith(top.rstrip("/") + "/"):
        return real[len(top.rstrip("/")) + 1 :]
    raise NotBeneathError("leads out of its folder")


def _explained(problem: OSError) -> NotBeneathError:
    if problem.errno in (errno.ENOENT, errno.ENOTDIR):
        return NotBeneathError("does not exist", missing=True)
    if problem.errno == errno.ELOOP:
        return NotBeneathError("was exchanged for a symbolic link while it was opened")
    return NotBeneathError(f"cannot be read: {problem.strerror or problem}")
