"""Chats with an agent over the Agent Client Protocol that is too old, signed out, crashes, talks nonsense or asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import acp_program
from tests.support.command import Command, command

pytestmark = pytest.mark.timeout(120)


class Talk:
    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, *argv: str) -> str:
        session: str = self.run("chats", "create", "Hello", "--provider", "gemini", *argv)["session"]
        return session

    def install(self, name: str, behaviour: str) -> None:
        """One more program beside the first one."""
        acp_program.install(self.ade.base / "programs", behaviour, name)

    def wait(self, session: str) -> dict[str, Any]:
        found: dict[str, Any] = self.run("chats", "wait", session, "--seconds", "30")
        return found

    def said(self, session: str, kind: str = "assistant") -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] == kind]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    opened: list[Any] = []

    def make(behaviour: str, name: str = "gemini") -> Talk:
        place = command(tmp_path)
        opened.append(place)
        ade = place.__enter__()
        folder = acp_program.install(tmp_path / "programs", behaviour, name)
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        project = ade.make_project(tmp_path / "project")
        return Talk(ade, project)

    yield make
    for one in opened:
        one.__exit__(None, None, None)


def test_a_program_that_ends_at_its_first_start_is_started_once_more(talk: Any) -> None:
    """As one does that finds another of its kind setting up the same folder."""
    place = talk("toolless")
    program = place.ade.base / "programs" / "gemini"
    begun = place.ade.base / "begun"
    first = f"[ -e {begun} ] || {{ touch {begun}; echo locked >&2; exit 1; }}\n"
    program.write_text(program.read_text().replace("exec ", f"{first}exec ", 1))
    assert place.wait(place.begin())["state"] == "idle"


@pytest.mark.parametrize(
    ("behaviour", "state", "why"),
    [
        ("foreign", "missing", "Unknown argument: acp"),
        ("newer", "missing", "speaks revision 2"),
        ("stranger", "failed", "sign in with `gemini`"),
        ("wary", "failed", "untrusted folder"),
        ("crash", "failed", "fatal: out of luck"),
        ("garbage", "failed", "Gemini CLI ended."),
        ("limits", "exhausted", "429: rate limit"),
        ("unfinished", "failed", "too long"),
    ],
)
def test_what_goes_wrong_is_told_apart_and_why(talk: Any, behaviour: str, state: str, why: str) -> None:
    place = talk(behaviour)
    chat = place.wait(place.begin())
    assert chat["state"] == state
    assert why in chat["problem"]
    if behaviour == "foreign":
        assert "npm install" in chat["problem"]


def test_one_that_takes_no_tools_is_held_without(talk: Any) -> None:
    place = talk("toolless")
    chat = place.wait(place.begin())
    assert (chat["state"], chat["capability_mode"]) == ("idle", "fallback")


@pytest.mark.parametrize(
    ("mode", "asked", "answers"),
    [
        ("edit", ["edit", "execute"], "allow_once reject_once allow_once reject_once"),
        ("full-auto", [], "allow_once allow_once allow_once allow_once"),
    ],
)
def test_only_what_its_mode_leaves_open_is_put_to_the_user(
    talk: Any, mode: str, asked: list[str], answers: str
) -> None:
    place = talk("asks")
    session = place.begin("--permission-mode", mode)
    for tool in asked:
        assert place.wait(session)["state"] == "waiting"
        (approval,) = place.run("chats", "approvals")["items"]
        assert approval["tool"] == tool
        place.run("chats", "approve", approval["id"], "--refuse")
    assert place.wait(session)["state"] == "idle"
    assert place.said(session) == [answers]


def test_a_conversation_goes_on_in_a_new_program_and_nothing_is_told_twice(talk: Any) -> None:
    place = talk("recalls")
    session = place.begin("--permission-mode", "plan")
    place.wait(session)
    place.ade.kill()
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["turn"] == 2
    first, second = place.said(session)
    assert "did not come for ADE's tools" in place.said(session, "notice")[0]
    assert first == "initialize session/new session/set_mode=plan session/prompt"
    assert second == "initialize session/load session/set_mode=plan session/prompt"
    assert place.said(session, "thinking") == ["Hm.", "Hm."]


def test_one_that_forgets_says_so(talk: Any) -> None:
    place = talk("forgets")
    session = place.begin()
    place.wait(session)
    place.ade.kill()
    place.run("chats", "send", session, "Go on")
    chat = place.wait(session)
    assert chat["state"] == "failed"
    assert "cannot go on" in chat["problem"]


def test_a_cto_saves_before_another_model_goes_on_and_nobody_else_does(talk: Any) -> None:
    place = talk("toolless")
    place.install("opencode", "toolless")
    chats = {role: place.begin("--role", "cto", "--chat-role", role) for role in ("cto", "agent")}
    for role, session in chats.items():
        assert place.wait(session)["state"] == "idle"
        for provider in ("opencode", "gemini"):
            place.run("chats", "hand-over", session, "--provider", provider)
        told = place.said(session, "user")
        assert told[0] == "Hello"
        assert [text.startswith("(From ADE.)") for text in told[1:]] == ([True] if role == "cto" else [])


def test_a_program_that_is_not_there_is_not_gone_over_to(talk: Any) -> None:
    place = talk("recalls")
    session = place.begin()
    place.wait(session)
    over = ("chats", "hand-over", session, "--provider", "opencode")
    error = place.ade.error(*over, exit_code=7, cwd=place.project)
    assert error["code"] == "chat_program_missing"
    assert "OpenCode is not installed" in error["message"] and "npm install" in error["message"]
    assert "stays with gemini" in error["hint"]
    assert place.run("chats", "show", session)["provider"] == "gemini"
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["turn"] == 2


def test_steering_says_what_became_of_it_where_the_program_takes_nothing_into_a_turn(talk: Any) -> None:
    place = talk("asks")
    session = place.begin()
    assert place.wait(session)["state"] == "waiting"
    steered = place.run("chats", "send", session, "Only the tests", "--steer")
    assert steered["state"] == "queued"
    assert steered["next"].startswith("Gemini CLI takes nothing into a running turn")
    queued = place.run("chats", "send", session, "And then the docs")
    assert queued["next"].startswith("It is said when the running turn is over")
    assert place.run("chats", "cancel-message", session, queued["id"])["next"] == "It is not said any more."


OTHERS = {"droid": ("droid", "FACTORY_API_KEY"), "cursor": ("cursor-agent", "CURSOR_API_KEY")}


def hold(talk: Any, provider: str, behaviour: str | None) -> dict[str, Any]:
    """A chat with another program that behaves so, or that is not there, once its first turn is over."""
    place = talk("recalls") if behaviour is None else talk(behaviour, OTHERS[provider][0])
    session = place.run("chats", "create", "Hello", "--provider", provider)["session"]
    chat: dict[str, Any] = place.wait(session)
    leases = place.run("mcp", "leases")["items"]
    return chat | {"lent": sum(lease["session"] == session for lease in leases)}


@pytest.mark.parametrize("provider", OTHERS)
def test_others_that_are_missing_or_signed_out_say_what_to_do(talk: Any, provider: str) -> None:
    chat = hold(talk, provider, None)
    assert chat["state"] == "missing"
    assert "Install" in chat["problem"]


@pytest.mark.parametrize("provider", OTHERS)
@pytest.mark.parametrize(
    ("behaviour", "state"),
    [("foreign", "missing"), ("newer", "missing"), ("stranger", "failed"), ("limits", "exhausted")],
)
def test_others_that_refuse_are_told_apart(talk: Any, provider: str, behaviour: str, state: str) -> None:
    chat = hold(talk, provider, behaviour)
    assert chat["state"] == state, chat
    if behaviour == "stranger":
        assert OTHERS[provider][1] in chat["problem"]


@pytest.mark.parametrize(("provider", "lent"), [("droid", 1), ("cursor", 0)])
def test_only_droid_is_lent_the_tools_where_it_does_not_say_that_it_takes_them(
    talk: Any, provider: str, lent: int
) -> None:
    chat = hold(talk, provider, "toolless")
    assert (chat["state"], chat["capability_mode"]) == ("idle", "fallback")
    assert chat["lent"] == lent
