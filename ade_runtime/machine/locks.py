"""Mutual exclusion over a project or a lane, among calls of one runtime and among processes that share an ADE_HOME."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ade_runtime.machine.paths import private_folder

FIRST_WAIT = 0.002
LONGEST_WAIT = 0.05


class Locks:
    """Named locks under one folder. An asyncio lock orders the calls of this process, first come first served; a file lock
    keeps other processes out (a headless command beside the runtime). Lock files are never removed: removing one would
    let two holders lock two different files of the same name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._local: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    @asynccontextmanager
    async def project(self, project_id: str) -> AsyncIterator[None]:
        """Hold around the change of a repository's shared metadata (refs, worktrees, configuration)."""
        async with self._hold(f"project-{project_id}"):
            yield

    @asynccontextmanager
    async def lane(self, lane_id: str) -> AsyncIterator[None]:
        """Hold around work on one lane's own worktree. Take the project lock inside it, never the other way round."""
        async with self._hold(f"lane-{lane_id}"):
            yield

    @asynccontextmanager
    async def secret(self, owner: str, name: str) -> AsyncIterator[None]:
        """Hold around the change of one secret, whose value and name are kept in two places."""
        async with self._hold(f"secret-{owner}/{name}"):
            yield

    @asynccontextmanager
    async def proof(self) -> AsyncIterator[None]:
        """Hold around a change of which contents of evidence there are."""
        async with self._hold("proof"):
            yield

    @asynccontextmanager
    async def try_lane(self, lane_id: str) -> AsyncIterator[bool]:
        """Take the lane's lock only if nobody holds it, in this process or another; yields whether it was taken."""
        name = f"lane-{lane_id}"
        lock = self._local.get(name)
        if lock is not None and lock.locked():
            yield False
            return
        lock = self._local.setdefault(name, asyncio.Lock())
        async with lock:
            descriptor = self._open_file(name)
            try:
                yield _try_lock(descriptor)
            finally:
                os.close(descriptor)

    @asynccontextmanager
    async def _hold(self, name: str) -> AsyncIterator[None]:
        lock = self._local.get(name)
        if lock is None:
            lock = self._local[name] = asyncio.Lock()
        async with lock:
            descriptor = await self._lock_file(name)
            try:
                yield
            finally:
                os.close(descriptor)

    def _open_file(self, name: str) -> int:
        private_folder(self._folder)
        path = self._folder / (hashlib.sha256(name.encode()).hexdigest()[:24] + ".lock")
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    async def _lock_file(self, name: str) -> int:
        descriptor = self._open_file(name)
        wait = FIRST_WAIT
        try:
            while not _try_lock(descriptor):
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
