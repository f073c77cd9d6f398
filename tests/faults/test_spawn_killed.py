"""An agent of a run is started once, however its start is cut short: killed after each statement that the database is sent, and
repeated, there is one session, one lane, one edge and one brief."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.storage.soundness import inspect_whole_file
from tests.contract.test_examples import FIXTURES
from tests.integration.runs.staff import BRIEF, GEMINI
from tests.support import acp_program
from tests.support.killing import Killer
from tests.support.sample import Sample, git_environment
from tests.support.ways import InProcess

ACTION = "run.spawn_agent"
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    with Killer() as made:
        yield made


class Ground:
    """A project with a run whose plan is approved, put back as it was before each attempt."""

    def __init__(self, base: Path, killer: Killer) -> None:
        self.base, self.saved, self.killer = base / "ground", base / "saved", killer
        self.base.mkdir()
        programs = acp_program.install(base / "programs", "toolless", "gemini")
        self.env = git_environment(self.base / "user") | {"PATH": f"{programs}:/usr/bin:/bin"}
        self.sample = Sample(self.base, self.env, FIXTURES)
        self.home = self.base / "ade-home"

    async def build(self) -> None:
        self.sample.project.mkdir()
        async with InProcess(self.home, self.sample.project, self.env) as way:
            await self.sample.build(["approved_run"], way.call)
        self.arguments = {
            "run": self.sample.saved["run"],
            "role": "worker",
            "name": "Store",
            "brief": BRIEF,
            "key": "once",
            "model": GEMINI,
        }
        shutil.copytree(self.base, self.saved, symlinks=True)

    def attempt(self, fatal: int | None) -> dict[str, Any]:
        shutil.rmtree(self.base)
        shutil.copytree(self.saved, self.base, symlinks=True)
        return self.killer.perform(
            *(self.home, self.sample.project, self.env, ACTION, self.arguments),
            request_id=None,
            fatal=fatal,
            statements=True,
        )

    async def again(self) -> dict[str, Any]:
        """The same call after a restart, with what it then finds delivered."""
        async with Runtime.open(self.home) as runtime:
            made = await runtime.call(ACTION, self.arguments, cwd=self.sample.project, env=self.env)
            await runtime.services.deliveries.drain()
            await runtime.services.deliveries.drain()
            return made

    async def found(self) -> dict[str, list[Any]]:
        """Everything that agents are made of."""
        from sqlalchemy import select

        from ade_runtime.storage import schema

        run = self.arguments["run"]
        names = ("sessions", "chats", "lanes", "deleted_lanes", "run_receipts", "run_outbox", "chat_messages")
        async with Runtime.open(self.home) as runtime:
            manifest = await runtime.services.runs.manifest(run)
            tables = [getattr(schema, name) for name in names]
            rows = await runtime.services.database.read(
                lambda db: [[dict(row) for row in db.execute(select(one)).mappings()] for one in tables]
            )
        return dict(zip(names, rows, strict=True)) | {
            "agents": [one for one in manifest["agents"] if one["role"] != "lead"],
            "lineage": manifest["lineage"],
        }


@pytest.fixture
async def ground(tmp_path: Path, killer: Killer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Ground]:
    made = Ground(tmp_path, killer)
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "PATH"):
        monkeypatch.setenv(name, made.env[name])
    await made.build()
    yield made


async def check(ground: Ground, told: dict[str, Any], where: str) -> None:
    made = await ground.again()
    found = await ground.found()
    inspect_whole_file(ground.home / "state.db")
    assert [one["session_id"] for one in found["chats"]] == [made["session"]], where
    assert [one["id"] for one in found["sessions"] if one["interaction_mode"] == "worker"] == [
        made["session"]
    ], where
    assert [(one["id"], one["state"]) for one in found["lanes"]] == [(made["lane"], "active")], where
    assert found["deleted_lanes"] == [], where
    assert [(one["state"], one["session"]) for one in found["run_receipts"]] == [
        ("completed", made["session"])
    ], where
    assert [one["child"] for one in found["lineage"]] == [made["session"]], where
    assert [one["sessionId"] for one in found["agents"]] == [made["session"]], where
    assert [(one["kind"], one["state"]) for one in found["run_outbox"]] == [("brief", "delivered")], where
    assert [one["session_id"] for one in found["chat_messages"]] == [made["session"]], where
    if told["answer"] is not None:
        assert made == told["answer"]["output"] | {"deduped": True}, where


async def killed_at(ground: Ground, steps: list[str], number: int) -> None:
    told = ground.attempt(number)
    where = f"{number} of {len(steps)}: {steps[number - 1]}"
    assert told["killed"], where
    await check(ground, told, where)


async def reference(ground: Ground) -> list[str]:
    """The statements of an attempt that lives."""
    whole = ground.attempt(None)
    assert "output" in whole["answer"], whole["answer"]
    await check(ground, whole, "nothing was killed")
    steps: list[str] = whole["steps"]
    return steps


async def test_killed_around_each_commit_and_repeated_it_is_one_agent(ground: Ground) -> None:
    steps = await reference(ground)
    commits = [
        number
        for number, step in enumerate(steps, 1)
        if step == "before COMMIT" and not steps[number - 2].startswith(("SELECT", "PRAGMA"))
    ]
    for number in sorted({*commits, *(number + 1 for number in commits if number < len(steps))}):
        await killed_at(ground, steps, number)


@pytest.mark.stress
async def test_killed_after_each_statement_and_repeated_it_is_one_agent(ground: Ground) -> None:
    steps = await reference(ground)
    for number in range(1, len(steps) + 1):
        await killed_at(ground, steps, number)
