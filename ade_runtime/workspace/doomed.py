"""What a deletion would take, and taking exactly that: what came or changed after it was looked at stays."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ade_runtime.integrations.git.paths import is_git_folder
from ade_runtime.workspace.names import DEEPEST, Names, is_own, text_of
from ade_runtime.workspace.opening import Place, Root, kind_of, open_file
from ade_runtime.workspace.problems import Changed, Failed, Missing, NotEmpty, PathRefused, WorkspaceProblem
from ade_runtime.workspace.reading import read_all

MOST_KEPT = 10_000
MOST_KEPT_BYTES = 64 * 1024 * 1024
MOST = 2_000_000
"""Things that one call deletes without keeping them."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(slots=True)
class Unkeepable(WorkspaceProblem):
    """It cannot be kept before it is deleted."""

    reason: str


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing to delete, as it was when it was looked at; ``data`` is a file's contents or a link's target."""

    names: Names
    mode: int
    identity: tuple[int, int]
    size: int
    changed: int
    data: bytes


@dataclass(slots=True)
class Doomed:
    """``things`` are in an order in which they can be deleted: a folder comes after what is in it. It is empty where nothing is
    to be kept; the numbers count all the same."""

    top: Thing
    things: list[Thing] = field(default_factory=list)
    files: int = 0
    folders: int = 0
    size: int = 0


def look(root: Root, text: str, *, recursive: bool, keep: bool) -> Doomed:
    """What deleting ``text`` takes. Raises :class:`NotEmpty` without ``recursive``, :class:`PathRefused` where a repository, a
    worktree or ADE's lanes lie in it, and with ``keep`` :class:`Unkeepable`."""
    with root.place(text, follow=False) as place:
        if not place.names:
            raise PathRefused(text, "it is the lane itself")
        if place.status is None:
            raise Missing(text)
        doomed = Doomed(_thing(place.names, place.status, b""))
        _Look(doomed, text, recursive, keep).at(place)
        return doomed


class _Look:
    def __init__(self, doomed: Doomed, text: str, recursive: bool, keep: bool) -> None:
        self._doomed = doomed
        self._text = text
        self._recursive = recursive
        self._keep = keep

    def at(self, place: Place) -> None:
        assert place.status is not None
        if stat.S_ISDIR(place.status.st_mode):
            with _opened(place, self._text) as fd:
                names = sorted(_names_in(fd))
                if names and not self._recursive:
                    raise NotEmpty(self._text)
                for name in names:
                    self._inner(fd, (*place.names, name))
            self._doomed.folders += 1
            self._note(place, b"")
        else:
            self._doomed.files += 1
            self._doomed.size += place.status.st_size if stat.S_ISREG(place.status.st_mode) else 0
            self._check_counts()
            self._note(place, self._contents(place) if self._keep else b"")

    def _inner(self, fd: int, names: Names) -> None:
        name = names[-1]
        if is_git_folder(name):
            raise PathRefused(self._text, f"{text_of(names[:-1])} is a repository or worktree of its own")
        if is_own(names[:-1], name):
            raise PathRefused(self._text, "ADE keeps its lanes in it")
        if len(names) > DEEPEST:
            raise PathRefused(self._text, f"it is deeper than {DEEPEST} folders")
        try:
            status = os.stat(name, dir_fd=fd, follow_symlinks=False)
        except OSError:
            raise Changed(text_of(names)) from None
        self.at(Place(fd, name, names, status))

    def _check_counts(self) -> None:
        doomed = self._doomed
        if doomed.files + doomed.folders > MOST:
            raise PathRefused(self._text, f"it holds more than {MOST} files")
        if self._keep and doomed.files > MOST_KEPT:
            raise Unkeepable(self._text, f"it holds more than {MOST_KEPT} files")
        if self._keep and doomed.size > MOST_KEPT_BYTES:
            raise Unkeepable(self._text, f"it holds more than {MOST_KEPT_BYTES // 2**20} MiB")

    def _note(self, place: Place, data: bytes) -> None:
        if self._keep:
            assert place.status is not None
            self._doomed.things.append(_thing(place.names, place.status, data))

    def _contents(self, place: Place) -> bytes:
        assert place.status is not None
        if stat.S_ISLNK(place.status.st_mode):
            return os.readlink(place.name, dir_fd=place.folder)
        if not stat.S_ISREG(place.status.st_mode):
            raise Unkeepable(self._text, f"{place.text} is {kind_of(place.status.st_mode)}")
        try:
            fd = open_file(place, place.text)
        except Failed as problem:
            raise Unkeepable(self._text, f"{place.text} cannot be read: {problem.reason}") from None
        try:
            return read_all(fd, MOST_KEPT_BYTES, place.text)
        finally:
            os.close(fd)


def take(root: Root, doomed: Doomed) -> None:
    """Delete what was looked at; raises :class:`Changed` at the first thing that is another by now, which stays."""
    for thing in doomed.things:
        text = text_of(thing.names)
        with root.place(text, follow=False) as place:
            if place.status is None or _thing(place.names, place.status, thing.data) != thing:
                raise Changed(text)
            _remove(place, text)


def take_all(root: Root, text: str, top: Thing) -> None:
    """Delete everything there is, unlooked at, but for what :func:`look` refuses."""
    with root.place(text, follow=False) as place:
        if place.status is None or (place.status.st_dev, place.status.st_ino) != top.identity:
            raise Changed(text)
        _take_below(place)


def _take_below(place: Place) -> None:
    assert place.status is not None
    if stat.S_ISDIR(place.status.st_mode):
        with _opened(place, place.text) as fd:
            for name in _names_in(fd):
                names = (*place.names, name)
                if is_git_folder(name) or is_own(place.names, name) or len(names) > DEEPEST:
                    raise Changed(text_of(names))
                try:
                    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
                except FileNotFoundError:
                    continue
                _take_below(Place(fd, name, names, status))
    _remove(place, place.text)


def _remove(place: Place, text: str) -> None:
    assert place.status is not None
    try:
        if stat.S_ISDIR(place.status.st_mode):
            os.rmdir(place.name, dir_fd=place.folder)
        else:
            os.unlink(place.name, dir_fd=place.folder)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY):
            raise Changed(text) from None
        raise Failed(text, error.strerror or "unknown reason") from None


def _thing(names: Names, status: os.stat_result, data: bytes) -> Thing:
    plain = not stat.S_ISDIR(status.st_mode)
    return Thing(
        names=names,
        mode=status.st_mode,
        identity=(status.st_dev, status.st_ino),
        size=status.st_size if plain else 0,
        changed=status.st_mtime_ns if plain else 0,
        data=data,
    )


@contextmanager
def _opened(place: Place, text: str) -> Iterator[int]:
    try:
        fd = os.open(place.name, _FOLDER, dir_fd=place.folder)
    except OSError as error:
        raise Failed(text, error.strerror or "unknown reason") from None
    try:
        yield fd
    finally:
        os.close(fd)


def _names_in(fd: int) -> list[bytes]:
    with os.scandir(fd) as listed:
        return [os.fsencode(item.name) for item in listed]
