"""Tokens, the log, and which session a chain of processes belongs to."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ade_runtime.machine import ancestry
from ade_runtime.machine.ancestry import Process
from ade_runtime.machine.paths import Paths
from ade_runtime.services import Services
from ade_runtime.sessions import tokens
from ade_runtime.sessions.records import SessionRecord


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = Services(Paths.of_home(tmp_path / "home"))
    made.paths.make_folders()
    yield made
    await made.close()


async def start(
    services: Services, process: Process | None = None, **changes: Any
) -> tuple[SessionRecord, str]:
    facts: dict[str, Any] = {
        "id": "",
        "token_hash": "",
        "role": "agent",
        "kind": "terminal",
        "provider": None,
        "title": None,
        "project": None,
        "lane": None,
        "run": None,
        "chat": None,
        "parent": None,
        "interaction_mode": None,
        "capability_mode": "full_tooling",
        "standalone": False,
        "started_at": services.sessions.now(),
    }
    return await services.sessions.start(SessionRecord(**facts | changes), process)


async def sql(services: Services, statement: str) -> None:
    await services.database.write(lambda db: db.execute(text(statement)))


# -- tokens


def test_tokens_have_256_random_bits_and_are_told_apart() -> None:
    made = {tokens.mint() for _ in range(200)}
    assert len(made) == 200
    assert all(token.startswith(tokens.PREFIX) and len(token) == len(tokens.PREFIX) + 43 for token in made)
    assert len({tokens.digest(token) for token in made}) == 200


@pytest.mark.parametrize("text", ["", "x", "adest", tokens.PREFIX + "a" * 500, "\ud800", "Adest_x"])
def test_what_cannot_be_a_token_has_no_hash(text: str) -> None:
    assert tokens.digest(text) == ""


def test_a_token_with_a_lone_surrogate_is_only_a_wrong_one() -> None:
    assert len(tokens.digest(tokens.PREFIX + "\udc80")) == 64


async def test_the_record_of_a_session_never_shows_its_hash(services: Services) -> None:
    record, token = await start(services)
    assert record.token_hash == tokens.digest(token)
    assert record.token_hash not in repr(record)


# -- the log


async def test_the_log_proves_what_happened(services: Services) -> None:
    first, _ = await start(services, title="one")
    second, _ = await start(services, parent=first.id)
    await services.sessions.end(first.id, "done")
    await services.sessions.end(first.id, "again")
    proof = await services.sessions.prove()
    assert (proof.entries, proof.problems) == (3, ())
    assert await services.sessions.lineage(second.id) == [second.id, first.id]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE sessions SET role = 'cto'", "differs from its entry in role"),
        ("UPDATE sessions SET lane_id = 'lane_x'", "differs from its entry in lane"),
        ("UPDATE sessions SET ended_at = NULL", "ended otherwise"),
        ("DELETE FROM sessions", "is in the log and nowhere else"),
        ("UPDATE session_log SET data = '{}' WHERE id = 1", "entry 1 was changed"),
        ("UPDATE session_log SET at = at + 1 WHERE id = 2", "entry 2 was changed"),
        ("DELETE FROM session_log WHERE id = 1", "entry 2 was changed, or one before it removed"),
        ("DELETE FROM session_log WHERE id = 2", "ended otherwise"),
        ("UPDATE session_log SET hash = 'x' WHERE id = 1", "entry 1 was changed"),
    ],
)
async def test_a_change_of_sessions_or_log_is_found(services: Services, statement: str, problem: str) -> None:
    record, _ = await start(services)
    await services.sessions.end(record.id, None)
    await sql(services, statement)
    assert any(problem in told for told in (await services.sessions.prove()).problems)


# -- how far the log is


async def test_a_home_without_sessions_asks_no_database(services: Services) -> None:
    assert services.sessions.settled() == 0
    assert await services.sessions.position() == 0
    assert not services.paths.database.exists()


async def test_a_change_by_another_process_is_noticed(services: Services, tmp_path: Path) -> None:
    other = Services(Paths.of_home(tmp_path / "home"))
    record, _ = await start(services)
    assert await services.sessions.position() == 1
    await other.sessions.end(record.id, None)
    assert services.sessions.settled() is None or services.sessions.settled() == 2
    assert await services.sessions.position() == 2
    await other.close()


# -- processes


def process(pid: int, *, start: int = 100, parent: int = 1, group: int | None = None) -> Process:
    return Process(pid, start=start, parent=parent, group=pid if group is None else group)


async def found(services: Services, *chain: Process | tuple[Process, str]) -> str | None:
    traced = [one if isinstance(one, tuple) else (one, None) for one in chain]
    record = await services.sessions.around([(one, [token] if token else []) for one, token in traced])
    return None if record is None else record.id


async def test_the_nearest_session_above_counts(services: Services) -> None:
    lead, _ = await start(services, process(10))
    worker, _ = await start(services, process(20), parent=lead.id)
    assert await found(services, process(30), process(20), process(10)) == worker.id
    assert await found(services, process(30), process(10)) == lead.id
    assert await found(services, process(30)) is None


async def test_a_pid_that_was_used_again_is_another_process(services: Services) -> None:
    await start(services, process(10, start=100))
    assert await found(services, process(30), process(10, start=101)) is None


async def test_a_kernel_session_outlives_its_parents(services: Services) -> None:
    lead, _ = await start(services, process(10))
    worker, _ = await start(services, process(20), parent=lead.id)
    orphan = process(30, start=200, group=20)
    assert await found(services, orphan) == worker.id
    assert await found(services, orphan, process(10)) == worker.id, "further down than the reaper above"
    nested, _ = await start(services, process(25, group=20), parent=worker.id)
    assert await found(services, process(30, start=200, group=20), process(25), process(20)) == nested.id
    assert await found(services, process(30, start=50, group=20)) is None, "older than what made it"


async def test_tokens_of_strangers_in_an_environment_count_for_nothing(services: Services) -> None:
    lead, leads = await start(services, process(10))
    worker, workers = await start(services, process(20), parent=lead.id)
    _, strangers = await start(services)
    assert await found(services, (process(30), strangers), process(20)) == worker.id
    assert await found(services, (process(30), leads), process(20), process(10)) == worker.id
    assert await found(services, (process(30), workers), process(10)) == worker.id
    assert await found(services, process(40), (process(30), workers), process(10)) == worker.id


def test_a_chain_too_long_to_follow_is_not_taken_for_the_owners(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    seen = ancestry.look(child.pid)
    assert seen is not None
    assert ancestry.chain_of(child.pid, seen.start).whole
    assert not ancestry.chain_of(child.pid, seen.start + 1).whole, "another process by now"
    monkeypatch.setattr(ancestry, "DEPTH_LIMIT", 2)
    assert not ancestry.chain_of(child.pid, seen.start).whole
    child.communicate(b"\n")
    assert ancestry.chain_of(child.pid, seen.start).processes == ()
