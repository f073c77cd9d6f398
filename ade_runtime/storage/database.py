"""One SQLite connection on one worker thread; everything that reads or writes state goes through it.

The journal mode follows the SQLite version: before 3.51.3 a database in WAL mode may lose acknowledged commits when two
connections write or checkpoint at once, so older versions use a rollback journal. What is committed outlives a power cut.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.machine.paths import unusable
from ade_runtime.storage.jobs import LONGEST, Job, Teller, take

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from ade_runtime.storage.engine import OpenDatabase
    from ade_runtime.storage.fence import Fence

T = TypeVar("T")
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ELOOP)


class Database:
    """State of one ADE_HOME. Opened at the first use, so that a call which needs no state never waits for it.

    ``read`` and ``write`` run ``fn(connection)`` on the database's own thread, one at a time; those that wait at the same time
    share a transaction (:mod:`~.jobs`). That of writes takes the write lock at its start, and nobody is told before it has
    committed. What ``fn`` did is undone when it raises, and nothing else is. ``fn`` must not keep the connection. Cancelling
    the awaiting task does not interrupt ``fn``: a write that began is finished.

    With a ``fence`` (a runtime's, not a command's) nothing is written once another runtime has taken over.
    """

    def __init__(self, path: Path, fence: Fence | None = None) -> None:
        self.path = path
        self._fence = fence
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ade-database")
        self._queue: deque[Job] = deque()
        self._open: OpenDatabase | None = None
        self._closed = False

    async def read(self, fn: Callable[[Connection], T]) -> T:
        return await self._submit(fn, writing=False)

    async def write(self, fn: Callable[[Connection], T]) -> T:
        return await self._submit(fn, writing=True)

    async def close(self) -> None:
        """Finish what is queued and close the file. Closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(self._worker, self._close)
        self._worker.shutdown(wait=True)

    async def _submit(self, fn: Callable[[Connection], T], *, writing: bool) -> T:
        job = Job(fn, writing=writing)
        self._queue.append(job)
        self._worker.submit(self._work)
        answer: T = await job.answer
        return answer

    def _work(self) -> None:
        """Do what is next, where a turn before has not done it already."""
        jobs = take(self._queue)
        if not jobs:
            return
        teller = Teller(jobs)
        try:
            with self._storage_errors():
                if jobs[0].writing:
                    self._write(self._opened(), jobs)
                else:
                    self._read(self._opened(), jobs, teller)
        except BaseException as problem:
            teller.finish(problem)
        else:
            teller.look(len(jobs))

    def _opened(self) -> OpenDatabase:
        if self._open is None:
            from ade_runtime.storage.engine import open_database

            self._open = open_database(self.path)
        return self._open

    def _read(self, opened: OpenDatabase, jobs: list[Job], teller: Teller) -> None:
        with opened.transaction(False) as connection:
            for number, job in enumerate(jobs, 1):
                try:
                    with self._storage_errors():
                        job.succeed(job.fn(connection))
                except BaseException as problem:
                    job.fail(problem)
                if number < len(jobs):
                    teller.look(number)

    def _write(self, opened: OpenDatabase, jobs: list[Job]) -> None:
        """Do writes in one transaction, each undone alone where it fails; what takes too long leaves the rest for the next."""
        outcomes: list[tuple[Job, object]] = []
        since = time.monotonic()
        alone = len(jobs) == 1
        with self._writing(opened) as connection:
            for number, job in enumerate(jobs):
                if number and time.monotonic() - since > LONGEST:
                    self._queue.extendleft(reversed(jobs[number:]))
                    del jobs[number:]
                    break
                try:
                    with self._storage_errors(), nullcontext() if alone else _undone_alone(connection):
                        outcomes.append((job, job.fn(connection)))
                except BaseException as problem:
                    if alone or not _is_open(
                        connection
                    ):  # SQLite has ended it itself, as where the disk is full
                        raise
                    job.fail(problem)
        for job, outcome in outcomes:
            job.succeed(outcome)

    @contextmanager
    def _writing(self, opened: OpenDatabase) -> Iterator[Connection]:
        if self._fence is not None and not self._fence.claimed:
            with opened.transaction(True) as connection:
                self._fence.claim(connection)
        with opened.transaction(True) as connection:
            if self._fence is not None:
                self._fence.check(connection)
            yield connection

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        from sqlalchemy.exc import DBAPIError, IntegrityError

        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as problem:
            raise storage_error(problem.orig, self.path) from problem
        except (sqlite3.Error, OSError) as problem:
            raise storage_error(problem, self.path) from problem


@contextmanager
def _undone_alone(connection: Connection) -> Iterator[None]:
    """Undo what is done within where that raises, and leave what was done before in the same transaction."""
    savepoint = connection.begin_nested()
    try:
        yield
    except BaseException:
        if _is_open(connection):
            savepoint.rollback()
        raise
    savepoint.commit()


def _is_open(connection: Connection) -> bool:
    """Whether SQLite's transaction still goes on."""
    raw = connection.connection.driver_connection
    return isinstance(raw, sqlite3.Connection) and raw.in_transaction


def storage_error(problem: BaseException | None, path: Path) -> AdeError:
    """The error a caller reads for a failure of SQLite or of the file system below it."""
    code = getattr(problem, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    full = isinstance(problem, OSError) and problem.errno in (errno.ENOSPC, errno.EDQUOT)
    if primary == sqlite3.SQLITE_FULL or full:
        return errors.StorageFull(path=str(path))
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        from ade_runtime.storage.soundness import corrupt

        return corrupt(path, str(problem))
    if isinstance(problem, OSError) and problem.errno in _FORBIDDEN:
        return unusable(Path(problem.filename or path), problem)
    return errors.StorageFailed(reason=str(problem), path=str(path))
