"""The audit: rows are only added, kept for a while, and read by who may."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.audit import store
from ade_runtime.audit.store import ALL, Allowed, Wanted
from ade_runtime.contracts import AdeError
from ade_runtime.domains.audit import _allowed
from ade_runtime.pipeline.call import Identity
from ade_runtime.storage.database import Database
from ade_runtime.storage.migrations.apply import downgrade, upgrade
from ade_runtime.storage.schema import audit, sessions
from ade_runtime.storage.schema.audit_guard import KEPT_DAYS, KEPT_ROWS, REFUSAL
from ade_runtime.storage.times import to_ms

NOW = datetime.now(UTC)
OLD = NOW - timedelta(days=KEPT_DAYS + 1)


def row(**more: Any) -> dict[str, Any]:
    base = {
        "at": to_ms(NOW),
        "identity": "owner:0",
        "role": "agent",
        "transport": "socket",
        "action": "lane.create",
    }
    return {**base, "effect": "write", "outcome": "ok", "duration_ms": 1, **more}


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(tmp_path / "state.db")
    yield made
    await made.close()


async def add(database: Database, *rows: dict[str, Any]) -> None:
    def write(db: Any) -> None:
        for values in rows:
            store.append(db, **values)

    await database.write(write)


async def read(
    database: Database, allowed: Allowed = ALL, limit: int = 100, before: int | None = None, **asked: Any
) -> Any:
    found, total = await database.read(lambda db: store.page(db, Wanted(**asked), allowed, before, limit))
    return [one.action for one in found[:limit]], total


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET outcome = 'ok'",
        "UPDATE audit SET id = id + 100",
        "DELETE FROM audit",
        "DELETE FROM audit WHERE id = 1",
        "REPLACE INTO audit SELECT * FROM audit WHERE id = 1",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit",
        "INSERT INTO audit SELECT * FROM audit WHERE true ON CONFLICT (id) DO UPDATE SET outcome = 'ok'",
    ],
)
@pytest.mark.parametrize("made", ["fresh", "migrated"])
async def test_rows_are_neither_changed_nor_removed(tmp_path: Path, made: str, statement: str) -> None:
    path = tmp_path / "state.db"
    if made == "migrated":
        path.touch()
        upgrade(path)
    database = Database(path)
    await add(database, row(outcome="policy_denied"), row())
    await database.close()
    with sqlite3.connect(path) as db:
        before = db.execute("SELECT * FROM audit").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match=REFUSAL):
            db.execute(statement)
        assert db.execute("SELECT * FROM audit").fetchall() == before
    db.close()


def test_the_guard_goes_with_its_migration(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.touch()
    upgrade(path)
    downgrade(path, "0008")
    with sqlite3.connect(path) as db:
        names = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'")
        assert names.fetchall() == []
    db.close()


async def test_old_rows_go_and_only_they(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PRUNE_EVERY", 4)
    monkeypatch.setattr(store, "PRUNE_AT_MOST", 2)
    await add(database, *(row(at=to_ms(OLD), action=f"old.{n}") for n in range(3)), row(action="new.1"))
    assert await read(database) == (["new.1", "old.2"], 2), "a few at a time"
    await add(database, *(row(action=f"new.{n}") for n in range(2, 6)))
    assert await read(database) == ([f"new.{n}" for n in range(5, 0, -1)], 5)


async def test_too_many_rows_go_by_number(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are never given twice, so the newest id tells how many there have been."""
    await add(database, row(action="first.one"))
    await database.write(
        lambda db: db.execute(audit.insert().values(**row(action="later.one"), id=KEPT_ROWS + 1))
    )
    monkeypatch.setattr(store, "PRUNE_EVERY", 1)
    await add(database, row(action="last.one"))
    assert await read(database) == (["last.one", "later.one"], 2)


async def test_pages_and_filters(database: Database) -> None:
    await add(
        database,
        row(action="lane.create", project="prj_a", subject="lane_1"),
        row(action="lane.delete", project="prj_b", outcome="lane_not_found"),
        row(action="lane_b.x", identity="session:ses_a"),
        row(action="git.commit", at=to_ms(OLD), outcome="policy_denied"),
    )
    assert await read(database, limit=2) == (["git.commit", "lane_b.x"], 4)
    assert await read(database, limit=2, before=3) == (["lane.delete", "lane.create"], 4)
    for asked, wanted in (
        ({"action": "lane"}, ["lane.delete", "lane.create"]),
        ({"action": "lane.create"}, ["lane.create"]),
        ({"action": "lane.creat"}, []),
        ({"action": "%"}, []),
        ({"identity": "session:ses_a"}, ["lane_b.x"]),
        ({"project": "prj_a"}, ["lane.create"]),
        ({"subject": "lane_1"}, ["lane.create"]),
        ({"outcome": "failed"}, ["git.commit", "lane.delete"]),
        ({"outcome": "policy_denied"}, ["git.commit"]),
        ({"outcome": "ok", "since": NOW - timedelta(1)}, ["lane_b.x", "lane.create"]),
        ({"until": NOW - timedelta(1)}, ["git.commit"]),
    ):
        assert await read(database, **asked) == (wanted, len(wanted)), asked


async def test_more_rows_than_are_counted_have_no_total(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "COUNTED", 3)
    await add(database, *(row() for _ in range(4)))
    assert (await read(database, limit=1))[1] is None
    assert (await read(database, limit=1, action="git"))[1] == 0


async def test_a_session_reads_what_it_and_those_below_it_did(database: Database) -> None:
    parents = {"ses_a": None, "ses_b": "ses_a", "ses_c": "ses_b", "ses_x": None}

    def write(db: Any) -> None:
        for name, parent in parents.items():
            values = {"id": name, "token_hash": name, "role": "agent", "kind": "chat", "parent_id": parent}
            db.execute(
                sessions.insert().values(**values, capability_mode="fallback", standalone=0, started_at=1)
            )

    await database.write(write)
    await add(database, *(row(action=f"{name}.did", identity=f"session:{name}") for name in parents))
    await add(database, row(action="owner.did", project="prj_a"), row(action="other.did", project="prj_b"))
    agent = Identity(
        role="agent", key="session:ses_b", uid=0, session="ses_b", project="prj_a", source="token"
    )
    lead = replace(agent, role="orchestrator", session="ses_x")
    for who, wanted in (
        (agent, {"ses_b.did", "ses_c.did"}),
        (replace(agent, session="ses_c"), {"ses_c.did"}),
        (lead, {"ses_x.did", "owner.did"}),
        (replace(lead, project=None), {"ses_x.did"}),
        (replace(lead, role="cto"), {"ses_x.did", "owner.did"}),
    ):
        actions, total = await read(database, _allowed(who))
        assert (set(actions), total) == (wanted, len(wanted)), who
    for who in (Identity(role="agent", key="owner:0", uid=0), replace(lead, role="cto", project=None)):
        assert (await read(database, _allowed(who)))[1] == 6


async def test_a_denial_is_kept_even_when_its_caller_asks_for_it_to_go(database: Database) -> None:
    await add(database, row(outcome="policy_denied"))
    with pytest.raises((AdeError, Exception), match=REFUSAL):
        await database.write(lambda db: db.execute(audit.delete()))
    assert (await read(database, outcome="policy_denied"))[1] == 1
