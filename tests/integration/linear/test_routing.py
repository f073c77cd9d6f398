"""Issues handed on to a chat, a CTO's chat and a run by a real runtime: each hears of its issue once, whoever asks again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support import acp_program
from tests.support.command import Command, command
from tests.support.linear.running import linear
from tests.support.linear.server import LinearStandIn

__all__ = ["linear"]
pytestmark = pytest.mark.timeout(120)
POLICY = """
version: 1
rules:
  - {name: bugs, when: {labels: [bug]}, route: cto, prompt: "Bug {identifier}: {title}"}
  - {name: wishes, when: {labels: [feature]}, route: run, prompt: "Wish {identifier}: {title}"}
otherwise: hold
"""
BUG, WISH = "Bug ENG-2: The search forgets its filter", "Wish ENG-1: Log in with a passkey"


class House:
    """A project whose agents repeat what they are told."""

    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project

    def run(self, *argv: str, **options: Any) -> Any:
        return self.ade.json(*argv, cwd=self.project, **options)

    def linear(self, *argv: str) -> Any:
        return self.run("linear", *argv)

    def heard(self, session: str, words: str) -> int:
        """How often the program of a chat was told these words; it is idle once it has repeated everything."""
        assert self.run("chats", "wait", session, "--seconds", "30")["state"] == "idle"
        found = self.run("chats", "transcript", session)["items"]
        return sum(one["kind"] == "assistant" and words in one["text"] for one in found)

    def item(self, issue: str) -> dict[str, Any]:
        (found,) = [one for one in self.linear("queue-list")["items"] if one["issue"] == issue]
        return dict(found)


@pytest.fixture
def house(tmp_path: Path, linear: LinearStandIn) -> Iterator[House]:
    with command(tmp_path) as ade:
        programs = acp_program.install(tmp_path / "programs", "echoes")
        ade.env["PATH"] = f"{programs}:{ade.env['PATH']}"
        ade.env |= {"LINEAR_API_KEY": linear.key, "ADE_LINEAR_API_URL": linear.address}
        made = House(ade, ade.make_project(tmp_path / "project"))
        made.linear("policy-save", "--policy", POLICY)
        yield made


def test_a_worker_hears_of_its_issue_once(house: House) -> None:
    house.linear("run-now", "--no-route")
    item = house.item("ENG-1")["id"]
    asked = ("route-to-worker", item, "--provider", "gemini")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: house.ade.run("linear", *asked, cwd=house.project), range(3)))
    routed = house.item("ENG-1")
    assert (routed["state"], routed["route"]) == ("routed", "worker")
    assert house.heard(routed["target"], WISH) == 1
    chats = house.run("chats", "list")["items"]
    assert [one["session"] for one in chats] == [routed["target"]]
    shown = house.run("issues", "show", "ENG-1")["issue"]
    assert shown["lane"] == routed["lane"]
    house.linear("queue-resolve", item, "--resolution", "requeue")
    again = house.linear(*asked)
    assert (again["target"], again["lane"]) == (routed["target"], routed["lane"])
    assert house.heard(routed["target"], WISH) == 1
    assert house.run("chats", "list")["total"] == 1


def test_the_cto_and_a_run_hear_of_their_issues_once(house: House, linear: LinearStandIn) -> None:
    chat = house.run(
        *("--role", "cto", "chats", "create", "Hello", "--provider", "gemini", "--chat-role", "cto")
    )["session"]
    first = house.linear("run-now")
    assert {(one["issue"], one["route"]) for one in first["routed"]} == {("ENG-1", "run"), ("ENG-2", "cto")}
    assert first["failed"] == []
    assert house.item("ENG-2")["target"] == chat
    assert house.heard(chat, BUG) == 1
    run = house.item("ENG-1")["target"]
    assert house.run("runs", "show", run)["goal"] == WISH
    house.run("runs", "lead", run, "--provider", "gemini")
    lead = next(one["session"] for one in house.run("chats", "list")["items"] if one["session"] != chat)
    assert house.heard(lead, WISH) == 1
    linear.workspace.update_issue("ENG-1", {})
    linear.workspace.update_issue("ENG-2", {})
    again = house.linear("run-now")
    assert (again["fresh"], again["routed"]) == (2, [])
    for issue in ("ENG-1", "ENG-2"):
        house.linear("queue-resolve", house.item(issue)["id"], "--resolution", "requeue")
    assert len(house.linear("run-now")["routed"]) == 2
    assert house.heard(chat, BUG) == 1, "a message is sent once, too"
    assert house.run("runs", "list")["total"] == 1
    assert house.item("ENG-1")["target"] == run


def test_a_trial_of_a_policy_does_nothing(house: House, linear: LinearStandIn) -> None:
    house.linear("run-now", "--no-route")
    before = json.dumps(
        [house.linear("queue-list"), house.linear("policy-get"), house.linear("ingress-events")]
    )
    tried = house.linear("simulate-route", "ENG-2", "--policy", "version: 1\notherwise: worker\n")
    assert (tried["route"], tried["rule"]) == ("worker", None)
    in_force = house.linear("simulate-route", "ENG-2")
    assert (in_force["route"], in_force["prompt"]) == ("cto", BUG)
    after = json.dumps(
        [house.linear("queue-list"), house.linear("policy-get"), house.linear("ingress-events")]
    )
    assert after == before and linear.workspace.changes == 0
    assert house.run("chats", "list")["total"] == house.run("runs", "list")["total"] == 0
