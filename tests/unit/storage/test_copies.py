"""Copies of the database: whole, few, and the way back from damage."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.storage.copies import KEPT, copies, folder_of, make_copy
from ade_runtime.storage.engine import open_database
from ade_runtime.storage.restore import find_copy, restore
from ade_runtime.storage.schema import HEAD
from ade_runtime.storage.soundness import inspect_whole_file

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "state.db"
    open_database(path).close()
    return path


def mark(path: Path, name: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO projects VALUES (?, ?, 'g', 'n', 1, 1)", (name, name))
    connection.close()


def marks(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    found = [row[0] for row in connection.execute("SELECT id FROM projects ORDER BY id")]
    connection.close()
    return found


def test_only_the_last_few_stay(database: Path) -> None:
    made = [make_copy(database, HEAD, NOW + timedelta(days=day)) for day in range(KEPT + 3)]
    assert [copy.path for copy in copies(database)] == [copy.path for copy in reversed(made)][:KEPT]
    assert {copy.schema for copy in copies(database)} == {HEAD}
    assert {path.stat().st_mode & 0o777 for path in folder_of(database).iterdir()} == {0o600}
    assert folder_of(database).stat().st_mode & 0o777 == 0o700


def test_a_copy_is_of_one_moment_while_others_write(database: Path) -> None:
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO projects VALUES ('p', 'p', 'g', 'n', 1, 1)")
    copy = make_copy(database, HEAD, NOW)
    writer.execute("COMMIT")
    writer.close()
    assert inspect_whole_file(copy.path) == HEAD
    assert marks(copy.path) == []
    assert marks(database) == ["p"]


def test_what_a_killed_copier_left_is_no_copy(database: Path) -> None:
    make_copy(database, HEAD, NOW)
    (folder_of(database) / f"state-{HEAD}-20260302T000000.000000.db.part").write_bytes(b"half")
    assert len(copies(database)) == 1


def test_restoring_keeps_the_present_file(database: Path) -> None:
    mark(database, "old")
    copy = make_copy(database, HEAD, NOW)
    mark(database, "new")
    kept = restore(database, find_copy(database, None))
    assert marks(database) == ["old"]
    assert kept is not None
    assert marks(kept) == ["new", "old"]
    assert [one.path for one in copies(database)] == [copy.path]


def test_a_damaged_copy_is_not_put_back(database: Path) -> None:
    copy = make_copy(database, HEAD, NOW)
    with copy.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    before = database.read_bytes()
    with pytest.raises(errors.StorageCorrupt):
        restore(database, copy)
    assert database.read_bytes() == before


def test_a_database_in_use_is_not_replaced(database: Path) -> None:
    copy = make_copy(database, HEAD, NOW)
    program = textwrap.dedent(
        f"""
        import sqlite3, sys
        connection = sqlite3.connect({str(database)!r})
        connection.execute("SELECT 1 FROM projects")
        print(1, flush=True)
        sys.stdin.read()
        """
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(errors.StorageInUse) as refusal:
            restore(database, copy)
        assert str(holder.pid) in refusal.value.message
    finally:
        holder.communicate()
    restore(database, copy)


def test_an_unknown_copy(database: Path) -> None:
    with pytest.raises(errors.StorageCopyNotFound):
        find_copy(database, None)
    make_copy(database, HEAD, NOW)
    with pytest.raises(errors.StorageCopyNotFound):
        find_copy(database, "../state.db")
