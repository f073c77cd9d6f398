"""Agents of a run in a real runtime, with a program that is started: told once whatever is killed, and ended with their run."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client import starts
from ade_runtime.runs import going_on
from tests.contract.test_examples import FIXTURES
from tests.integration.runs.staff import BRIEF, GEMINI
from tests.support import acp_program
from tests.support.command import Command, command

pytestmark = pytest.mark.timeout(240)
SECONDS = 60.0
BROKEN_OFF = going_on.TEXT.partition("{turn}")[0]
OWN_MODEL = GEMINI | {"modelId": "default"}


class Run:
    """An approved run in a runtime of its own."""

    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project
        self.id: str = self.ask("runs", "create", "Login", "--goal", "Passkeys.")["id"]

    def ask(self, *argv: str, **given: Any) -> Any:
        more = ("--input-json", json.dumps(given)) if given else ()
        return self.ade.json(*argv, *more, cwd=self.project)

    def act(self, name: str, /, **given: Any) -> Any:
        return self.ask("actions", "run", f"run.{name}", **({"run": self.id} | given))

    def approve(self) -> None:
        """Perform what brings the fixtures' run to approval."""
        saved: dict[str, Any] = {"run": self.id, "plan": self.act("show")["plan_sha256"]}
        for step in steps_of("approved_run"):
            if step.get("call", "").startswith("run.") and step["call"] != "run.create":
                given = json.loads(fill(json.dumps(step.get("input", {})), saved))
                told = self.ask("actions", "run", step["call"], **given)
                saved |= {alias: told[path] for alias, path in step.get("save", {}).items()}

    def spawn(self, **more: Any) -> dict[str, Any]:
        wanted = {"role": "worker", "name": "Store", "brief": BRIEF, "model": OWN_MODEL} | more
        made: dict[str, Any] = self.act("spawn_agent", **wanted)
        return made

    def said(self, session: str) -> list[str]:
        """What an agent was told, turn after turn."""
        found = self.act("get_agent_transcript", session=session)["items"]
        return [one["text"] for one in found if one["kind"] == "user"]

    def until(self, holds: Callable[[], Any]) -> Any:
        """What holds in the end."""
        end = time.monotonic() + SECONDS
        while not (found := holds()) and time.monotonic() < end:
            time.sleep(0.1)
        assert found
        return found


def steps_of(name: str) -> Iterator[dict[str, Any]]:
    for step in FIXTURES[name]:
        if "use" in step:
            yield from steps_of(step["use"])
        else:
            yield step


def fill(text: str, saved: dict[str, Any]) -> str:
    for alias, value in saved.items():
        text = text.replace(f"${{{alias}}}", str(value))
    return text


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with command(tmp_path) as ade:
        folder = acp_program.install(tmp_path / "programs", "toolless", "gemini")
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        made = Run(ade, ade.make_project(tmp_path / "project"))
        made.approve()
        yield made


def state_of(run: Run, session: str) -> str:
    return next(one["chat"] for one in run.act("agents")["items"] if one["session"] == session)


def test_an_agent_gets_its_brief_and_what_follows_in_order(run: Run) -> None:
    session = run.spawn()["session"]
    for text in ("one", "two"):
        run.act("message_agent", to=session, text=text)
    said = run.until(lambda: said if len(said := run.said(session)) == 3 else None)
    assert "Store passkeys." in said[0]
    assert [text.split("\n\n")[1] for text in said[1:]] == ["one", "two"]
    assert {one["state"] for one in run.act("messages", session=session)["items"]} == {"delivered"}
    run.until(lambda: run.act("agents")["items"][1]["status"] == "running")
    assert not run.act("await_agent", sessions=[session], timeout_ms=0)["done"]


def test_killed_again_and_again_it_is_told_everything_once(run: Run) -> None:
    made = run.spawn(key="store")
    session, texts = made["session"], [f"number {number}" for number in range(6)]
    for number, text in enumerate(texts):
        run.act("message_agent", to=session, text=text, key=text)
        if number % 2:
            run.ade.kill()
            starts.clear(str(run.ade.home))
            assert run.spawn(key="store")["session"] == session
            assert run.act("message_agent", to=session, text=text, key=text)["deduped"]
    with sqlite3.connect(f"file:{run.ade.paths.database}?mode=ro", uri=True) as db:
        query = "SELECT text FROM chat_messages WHERE session_id = ? ORDER BY place"

        def told() -> list[str]:
            """All but the word that a turn was broken off, which is said where a kill met one."""
            said = [row[0] for row in db.execute(query, (session,))]
            return [text for text in said if BROKEN_OFF not in text]

        run.until(lambda: len(told()) > len(texts))
        found = told()
    assert "Store passkeys." in found[0]
    assert [text.split("\n\n")[1] for text in found[1:]] == texts


def test_an_agent_whose_program_breaks_down_has_settled(run: Run) -> None:
    folder = acp_program.install(run.ade.base / "others", "crash", "droid")
    run.ade.env["PATH"] = f"{folder}:{run.ade.env['PATH']}"
    run.ask("runtime", "restart")
    model = OWN_MODEL | {"provider": "droid"}
    session = run.spawn(model=model, name="Form", tag="form")["session"]
    found = run.act("await_agent", sessions=[session], timeout_ms=60_000)
    assert found["done"]
    assert found["settled"][0]["status"] == "blocked"


def test_a_budget_pauses_an_agent_and_the_chat_that_leads_is_told(run: Run) -> None:
    lead = run.act("lead", provider="gemini")["lead"]
    budget = {"maxTokens": None, "maxCostUsd": None, "maxWallClockSeconds": None, "maxTurns": 1}
    session = run.spawn(budget=budget | {"onExceeded": "pause"})["session"]
    told = run.until(lambda: [text for text in run.said(lead) if "1 of 1 turns" in text])
    assert session in told[0]
    run.until(lambda: state_of(run, session) == "paused")
    found = run.act("await_agent", sessions=[session], timeout_ms=0)
    assert found["settled"][0]["why"] == "it was told to wait"


def test_a_cancelled_run_ends_its_chats_and_reverts_their_lanes(run: Run) -> None:
    made = run.spawn()
    session = made["session"]
    run.until(lambda: run.said(session))
    run.act("cancel", work="revert", reason="not needed")
    assert state_of(run, session) == "ended"
    assert not Path(made["path"]).exists()
    assert run.ask("lanes", "list", "--deleted")["total"] == 1
