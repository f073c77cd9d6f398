"""Opening what a path names, by walking from the checkout's root one name at a time.

Every folder on the way is opened by its name below the folder before it, never through a symbolic link, and held open until
the work is done. A link is read and its target walked the same way, so that each step is held to the same rules. What a
second process renames or replaces meanwhile can make a step fail, and cannot lead it anywhere else.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from ade_runtime.workspace.names import DEEPEST, Names, check_name, names_of, text_of
from ade_runtime.workspace.problems import Failed, Missing, PathRefused, WrongKind

MOST_LINKS = 40
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_MOVED = (errno.ELOOP, errno.ENOTDIR, errno.ENOENT)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name is or could be: ``folder`` is the open folder above, valid while the place is held. ``names`` is the real
    way from the root, links resolved. ``status`` is what was there, ``None`` for nothing."""

    folder: int
    name: bytes
    names: Names
    status: os.stat_result | None

    @property
    def text(self) -> str:
        return text_of(self.names)

    @property
    def kind(self) -> str:
        return "nothing" if self.status is None else kind_of(self.status.st_mode)


class Root:
    """A checkout's root, held open. ``text`` in every method is a path as callers write it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.fd = os.open(path, _FOLDER)
        except OSError as error:
            raise Failed(str(path), error.strerror or "unknown reason") from None

    def __enter__(self) -> Root:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        os.close(self.fd)

    @contextmanager
    def place(self, text: str, *, follow: bool) -> Iterator[Place]:
        """The place that ``text`` names. With ``follow`` a link in the last name is followed, too.

        Raises :class:`PathRefused`, and :class:`Missing` or :class:`WrongKind` where a folder on the way is not one.
        """
        walk = _Walk(self.fd, text)
        try:
            yield walk.to(names_of(text), follow=follow)
        finally:
            walk.close()

    @contextmanager
    def file(self, text: str) -> Iterator[tuple[int, Place]]:
        """An open descriptor of the plain file ``text`` names, and its place; never waits, whatever the file is."""
        with self.place(text, follow=True) as place:
            fd = open_file(place, text)
            try:
                yield fd, place
            finally:
                os.close(fd)

    @contextmanager
    def folder(self, text: str) -> Iterator[tuple[int, Place]]:
        """An open descriptor of the folder ``text`` names, and its place."""
        with self.place(text, follow=True) as place:
            fd = open_folder(place, text)
            try:
                yield fd, place
            finally:
                os.close(fd)


class _Walk:
    """One walk: the folders passed, held open, so that ``..`` in a link goes back to the folder it came from."""

    def __init__(self, root: int, text: str) -> None:
        self._text = text
        self._folders = [root]
        self._names: list[bytes] = []
        self._links = 0

    def close(self) -> None:
        for fd in self._folders[1:]:
            os.close(fd)

    def to(self, names: Names, *, follow: bool) -> Place:
        todo = deque(names)
        while todo:
            name = todo.popleft()
            if name in (b"", b"."):
                continue
            if name == b"..":
                self._back()
                continue
            place = self._look(name, last=not todo)
            if place.status is not None and stat.S_ISLNK(place.status.st_mode) and (todo or follow):
                todo.extendleft(reversed(self._target(place)))
            elif todo:
                self._enter(place, todo)
            else:
                return place
        above = self._folders[-1]
        return Place(above, b".", tuple(self._names), os.fstat(above))

    def _look(self, name: bytes, *, last: bool) -> Place:
        check_name(tuple(self._names), name, self._text)
        if len(self._names) >= DEEPEST:
            raise PathRefused(self._text, f"it is deeper than {DEEPEST} folders")
        here = (*self._names, name)
        try:
            status = os.stat(name, dir_fd=self._folders[-1], follow_symlinks=False)
        except FileNotFoundError:
            if last:
                return Place(self._folders[-1], name, here, None)
            raise Missing(text_of(here)) from None
        except OSError as error:
            raise Failed(self._text, error.strerror or "unknown reason") from None
        return Place(self._folders[-1], name, here, status)

    def _target(self, place: Place) -> list[bytes]:
        self._count()
        try:
            target = os.readlink(place.name, dir_fd=place.folder)
        except OSError:
            return [place.name]
        if target.startswith(b"/"):
            raise PathRefused(self._text, "a symbolic link in it is absolute")
        return target.split(b"/")

    def _enter(self, place: Place, todo: deque[bytes]) -> None:
        if place.status is not None and not stat.S_ISDIR(place.status.st_mode):
            raise WrongKind(place.text, place.kind, "a folder")
        try:
            self._folders.append(os.open(place.name, _STEP, dir_fd=place.folder))
        except OSError as error:
            if error.errno not in _MOVED:
                raise Failed(self._text, error.strerror or "unknown reason") from None
            self._count()
            todo.appendleft(place.name)
            return
        self._names.append(place.name)

    def _back(self) -> None:
        if len(self._folders) == 1:
            raise PathRefused(self._text, "a symbolic link in it leads out of the lane")
        os.close(self._folders.pop())
        self._names.pop()

    def _count(self) -> None:
        self._links += 1
        if self._links > MOST_LINKS:
            raise PathRefused(self._text, "its symbolic links do not end")


def open_file(place: Place, text: str) -> int:
    """A descriptor of the plain file at ``place``, for reading. Devices, pipes and sockets are refused without opening them."""
    if place.status is None:
        raise Missing(text)
    if not stat.S_ISREG(place.status.st_mode):
        raise WrongKind(text, place.kind, "a file")
    fd = _open(place, _FILE, text)
    if not stat.S_ISREG(mode := os.fstat(fd).st_mode):
        os.close(fd)
        raise WrongKind(text, kind_of(mode), "a file")
    return fd


def open_folder(place: Place, text: str) -> int:
    """A descriptor of the folder at ``place``, for listing."""
    if place.status is None:
        raise Missing(text)
    if not stat.S_ISDIR(place.status.st_mode):
        raise WrongKind(text, place.kind, "a folder")
    return _open(place, _FOLDER, text)


def _open(place: Place, flags: int, text: str) -> int:
    try:
        return os.open(place.name, flags, dir_fd=place.folder)
    except FileNotFoundError:
        raise Missing(text) from None
    except OSError as error:
        if error.errno in _MOVED:
            raise WrongKind(text, "something else by now", "a file or folder") from None
        raise Failed(text, error.strerror or "unknown reason") from None


def kind_of(mode: int) -> str:
    """What a mode says a thing is, in words."""
    kinds = {
        stat.S_IFREG: "a file",
        stat.S_IFDIR: "a folder",
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something unknown")
