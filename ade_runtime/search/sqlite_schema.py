"""The file of an index. All in it can be made again, so a file of another version or a damaged one is simply replaced."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from ade_runtime.machine.paths import private_folder

VERSION = 3
BUSY_TIMEOUT = 5.0
_TABLES = """
CREATE TABLE documents (
    rowid INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, lane TEXT, author TEXT, at INTEGER NOT NULL,
    reader TEXT NOT NULL, hash BLOB NOT NULL, UNIQUE (kind, id)
);
CREATE TABLE cursors (kind TEXT PRIMARY KEY, cursor TEXT NOT NULL);
CREATE TABLE readers (reader TEXT PRIMARY KEY);
"""
TEXTS = """
CREATE VIRTUAL TABLE texts USING fts5 (
    title, names, body, tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3 4'
)
"""


def open_index(path: Path) -> sqlite3.Connection:
    """The index at ``path``, empty where there was none that can be used."""
    private_folder(path.parent)
    try:
        return _opened(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        discard(path)
        return _opened(path)


def discard(path: Path) -> None:
    """Remove an index and what belongs to it."""
    for name in (path.name, f"{path.name}-journal"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(name).unlink()


def _opened(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found != VERSION:
            _clear(connection)
            for statement in (*_TABLES.split(";\n"), TEXTS):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _clear(connection: sqlite3.Connection) -> None:
    for name in ("texts", "documents", "cursors", "readers"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
