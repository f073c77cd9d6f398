"""Temporary files of ADE: below ``ADE_HOME/tmp``, so that what a killed process leaves is found and removed by the next one.

Each process has a folder of its own there and holds a lock in it for as long as it lives. A folder whose lock is free has no
owner any more. A thing that has to be made elsewhere (a clone, beside the place where it will be) is named there by a symbolic
link, and goes with it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.paths import private_folder

DRAFT = "draft-"
"""How the names of links to things elsewhere begin."""

_ALIVE = ".alive"
_PREFIX = "of-"


class TemporaryPlace:
    """The temporary files of this process in one ADE_HOME. Nothing is made before the first is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._own: tuple[Path, int, int] | None = None
        self.closed = False

    def make(self, what: str) -> Path:
        """A new empty folder whose name begins with ``what``; raises ``storage_full``."""
        with _full_disk_told(self._folder):
            return Path(tempfile.mkdtemp(prefix=f"{what}-", dir=self._mine()))

    def name(self, draft: Path) -> Path:
        """Have ``draft``, which is elsewhere, removed by others should this process be killed; gives the link to remove once
        that is no longer wanted."""
        with _full_disk_told(self._folder):
            link = self._mine() / f"{DRAFT}{draft.name}"
            link.symlink_to(draft)
            return link

    def sweep(self) -> None:
        """Remove what processes left that live no more. Trouble is left to the next sweep."""
        if not self._folder.is_dir():
            return
        with self._turn():
            self._sweep(None if self._own is None else self._own[0])

    def close(self) -> None:
        """Remove this process's folder. What is asked for afterwards lies with the system's temporary files."""
        with self._guard:
            self.closed = True
            if self._own is not None and self._own[2] == os.getpid():
                shutil.rmtree(self._own[0], ignore_errors=True)
                os.close(self._own[1])
            self._own = None

    def _mine(self) -> Path:
        with self._guard:
            if self._own is None or self._own[2] != os.getpid():
                self._own = self._begin()
            elif not self._own[0].is_dir():  # somebody emptied ADE_HOME/tmp
                os.close(self._own[1])
                self._own = self._begin()
            return self._own[0]

    def _sweep(self, mine: Path | None) -> None:
        for folder in self._folder.glob(f"{_PREFIX}*"):
            if folder != mine and (descriptor := _lock(folder)) is not None:
                try:
                    _remove(folder)
                finally:
                    os.close(descriptor)

    def _begin(self) -> tuple[Path, int, int]:
        private_folder(self._folder)
        with self._turn():
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._folder))
            descriptor = os.open(folder / _ALIVE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._sweep(folder)
        return folder, descriptor, os.getpid()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """A folder is made and locked in one go: nobody sees it without an owner in between."""
        descriptor = os.open(self._folder / ".turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


_PLACE: ContextVar[TemporaryPlace | None] = ContextVar("ade_temporary_place", default=None)


def use(place: TemporaryPlace) -> None:
    """Have :func:`temporary_folder` work in ``place`` for the rest of this task and those it starts."""
    _PLACE.set(place)


@contextmanager
def temporary_folder(what: str) -> Iterator[Path]:
    """A folder for as long as the body runs; outside of any call of an action it lies with the system's temporary files."""
    folder = new_folder(what)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_folder(what: str) -> Path:
    """A folder that the caller removes."""
    place = _open_place()
    return Path(tempfile.mkdtemp(prefix=f"ade-{what}-")) if place is None else place.make(what)


@contextmanager
def named_draft(draft: Path) -> Iterator[None]:
    """Have ``draft`` removed should this process be killed in the body."""
    place = _open_place()
    if place is None:
        yield
        return
    link = place.name(draft)
    try:
        yield
    finally:
        link.unlink(missing_ok=True)


def _open_place() -> TemporaryPlace | None:
    place = _PLACE.get()
    return None if place is None or place.closed else place


def _lock(folder: Path) -> int | None:
    """The lock of a folder whose owner is gone, ``None`` while it lives."""
    try:
        descriptor = os.open(folder / _ALIVE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _remove(folder: Path) -> None:
    """Remove a folder, first what its links name. Only what is hidden and named as the link says is a draft."""
    from ade_runtime.lanes.processes import gits_on

    for link in folder.glob(f"{DRAFT}*"):
        try:
            draft = Path(os.readlink(link))  # noqa: PTH115 - as it was written, not resolved
        except OSError:
            continue
        if draft.name != link.name.removeprefix(DRAFT) or not draft.name.startswith("."):
            continue
        if gits_on(draft):  # a git outlives its killed runtime; the next sweep comes
            return
        if draft.is_dir() and not draft.is_symlink():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                draft.unlink()
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _full_disk_told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise errors.StorageFull(path=str(folder)) from problem
        raise errors.HomeUnusable(path=str(folder), reason=problem.strerror or str(problem)) from problem
