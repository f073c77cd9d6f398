"""A database that is damaged or from the future: refused, left to the byte as it is, with the way back named."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from ade_runtime.contracts import AdeError
from ade_runtime.storage import soundness
from ade_runtime.storage.copies import make_copy
from ade_runtime.storage.database import Database
from ade_runtime.storage.engine import open_database
from ade_runtime.storage.schema import HEAD
from ade_runtime.storage.soundness import inspect_file, inspect_whole_file
from tests.support.command import command

PAGE = 4096


def damage_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(PAGE)
        file.write(os.urandom(PAGE))


def truncate_page(path: Path) -> None:
    os.truncate(path, PAGE)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def text_file(path: Path) -> None:
    path.write_text("shopping list\n" * 100)


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (id)")
    connection.close()


def from_the_future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


HARMS = [
    (damage_page, "storage_corrupt"),
    (truncate_page, "storage_corrupt"),
    (empty, "storage_corrupt"),
    (text_file, "storage_corrupt"),
    (foreign, "storage_corrupt"),
    (from_the_future, "storage_too_new"),
]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(("harm", "code"), HARMS)
async def test_refused_without_being_touched(tmp_path: Path, harm: Callable[[Path], None], code: str) -> None:
    path = tmp_path / "state.db"
    open_database(path).close()
    copy = make_copy(path, HEAD, datetime.now(UTC))
    harm(path)
    before = digest(path)
    database = Database(path)
    for _ in range(2):
        with pytest.raises(AdeError) as refusal:
            await database.read(lambda c: c.execute(text("SELECT 1")))
        assert refusal.value.code == code
        assert refusal.value.exit == 7
        assert str(copy.path) in refusal.value.hint
        assert f"`ade storage restore {copy.path.name}`" in refusal.value.hint
    await database.close()
    assert digest(path) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["backups", "state.db", "state.db.lock"]  # noqa: ASYNC240


@pytest.mark.parametrize(("harm", "code"), HARMS)
def test_d30_over_the_command_and_headless_and_the_way_back(
    tmp_path: Path, harm: Callable[[Path], None], code: str
) -> None:
    with command(tmp_path) as ade:
        ade.json("--headless", "project", "list")
        copy = ade.json("storage", "backup")
        harm(ade.paths.database)
        before = digest(ade.paths.database)
        for ways in ((), ("--headless",)):
            error = ade.error(*ways, "project", "list", exit_code=7)
            assert error["code"] == code
            assert copy["path"] in error["hint"]
            assert "ade storage restore" in error["hint"]
        assert ade.error("storage", "check", exit_code=7)["code"] == code
        assert digest(ade.paths.database) == before
        done = ade.json("storage", "restore")
        assert done["restored"] == copy["path"]
        assert digest(Path(done["kept"])) == before
        assert ade.json("project", "list")["total"] == 0
        assert ade.json("storage", "check")["ok"] is True


def test_without_a_copy_the_hint_says_so(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_text("no database")
    with pytest.raises(AdeError) as refusal:
        open_database(path)
    assert "no copy" in refusal.value.hint
    assert path.read_text() == "no database"


def test_the_check_at_start_is_bounded_and_the_whole_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage beyond what there was time for is found by the whole check; a file cut off is found without looking."""
    path = tmp_path / "state.db"
    open_database(path).close()
    with sqlite3.connect(path) as connection:
        rows = ((str(number), "x" * 3000) for number in range(2000))
        connection.executemany(
            "INSERT INTO receipts (identity, request_id, action, digest, holder, created_at) "
            "VALUES ('me', ?, 'a', ?, 'h', 1)",
            rows,
        )
    connection.close()
    monkeypatch.setattr(soundness, "QUICK_CHECK_LIMIT", 1024)
    with path.open("r+b") as file:
        file.seek(-2 * PAGE, os.SEEK_END)
        file.write(os.urandom(PAGE))
    assert inspect_file(path) == HEAD
    with pytest.raises(AdeError) as refusal:
        inspect_whole_file(path)
    assert refusal.value.code == "storage_corrupt"
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(AdeError) as refusal:
        inspect_file(path)
    assert refusal.value.code == "storage_corrupt"


async def test_a_runtime_left_behind_by_a_migration_writes_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    database = Database(path)
    await database.read(lambda c: None)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE receipts ADD COLUMN later TEXT")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    for use in (database.read, database.write):
        with pytest.raises(AdeError) as refusal:
            await use(lambda c: c.execute(text("SELECT 1")))
        assert refusal.value.code == "storage_too_new"
    await database.close()
