"""Request ids over the socket and without a runtime: the same call once, its answer again, and nothing kept for ever."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import Idempotency
from ade_runtime.machine.process import mark_of
from ade_runtime.pipeline import receipt
from ade_runtime.services import Clock
from ade_runtime.storage.schema import audit, receipts
from tests.support.command import Command, command
from tests.support.repo import Repo
from tests.support.work import Work, opened


class Shop:
    """A project used through the installed command, over the socket or headless."""

    def __init__(self, ade: Command, base: Path, way: tuple[str, ...]) -> None:
        self.ade = ade
        self.way = way
        self.repo = Repo(base, "shop", env=ade.env)
        self.repo.commit_files("Start", {"README.md": "# Shop\n"})
        ade.json("project", "add", str(self.repo.root))

    def run(self, *argv: str) -> Any:
        return self.ade.json(*self.way, *argv, cwd=self.repo.root)

    def refused(self, *argv: str, exit_code: int) -> Any:
        return self.ade.error(*self.way, *argv, exit_code=exit_code, cwd=self.repo.root)

    def rows(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.ade.paths.database)) as connection, connection:
            return list(connection.execute(statement, values))


@pytest.fixture(params=[(), ("--headless",)], ids=["socket", "headless"])
def shop(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shop]:
    with command(tmp_path) as ade:
        yield Shop(ade, tmp_path, request.param)


def test_the_answer_is_given_again(shop: Shop) -> None:
    create = ("lanes", "create", "fix", "--request-id", "r")
    assert shop.run(*create) == shop.run(*create)
    assert shop.run("lanes", "list")["total"] == 2
    commit = ("git", "commit", "--allow-empty", "-m", "Mine", "--lane", "fix", "--request-id", "c")
    assert shop.run(*commit) == shop.run(*commit)
    assert shop.repo.git("rev-list", "--count", "main..ade/fix") == "1"
    delete = ("lanes", "delete", "fix", "--discard", "unpublished", "--request-id", "d")
    assert shop.run(*delete) == shop.run(*delete)
    undelete = ("lanes", "undelete", "fix", "--request-id", "u")
    assert shop.run(*undelete) == shop.run(*undelete)
    done = shop.rows("SELECT action FROM audit WHERE outcome = 'ok' AND request_id IS NOT NULL ORDER BY id")
    assert done == [("lane.create",), ("git.commit",), ("lane.delete",), ("lane.undelete",)]


def test_ways_share_their_receipts(shop: Shop) -> None:
    create = ("lanes", "create", "fix", "--request-id", "r")
    made = shop.run(*create)
    assert shop.ade.json(*create, cwd=shop.repo.root) == made
    assert shop.ade.json("--headless", *create, cwd=shop.repo.root) == made


def test_the_same_id_for_another_call(shop: Shop) -> None:
    shop.run("lanes", "create", "fix", "--request-id", "r")
    error = shop.refused("lanes", "create", "other", "--request-id", "r", exit_code=5)
    assert error["code"] == "request_id_conflict"
    error = shop.refused("lanes", "delete", "fix", "--request-id", "r", exit_code=5)
    assert error["code"] == "request_id_conflict"
    assert shop.run("lanes", "list")["total"] == 2


def test_d12_what_never_began_stores_nothing(shop: Shop) -> None:
    error = shop.refused(
        "actions", "run", "lane.create", "--input-json", '{"name": ""}', "--request-id", "r", exit_code=2
    )
    assert error["code"] == "invalid_arguments"
    assert shop.rows("SELECT * FROM receipts") == []
    assert shop.run("lanes", "create", "fix", "--request-id", "r")["name"] == "fix"


def test_what_failed_stores_nothing(shop: Shop) -> None:
    shop.run("lanes", "create", "fix")
    error = shop.refused("lanes", "create", "fix", "--request-id", "r", exit_code=5)
    assert error["code"] == "lane_name_taken"
    assert shop.rows("SELECT * FROM receipts") == []


def test_in_progress_while_the_holder_lives(shop: Shop) -> None:
    """In whichever process: here one that never ends by itself."""
    create = ("lanes", "create", "fix", "--request-id", "r")
    shop.run(*create)
    holder = subprocess.Popen(["sleep", "60"])
    try:
        shop.rows("UPDATE receipts SET output = NULL, holder = ?", mark_of(holder.pid))
        error = shop.refused(*create, exit_code=5)
        assert error["code"] == "request_in_progress"
    finally:
        holder.kill()
        holder.wait()
    error = shop.refused(*create, exit_code=5)
    assert error["code"] == "lane_name_taken", "nothing was claimed, so it is simply made again"


def test_kill_between_effect_and_answer(shop: Shop) -> None:
    """The lane was claimed by the call, so the repetition recognises it."""
    create = ("lanes", "create", "fix", "--request-id", "r")
    lane = shop.run(*create)
    shop.rows("UPDATE receipts SET output = NULL, holder = '1:1', claim = ?", f'{{"lane": "{lane["id"]}"}}')
    again = shop.run(*create)
    assert (again["id"], again["created_at"]) == (lane["id"], lane["created_at"])
    assert shop.rows("SELECT output IS NULL, claim FROM receipts") == [(0, None)]


def test_a_killed_runtime_and_the_same_request(tmp_path: Path) -> None:
    """A real runtime is killed in the middle of a checkout; the client, which got no answer, asks again."""
    with command(tmp_path) as ade:
        shop = Shop(ade, tmp_path, ())
        begun, gate = tmp_path / "begun", tmp_path / "gate"
        os.mkfifo(begun)
        os.mkfifo(gate)
        shop.repo.write(".gitattributes", "*.slow filter=slow\n")
        shop.repo.commit("Slow", **{"a.slow": "x"})
        shop.repo.git(
            "config",
            "filter.slow.smudge",
            f'test -p "{gate}" || exec cat; echo > "{begun}"; read x < "{gate}"; cat',
        )
        create = ("lanes", "create", "fix", "--request-id", "r")
        told = os.open(begun, os.O_RDWR)  # so that nobody waits for a reader, however often the filter runs
        client = ade.start(*create, "--json", cwd=shop.repo.root)
        os.read(told, 1)
        pid = ade.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        ade.wait_for_end()
        release = os.open(gate, os.O_RDWR)
        os.write(release, b"\n")
        gate.unlink()
        client.communicate(timeout=60)
        made = shop.run(*create)
        assert made["name"] == "fix"
        assert shop.run("lanes", "list")["total"] == 2
        assert list((ade.home / "tmp").glob("of-*/*")) == []
        os.close(release)
        os.close(told)


# -- in this process


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        yield work


async def requested(work: Work, request_id: str, action: str, **arguments: Any) -> dict[str, Any]:
    return await work.runtime.call(
        action, arguments, cwd=work.main.root, env=work.main.env, request_id=request_id
    )


async def counted(work: Work, table: Any) -> int:
    count = select(func.count()).select_from(table)
    return int(await work.runtime.services.database.read(lambda db: db.execute(count).scalar_one()))


class Later(Clock):
    def __init__(self, days: float) -> None:
        self.days = days

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=self.days)


async def test_after_a_week_an_id_is_a_new_one(work: Work) -> None:
    await requested(work, "r", "lane.create", name="fix")
    work.runtime.services.clock = Later(6.9)
    assert (await requested(work, "r", "lane.create", name="fix"))["name"] == "fix"
    work.runtime.services.clock = Later(7.1)
    with pytest.raises(errors.LaneNameTaken):
        await requested(work, "r", "lane.create", name="fix")


async def test_receipts_do_not_grow_without_bound(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipt, "KEPT_ROWS", 20)
    row = {"identity": "i", "action": "a", "digest": "d", "holder": "1:1", "output": "{}"}

    def fill(db: Any) -> None:
        rows = [{**row, "request_id": str(number), "created_at": number} for number in range(100)]
        db.execute(insert(receipts), rows)
        db.execute(insert(receipts).values({**row, "request_id": "runs", "created_at": 0, "output": None}))
        receipt.forget_expired(db, 1000)

    await work.runtime.services.database.write(fill)
    assert await counted(work, receipts) == 21, "the newest, and one without an answer"


async def test_effect_answer_and_audit_are_written_at_once(work: Work) -> None:
    """For every action whose effect is a row: what one transaction holds when it has just made the row."""
    await requested(work, "c", "lane.create", name="fix")
    await requested(work, "d", "lane.delete", lane="fix")
    await requested(work, "u", "lane.undelete", lane="fix")
    await requested(work, "p", "project.create", path=str(work.main.root) + "-new")
    database = work.runtime.services.database
    asked = select(audit.c.request_id, audit.c.outcome).where(audit.c.request_id.is_not(None))
    rows = await database.read(lambda db: db.execute(asked.order_by(audit.c.id)).all())
    assert [tuple(row) for row in rows] == [(name, "ok") for name in "cdup"]
    assert await counted(work, receipts) == 4


async def test_a_call_that_is_cancelled_while_it_is_reserved_blocks_nobody(work: Work) -> None:
    task = asyncio.ensure_future(requested(work, "r", "lane.create", name="fix"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await requested(work, "r", "lane.create", name="fix"))["name"] == "fix"


async def test_an_answer_that_could_not_be_written_is_not_in_progress_for_ever(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when the commit is made: neither its receipt nor the end of it can be stored."""
    await requested(work, "l", "lane.create", name="fix")
    database = work.runtime.services.database
    write, allowed = database.write, [2]

    async def full(fn: Any) -> Any:
        if not allowed[0]:
            raise errors.StorageFull(path="state.db")
        allowed[0] -= 1
        return await write(fn)

    commit = {"lane": "fix", "message": "Mine", "allow_empty": True}
    monkeypatch.setattr(database, "write", full)
    with pytest.raises(errors.StorageFull):
        await requested(work, "r", "git.commit", **commit)
    allowed[0] = 100
    made = await requested(work, "r", "git.commit", **commit)
    assert made["subject"] == "Mine"
    assert work.main.git("rev-list", "--count", "main..ade/fix") == "1"


def test_an_entry_without_receipts_takes_no_request_id() -> None:
    entry = dataclasses.replace(ACTIONS["lane.create"], idempotency=Idempotency.NATURAL)
    assert not receipt.wanted(entry, "r")
    assert receipt.wanted(ACTIONS["lane.create"], "r")
