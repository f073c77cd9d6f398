"""The database file: made whole, migrated, refused without being touched, and never losing what was acknowledged."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, insert, select

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.storage.database import Database
from ade_runtime.storage.engine import make_engine, open_database
from ade_runtime.storage.jobs import LONGEST, PATIENCE
from ade_runtime.storage.migrations.apply import downgrade, known_versions, upgrade
from ade_runtime.storage.schema import HEAD, audit, metadata, receipts
from ade_runtime.storage.soundness import inspect_file


def add_row(connection: Connection) -> None:
    connection.execute(
        insert(receipts).values(
            identity="me", request_id="r", action="a.b", digest="d", holder="1:1", created_at=1
        )
    )


def add_entry(connection: Connection) -> None:
    row = {"at": 1, "identity": "i", "role": "r", "transport": "t", "action": "a", "effect": "write"}
    connection.execute(insert(audit).values(**row, outcome="ok", duration_ms=1))


def count_entries(connection: Connection) -> int:
    return len(connection.execute(select(audit)).all())


async def test_a_write_is_there_for_the_next_process(tmp_path: Path) -> None:
    first = Database(tmp_path / "state.db")
    await first.write(add_row)
    await first.close()
    second = Database(tmp_path / "state.db")
    assert await second.read(lambda c: c.execute(select(receipts.c.request_id)).scalar_one()) == "r"
    await second.close()


async def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")

    def half(connection: Connection) -> None:
        add_row(connection)
        raise errors.RequestInProgress(request_id="r")

    with pytest.raises(errors.RequestInProgress):
        await database.write(half)
    assert await database.read(lambda c: c.execute(select(receipts)).all()) == []
    await database.close()


async def test_a_job_that_finds_no_next_element_fails_and_hangs_nobody(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")
    jobs = [database.read(lambda _: next(iter(()))) for _ in range(3)]
    found = await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), 10)
    assert [type(one) for one in found] == [RuntimeError] * 3
    await database.close()


async def test_reads_that_wait_together_are_answered_each_for_itself(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")
    await database.write(add_row)
    begun, go_on = threading.Event(), threading.Event()
    done = []

    def first(connection: Connection) -> int:
        begun.set()
        assert go_on.wait(30)
        return len(connection.execute(select(receipts)).all())

    def rows(connection: Connection) -> int:
        done.append(len(connection.execute(select(receipts)).all()))
        return done[-1]

    def broken(connection: Connection) -> int:
        raise LookupError("its own affair")

    waiting = [asyncio.create_task(database.read(first))]
    await asyncio.to_thread(begun.wait, 30)
    waiting += [asyncio.create_task(database.read(fn)) for fn in (rows, broken, rows, rows)]
    await asyncio.sleep(0)
    waiting[-1].cancel()
    writing = asyncio.create_task(
        database.write(lambda connection: connection.execute(receipts.delete()).rowcount)
    )
    behind = asyncio.create_task(database.read(rows))
    await asyncio.sleep(0)
    go_on.set()
    found = await asyncio.gather(*waiting, writing, behind, return_exceptions=True)
    assert [str(one) for one in found] == ["1", "1", "its own affair", "1", "", "1", "0"]
    assert done == [1, 1, 0], "a read that nobody waits for is not made"
    await database.close()


async def test_a_quick_read_does_not_wait_for_slow_ones_behind_it(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")
    begun, go_on = threading.Event(), threading.Event()

    def held(connection: Connection) -> str:
        begun.set()
        assert go_on.wait(30)
        return "held"

    await database.read(lambda connection: None)
    slow = [asyncio.create_task(database.read(held)) for _ in range(2)]
    await asyncio.to_thread(begun.wait, 30)
    assert not slow[0].done()
    go_on.set()
    assert await asyncio.gather(*slow) == ["held", "held"]
    begun.clear(), go_on.clear()
    quick = asyncio.create_task(database.read(lambda connection: time.sleep(PATIENCE * 2)))
    last = asyncio.create_task(database.read(held))
    await asyncio.wait_for(quick, 30)
    assert not last.done()
    go_on.set()
    assert await last == "held"
    await database.close()


async def test_writes_that_wait_together_share_a_commit_and_fail_each_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that fails is undone alone; none is told of before all are committed."""
    monkeypatch.setattr(
        "ade_runtime.storage.database.LONGEST", 60.0
    )  # how quick the machine is does not matter here
    database, other = Database(tmp_path / "state.db"), Database(tmp_path / "state.db")
    await other.read(lambda connection: None)
    begun, go_on = threading.Event(), threading.Event()
    commits: list[str] = []

    def held(connection: Connection) -> None:
        event.listen(connection, "commit", lambda _: commits.append("commit"))
        begun.set()
        assert go_on.wait(30)

    def broken(connection: Connection) -> None:
        add_entry(connection)
        raise LookupError("its own affair")

    waiting = [asyncio.create_task(database.read(held))]
    await asyncio.to_thread(begun.wait, 30)
    waiting += [asyncio.create_task(database.write(fn)) for fn in (add_entry, broken, add_entry, broken)]
    between = asyncio.create_task(database.read(count_entries))
    waiting.append(asyncio.create_task(database.write(add_entry)))
    await asyncio.sleep(0)
    go_on.set()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(one) for one in found] == ["None", "None", "its own affair", "None", "its own affair", "None"]
    assert await between == await other.read(count_entries) == 3
    assert len(commits) == 3, "that of the read before, of all writes, and of the read between"
    await database.close()
    await other.close()


async def test_a_shared_commit_that_fails_fails_every_write_in_it(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")
    begun, go_on = threading.Event(), threading.Event()

    def held(connection: Connection) -> None:
        begun.set()
        assert go_on.wait(30)

    def ended(connection: Connection) -> None:
        """As SQLite ends a transaction by itself where the disk is full."""
        connection.exec_driver_sql("ROLLBACK")
        raise OSError(errno.ENOSPC, "No space left on device")

    waiting = [asyncio.create_task(database.read(held))]
    await asyncio.to_thread(begun.wait, 30)
    waiting += [asyncio.create_task(database.write(fn)) for fn in (add_entry, ended, add_entry)]
    await asyncio.sleep(0)
    go_on.set()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert [getattr(one, "code", None) for one in found] == [None] + ["storage_full"] * 3
    assert await database.read(count_entries) == 0
    await database.write(add_entry)
    assert await database.read(count_entries) == 1
    await database.close()


async def test_a_long_write_keeps_no_other_from_its_commit(tmp_path: Path) -> None:
    """What has worked for long takes no further write with it; those come next, in order."""
    database = Database(tmp_path / "state.db")
    begun, go_on, order = threading.Event(), threading.Event(), []

    def held(connection: Connection) -> None:
        begun.set()
        assert go_on.wait(30)

    def slow(connection: Connection) -> None:
        time.sleep(LONGEST * 2)
        order.append("slow")

    waiting = [asyncio.create_task(database.read(held))]
    await asyncio.to_thread(begun.wait, 30)
    for number in range(3):
        waiting.append(asyncio.create_task(database.write(slow)))
        waiting.append(asyncio.create_task(database.write(lambda _, number=number: order.append(number))))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.wait_for(asyncio.gather(*waiting), 30)
    assert order == ["slow", 0, "slow", 1, "slow", 2]
    await database.close()


async def test_many_writers_take_turns(tmp_path: Path) -> None:
    """Two databases on one file, as a runtime and a headless command are."""
    both = [Database(tmp_path / "state.db") for _ in range(2)]
    await asyncio.gather(*(database.write(add_entry) for database in both for _ in range(20)))
    assert await both[0].read(count_entries) == 40
    for database in both:
        await database.close()


def test_durability_settings(tmp_path: Path) -> None:
    opened = open_database(tmp_path / "state.db")
    with opened.transaction(False) as connection:
        journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
    opened.close()
    full, extra = 2, 3
    expected = ("wal", full) if sqlite3.sqlite_version_info >= (3, 51, 3) else ("delete", extra)
    assert (journal, synchronous) == expected
    assert (tmp_path / "state.db").stat().st_mode & 0o777 == 0o600


def test_migrations_and_metadata_make_the_same_schema(tmp_path: Path) -> None:
    path = tmp_path / "migrated.db"
    path.touch()
    upgrade(path)
    engine = make_engine(path)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    assert HEAD in known_versions()
    open_database(tmp_path / "fresh.db").close()
    assert described(path) == described(tmp_path / "fresh.db")
    downgrade(path, "base")
    assert described(path).keys() == {"alembic_version"}


def described(path: Path) -> dict[str, object]:
    with sqlite3.connect(path) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = {
            name: (
                sorted(connection.execute(f"PRAGMA table_info('{name}')").fetchall()),
                sorted(row[1:] for row in connection.execute(f"PRAGMA index_list('{name}')")),
                sorted(row[2:] for row in connection.execute(f"PRAGMA foreign_key_list('{name}')")),
            )
            for name in names
            if not name.startswith("sqlite_")
        }
    connection.close()
    return dict(tables)


def test_a_crash_while_creating_leaves_no_half_made_file(tmp_path: Path) -> None:
    (tmp_path / "state.db.new").write_bytes(b"half")
    open_database(tmp_path / "state.db").close()
    assert inspect_file(tmp_path / "state.db") == HEAD
    assert not (tmp_path / "state.db.new").exists()


def test_processes_that_start_at_once_make_one_database(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from ade_runtime.storage.engine import open_database
        opened = open_database(Path(sys.argv[1]))
        with opened.transaction(True) as connection:
            connection.exec_driver_sql(
                "INSERT INTO receipts (identity, request_id, action, digest, holder, created_at)"
                " VALUES ('me', ?, 'a', 'd', '1:1', 1)",
                (sys.argv[2],),
            )
        opened.close()
        """
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "state.db"), str(number)])
        for number in range(6)
    ]
    assert [process.wait(timeout=60) for process in started] == [0] * 6
    opened = open_database(tmp_path / "state.db")
    with opened.transaction(False) as connection:
        assert connection.execute(select(receipts.c.request_id)).scalars().all() == list("012345")
    opened.close()


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    database = Database(tmp_path / "file" / "state.db")
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(AdeError) as refusal:
        await database.read(lambda c: None)
    assert refusal.value.code in ("home_unusable", "storage_failed")
    await database.close()
