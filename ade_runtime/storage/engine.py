"""Opening the database file: checks before the first write, creation, migration, journal mode, transactions."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from ade_generated import errors
from ade_runtime.machine.paths import private_folder
from ade_runtime.storage.schema import HEAD, metadata

BUSY_TIMEOUT = 10.0
"""Seconds a transaction waits for another process's."""

WAL_SAFE_SINCE = (3, 51, 3)
QUICK_CHECK_LIMIT = 64 * 1024 * 1024
_STAMP = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


class OpenDatabase:
    """The one connection, used by one thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection = engine.connect()

    @contextmanager
    def transaction(self, writing: bool) -> Iterator[Connection]:
        """One transaction; a writing one takes the write lock at once, so it can never fail halfway for want of it."""
        self._connection.info["begin"] = "BEGIN IMMEDIATE" if writing else "BEGIN"
        with self._connection.begin():
            yield self._connection

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()


def open_database(path: Path) -> OpenDatabase:
    """Open, creating or migrating where needed. Raises ``storage_corrupt`` or ``storage_too_new`` without touching the file.

    Processes that open one file at the same time take turns, so that only one creates or migrates it.
    """
    private_folder(path.parent)
    with _turn(path.with_name(path.name + ".lock")):
        if not path.exists():
            _create(path)
        found = inspect_file(path)
        if found != HEAD:
            _migrate(path, found)
    opened = OpenDatabase(make_engine(path))
    with opened.transaction(False):
        return opened


def make_engine(path: Path) -> Engine:
    """An engine for an existing file, whose transactions begin as :meth:`OpenDatabase.transaction` says."""
    uri = f"{path.absolute().as_uri()}?mode=rw"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
        )

    engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        journal = "WAL" if sqlite3.sqlite_version_info >= WAL_SAFE_SINCE else "DELETE"
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.info.get("begin", "BEGIN IMMEDIATE"))

    return engine


def inspect_file(path: Path) -> str:
    """The schema version in the file, found by reading only. Raises ``storage_corrupt`` for what is no sound database."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None
    )
    try:
        if path.stat().st_size == 0:
            raise errors.StorageCorrupt(path=str(path), reason="the file is empty")
        if path.stat().st_size <= QUICK_CHECK_LIMIT:
            problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise errors.StorageCorrupt(path=str(path), reason=problem.splitlines()[-1])
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as problem:
        if "no such table" not in str(problem):
            raise
        raise errors.StorageCorrupt(path=str(path), reason="it holds no ADE tables") from problem
    except sqlite3.DatabaseError as problem:
        raise errors.StorageCorrupt(path=str(path), reason=str(problem)) from problem
    finally:
        connection.close()
    if row is None:
        raise errors.StorageCorrupt(path=str(path), reason="its schema version is missing")
    return str(row[0])


def _create(path: Path) -> None:
    """Make the file under another name first: a crash on the way leaves no half-made database in its place."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    engine = make_engine(draft)
    with engine.begin() as connection:
        metadata.create_all(connection)
        connection.exec_driver_sql(_STAMP)
        connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")
    engine.dispose()
    draft.replace(path)


def _migrate(path: Path, found: str) -> None:
    from ade_runtime.storage.migrations.apply import known_versions, upgrade

    if found not in known_versions():
        raise errors.StorageTooNew(path=str(path), found=found, known=HEAD)
    upgrade(path)


@contextmanager
def _turn(lock: Path) -> Iterator[None]:
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
