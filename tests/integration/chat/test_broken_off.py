"""Chats whose runtime was killed: what was said to them is heard, and nothing that runs is taken for what was left."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import acp_program
from tests.support.command import Command, command

pytestmark = pytest.mark.timeout(120)
HOLD = "Hold on."
SECONDS = 60.0


class Talk:
    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str) -> str:
        session: str = self.run("chats", "create", text, "--provider", "gemini")["session"]
        return session

    def wait(self, session: str) -> Any:
        return self.run("chats", "wait", session, "--seconds", "30")

    def said(self, session: str, kind: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] == kind]

    def until(self, holds: Callable[[], Any]) -> None:
        end = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with command(tmp_path) as ade:
        folder = acp_program.install(tmp_path / "programs", "echoes")
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        yield Talk(ade, ade.make_project(tmp_path / "project"))


def test_what_is_said_right_after_a_kill_is_heard_with_what_was_said_before_it(talk: Talk) -> None:
    session = talk.begin(HOLD)
    talk.until(lambda: talk.said(session, "thinking"))
    talk.ade.kill()
    talk.run("chats", "send", session, "Go on.")
    talk.until(lambda: len(talk.said(session, "user")) == 2)
    assert talk.wait(session)["state"] == "idle"
    assert talk.said(session, "user") == [HOLD, "Go on."]
    heard = talk.said(session, "assistant")[-1]
    assert f"User: {HOLD}" in heard
    assert heard.endswith("Go on.")
    talk.run("chats", "send", session, "And now?")
    talk.until(lambda: len(talk.said(session, "user")) == 3)
    talk.wait(session)
    assert talk.said(session, "assistant")[-1] == "And now?"


def test_a_turn_that_begins_before_the_runtime_has_taken_up_what_was_left_goes_on(talk: Talk) -> None:
    session = talk.begin("Hello.")
    assert talk.wait(session)["state"] == "idle"
    talk.ade.kill()
    talk.run("chats", "send", session, HOLD)
    talk.until(lambda: len(talk.said(session, "thinking")) == 2)
    assert talk.run("chats", "show", session)["state"] == "running"
    talk.run("chats", "interrupt", session)
    assert talk.said(session, "ended") == ["completed", "interrupted"]


def programs(home: Path) -> list[psutil.Process]:
    """What runs for chats of this home, oldest first."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            given = process.environ()
            if given.get("ADE_HOME") == str(home) and "ADE_CHAT_SESSION_ID" in given:
                found.append(process)
    return sorted(found, key=lambda one: one.create_time())


def test_a_program_that_outlives_its_runtime_is_ended_before_another_is_started(talk: Talk) -> None:
    session = talk.begin("Cling, and hold on.")
    talk.until(lambda: talk.said(session, "thinking"))
    (left,) = programs(talk.ade.home)
    talk.ade.kill()
    assert left.is_running()
    talk.run("chats", "send", session, HOLD)
    talk.until(lambda: len(talk.said(session, "thinking")) == 2)
    (there,) = programs(talk.ade.home)
    assert there != left
    talk.run("chats", "interrupt", session)
