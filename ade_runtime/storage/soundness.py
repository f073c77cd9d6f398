"""Whether a database file is sound, and which schema it has: found out by reading, before anything is written.

A file that a killed process left in the middle of a transaction is first rolled back by SQLite, as it always is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from ade_generated import errors
from ade_runtime.storage.copies import BUSY_TIMEOUT, way_back

QUICK_CHECK_LIMIT = 64 * 1024 * 1024
"""Bytes up to which every page is looked at when the file is opened (under 0.1 s). Of a bigger one only length, header and
schema are: the rest is left to ``ade doctor``, and to SQLite itself when it gets there."""

_HEADER = 100


def inspect_file(path: Path) -> str:
    """The schema version in the file. Raises ``storage_corrupt`` for what is no sound database at a quick look."""
    small = path.stat().st_size <= QUICK_CHECK_LIMIT
    return _inspect(path, ["PRAGMA quick_check(1)"] if small else [])


def inspect_whole_file(path: Path) -> str:
    """As :func:`inspect_file`, but everything is looked at, indexes and references between tables too."""
    return _inspect(path, ["PRAGMA integrity_check(1)", "PRAGMA foreign_key_check"])


def corrupt(path: Path, reason: str) -> errors.StorageCorrupt:
    """The refusal of a damaged file, with the way back to the last copy."""
    return errors.StorageCorrupt(path=str(path), reason=reason, hint=way_back(path))


def _inspect(path: Path, checks: Sequence[str]) -> str:
    _check_length(path)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None
    )
    try:
        for check in checks:
            row = connection.execute(check).fetchone()
            if row is not None and row[0] != "ok":
                raise corrupt(path, _words(row))
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as problem:
        if "no such table" not in str(problem):
            raise
        raise corrupt(path, "it holds no ADE tables") from problem
    except sqlite3.DatabaseError as problem:
        raise corrupt(path, str(problem)) from problem
    finally:
        connection.close()
    if version is None:
        raise corrupt(path, "its schema version is missing")
    return str(version[0])


def _words(row: tuple[object, ...]) -> str:
    """What a check complains of: a text, or table, row and table referred to."""
    if len(row) == 1:
        return str(row[0]).splitlines()[-1]
    return f"a row of {row[0]} refers to one of {row[2]} that is not there"


def _check_length(path: Path) -> None:
    """A file shorter than its own header says was cut off; SQLite would notice only when it gets there."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
        size = file.seek(0, 2)
    if not size:
        raise corrupt(path, "the file is empty")
    if len(header) < _HEADER or not header.startswith(b"SQLite format 3\0"):
        raise corrupt(path, "file is not a database")
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    valid = header[24:28] == header[92:96]  # otherwise an old SQLite wrote it and the count means nothing
    waiting = any(path.with_name(path.name + end).exists() for end in ("-journal", "-wal"))
    if valid and not waiting and size < pages * (65536 if page == 1 else page):
        raise corrupt(path, f"it ends after {size} bytes, in the middle")
