"""Opening the database file: checks before the first write, creation, migration, journal mode, transactions."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, create_mock_engine, event
from sqlalchemy.pool import NullPool

from ade_generated import errors
from ade_runtime.machine.paths import private_folder
from ade_runtime.storage.copies import BUSY_TIMEOUT, copies, make_copy, sync_folder, way_back
from ade_runtime.storage.schema import HEAD, metadata
from ade_runtime.storage.soundness import inspect_file

WAL_SAFE_SINCE = (3, 51, 3)
_STAMP = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


class OpenDatabase:
    """The one connection, used by one thread.

    Another process may migrate the file meanwhile, being of a later version. SQLite's schema cookie tells: from then on every
    transaction is refused with ``storage_too_new`` instead of writing into tables this version does not know.
    """

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._path = path
        self._connection = engine.connect()
        self._cookie: int | None = None

    @contextmanager
    def transaction(self, writing: bool) -> Iterator[Connection]:
        """One transaction; a writing one takes the write lock at once, so it can never fail halfway for want of it."""
        self._connection.info["begin"] = "BEGIN IMMEDIATE" if writing else "BEGIN"
        with self._connection.begin():
            self._check_schema()
            yield self._connection

    def _check_schema(self) -> None:
        cookie = self._connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
        if cookie != self._cookie:
            found = self._connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
            if found != HEAD:
                raise too_new(self._path, found)
            self._cookie = cookie

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()


def open_database(path: Path) -> OpenDatabase:
    """Open, creating or migrating where needed. Raises ``storage_corrupt`` or ``storage_too_new`` without touching the file.

    Before a migration the file is copied (:mod:`ade_runtime.storage.copies`). Processes that open one file at the same time
    take turns, so that only one creates or migrates it.
    """
    private_folder(path.parent)
    with taking_turns(path):
        if not path.exists():
            _create(path)
        found = inspect_file(path)
        if found != HEAD:
            _migrate(path, found)
    opened = OpenDatabase(make_engine(path), path)
    try:
        with opened.transaction(False):
            return opened
    except BaseException:
        opened.close()
        raise


def make_engine(path: Path, *, references: bool = True) -> Engine:
    """An engine for an existing file, whose transactions begin as :meth:`OpenDatabase.transaction` says. ``references`` says
    whether rows must refer to rows that are there."""
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
        # EXTRA also syncs the folder once a commit has removed its rollback journal: a journal that a power cut brings back
        # would take the commit back. A write-ahead log needs no more than FULL for that.
        connection.execute(f"PRAGMA synchronous = {'FULL' if journal == 'WAL' else 'EXTRA'}")
        connection.execute(f"PRAGMA foreign_keys = {'ON' if references else 'OFF'}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.info.get("begin", "BEGIN IMMEDIATE"))

    return engine


def _create(path: Path) -> None:
    """Make the file under another name first: a crash on the way leaves no half-made database in its place."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    engine = make_engine(draft)
    try:
        with engine.begin() as connection:
            for statement in _tables():
                connection.exec_driver_sql(statement)
            connection.exec_driver_sql(_STAMP)
            connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")
    except BaseException:
        engine.dispose()
        draft.unlink(missing_ok=True)
        raise
    engine.dispose()
    draft.replace(path)
    sync_folder(path.parent)


@cache
def _tables() -> tuple[str, ...]:
    """What makes all tables, indexes and triggers in a new file. Nothing is there yet, so nothing is looked for before; and
    the statements are put into words once, however many files a process makes."""
    found: list[str] = []

    def take(clause: Any, *_values: Any, **_more: Any) -> None:
        found.append(str(clause.compile(dialect=engine.dialect)))

    engine = create_mock_engine("sqlite+pysqlite://", take)
    metadata.create_all(engine, checkfirst=False)
    return tuple(found)


def _migrate(path: Path, found: str) -> None:
    from ade_runtime.storage.migrations.apply import known_versions, upgrade

    if found not in known_versions():
        raise too_new(path, found)
    make_copy(path, found, datetime.now(UTC))
    upgrade(path)


def too_new(path: Path, found: str) -> errors.StorageTooNew:
    """The refusal of a file with a schema that this version does not know."""
    usable = [copy for copy in copies(path) if copy.schema <= HEAD]
    hint = "Update ADE, or use another ADE_HOME with this version."
    if usable:
        hint = f"Update ADE, or go back to what this version knew. {way_back(path, {usable[0].schema})}"
    return errors.StorageTooNew(path=str(path), found=found, known=HEAD, hint=hint)


@contextmanager
def taking_turns(path: Path) -> Iterator[None]:
    """Hold the right to create, migrate or replace the database at ``path``; others wait."""
    descriptor = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
