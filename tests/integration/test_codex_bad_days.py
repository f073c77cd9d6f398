"""Chats whose Codex is old, overloaded, crashes, talks nonsense or asks unusual things."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import codex_program
from tests.support.command import Command, command

pytestmark = pytest.mark.timeout(120)


class Talk:
    def __init__(self, ade: Command, project: Path, folder: Path) -> None:
        self.ade, self.project, self.folder = ade, project, folder

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, *argv: str) -> str:
        session: str = self.run("chats", "create", "Hello", "--provider", "codex", *argv)["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        found: dict[str, Any] = self.run("chats", "wait", session, "--seconds", "30")
        return found

    def said(self, session: str) -> str:
        found = self.run("chats", "transcript", session)["items"]
        return "".join(entry["text"] for entry in found if entry["kind"] == "assistant")


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended may wait for its parent."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[[str], Talk]]:
    opened: list[Any] = []

    def make(behaviour: str) -> Talk:
        place = command(tmp_path)
        opened.append(place)
        ade = place.__enter__()
        folder = codex_program.install(tmp_path / "programs", behaviour)
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        project = ade.make_project(tmp_path / "project")
        return Talk(ade, project, folder)

    yield make
    for one in opened:
        one.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("behaviour", "why"), [("old", "unrecognized subcommand"), ("ancient", "version 0.90")]
)
def test_one_that_is_too_old_is_missing(talk: Any, behaviour: str, why: str) -> None:
    place = talk(behaviour)
    chat = place.wait(place.begin())
    assert chat["state"] == "missing"
    assert "0.171 or newer" in chat["problem"]
    assert why in chat["problem"]
    assert "npm install" in chat["problem"]
    assert chat["queued"] == 1


def test_an_overloaded_one_is_asked_again(talk: Any) -> None:
    place = talk("overloaded")
    session = place.begin()
    assert place.wait(session)["state"] == "idle"
    assert place.said(session) == "Begun at attempt 3."


def test_the_last_words_of_one_that_crashes_are_told(talk: Any) -> None:
    place = talk("crash")
    session = place.begin()
    chat = place.wait(session)
    assert chat["state"] == "failed"
    assert "panicked: out of luck" in chat["problem"]
    assert chat["queued"] == 0


def test_one_that_talks_nonsense_has_failed(talk: Any) -> None:
    place = talk("garbage")
    assert place.wait(place.begin())["state"] == "failed"


def test_a_used_up_quota_says_until_when(talk: Any) -> None:
    place = talk("limits")
    chat = place.wait(place.begin())
    assert (chat["state"], chat["problem"]) == ("exhausted", "Used up.")
    assert chat["retry_at"] is not None


def test_permissions_and_forms_of_other_tool_servers_are_put_to_the_user(talk: Any) -> None:
    place = talk("questions")
    session = place.begin()
    for tool in ("permissions", "paints"):
        assert place.wait(session)["state"] == "waiting"
        (asked,) = place.run("chats", "approvals")["items"]
        assert asked["tool"] == tool
        place.run("chats", "approve", asked["id"])
    assert place.wait(session)["state"] == "waiting"
    (question,) = place.run("user", "pending")["items"]
    values = ("blue", "3", "yes")
    answers = [{"id": part["id"], "values": [v]} for part, v in zip(question["parts"], values, strict=True)]
    place.run("user", "respond", question["id"], "--arg-json", f"answers={json.dumps(answers)}")
    assert place.wait(session)["state"] == "idle"
    permissions, bare, form, unknown = json.loads(place.said(session))
    assert permissions == {"permissions": {"network": {"enabled": True}}, "scope": "turn"}
    assert bare == {"action": "accept", "content": {}}
    assert form == {"action": "accept", "content": {"colour": "blue", "count": 3, "sure": True}}
    assert unknown["code"] == -32601


def test_one_that_will_not_end_is_ended_with_its_children(talk: Any) -> None:
    place = talk("stubborn")
    session = place.begin()
    assert place.wait(session)["state"] == "idle"
    pids = [int(pid) for pid in (place.folder / "pids").read_text().split()]
    place.run("chats", "end", session)
    assert [pid for pid in pids if alive(pid)] == []
