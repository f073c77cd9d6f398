"""Chats with the real OpenCode over the Agent Client Protocol, and a scripted model on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.model import Call, Fail, Hold, Model, Say
from tests.support.model.openai_chat import results, tools
from tests.support.opencode import MODEL, opencode_environment
from tests.support.programs import OPENCODE, installed
from tests.support.talk import START_SECONDS, settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(900)]

ASKS = {"permission": {"bash": "ask", "ade_*": "ask"}}


class Talk:
    """A project with lane fix, and a runtime whose OpenCode speaks to ``model``."""

    def __init__(self, ade: Command, project: Path, model: Model) -> None:
        self.ade, self.project, self.model = ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str, *argv: str) -> str:
        made = self.run("chats", "create", "--provider", "opencode", "--lane", "fix", text, *argv)
        session: str = made["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        return settled(self.run, session)

    def entries(self, session: str, *kinds: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] in kinds]

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.run("lanes", "list")["items"]]

    def leases(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.run("mcp", "leases")["items"]
        return [lease for lease in found if lease["state"] == "live"]

    @property
    def lane(self) -> Path:
        return Path(self.run("lanes", "show", "fix")["path"])


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    program = installed(OPENCODE, "opencode").parent
    stack: list[Any] = []

    def make(*answers: Any, **settings: Any) -> Talk:
        server = Model(*answers)
        stack.append(server)
        server.__enter__()
        place = command(tmp_path)
        stack.append(place)
        ade = place.__enter__()
        ade.env |= opencode_environment(
            tmp_path / "opencode", server.url, ade.env["PATH"], program, **settings
        )
        project = ade.make_project(tmp_path / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(ade, project, server)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)


def test_the_model_is_given_the_tools_of_its_role_and_a_lane_exists_afterwards(talk: Any) -> None:
    place = talk(Call("create_lane", {"name": "from the model"}), Say("Made it."))
    session = place.begin("Make a lane", "--model", MODEL)
    chat = place.wait(session)
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling"), chat
    assert place.entries(session, "user", "assistant") == ["Make a lane", "Made it."]
    assert "from the model" in place.lanes()
    listed = place.run("chats", "tools", "--session", session)["items"]
    first = sorted(f"ade_{tool['name']}" for tool in listed if tool["always"])
    assert sorted(name for name in tools(place.model.requests[0]) if name.startswith("ade")) == first
    said = json.dumps(place.model.requests[0]["messages"])
    assert "You work under ADE" in said
    assert "lane fix" in said
    assert "from the model" in results(place.model.requests[-1])[-1]
    (lease,) = place.leases()
    place.run("chats", "end", session)
    assert lease["session"] == session
    assert not place.leases()


def test_what_the_role_may_not_do_is_refused_and_the_model_reads_why(talk: Any) -> None:
    commit = Call("commit_changes", {"lane": "other", "message": "Mine", "allow_empty": True})
    place = talk(commit, Say("Refused."))
    place.run("lanes", "create", "other")
    place.wait(place.begin("Commit in the other lane"))
    error = json.loads(results(place.model.requests[-1])[-1])["error"]
    assert error["code"] == "policy_denied"
    assert error["hint"]


def test_an_approval_is_given_or_refused_from_another_terminal(talk: Any) -> None:
    place = talk(
        Call("create_lane", {"name": "unasked"}),
        Call("bash", {"command": "touch made", "description": "Make a file"}),
        Say("Made."),
        Call("bash", {"command": "touch other", "description": "Make another"}),
        Say("Then not."),
        **ASKS,
    )
    session = place.begin("Make a file")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    assert asked["tool"] == "bash"
    assert "unasked" in place.lanes()
    assert asked["details"]["rawInput"]["command"] == "touch made"
    place.run("chats", "approve", asked["id"])
    assert place.wait(session)["state"] == "idle"
    assert (place.lane / "made").exists()
    place.run("chats", "send", session, "Another")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    place.run("chats", "approve", asked["id"], "--refuse", "--message", "Not today.")
    assert place.wait(session)["state"] == "idle"
    assert not (place.lane / "other").exists()
    place.run("chats", "send", session, "Why not?")
    place.wait(session)
    assert "Not today." in json.dumps(place.model.requests[-1]["messages"])


def test_in_plan_mode_nothing_is_changed(talk: Any) -> None:
    place = talk(
        Call("create_lane", {"name": "planned"}),
        Call("actions_run", {"action": "lane.create", "arguments": {"name": "planned"}}),
        Call("actions_run", {"action": "lane.list", "arguments": {}}),
        Call("bash", {"command": "touch made", "description": "Make a file"}),
    )
    session = place.begin("Plan", "--permission-mode", "plan")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    place.run("chats", "approve", asked["id"], "--refuse")
    assert place.wait(session)["state"] == "idle"
    assert not (place.lane / "made").exists()
    made, run, listed = results(place.model.requests[-1])
    assert json.loads(made)["error"]["code"] == json.loads(run)["error"]["code"] == "plan_mode"
    assert "fix" in listed
    assert place.lanes() == ["primary", "fix"]


def test_an_interrupted_turn_ends_and_the_conversation_goes_on(talk: Any) -> None:
    hold = Hold()
    place = talk(hold, Say("Here again."))
    session = place.begin("Think long")
    assert hold.reached.wait(START_SECONDS)
    assert place.run("chats", "interrupt", session)["state"] == "idle"
    hold.go()
    place.run("chats", "send", session, "And now?")
    assert place.wait(session)["turn"] == 2
    assert place.entries(session, "assistant") == ["Here again."]
    assert "interrupted" in place.entries(session, "ended")[0]
    assert json.dumps(place.model.requests[-1]["messages"]).count("You work under ADE") == 1


def test_a_killed_runtime_leaves_a_readable_chat_and_nothing_is_done_twice(talk: Any) -> None:
    hold = Hold()
    place = talk(Say("Ready."), Call("create_lane", {"name": "once"}), hold, Say("Going on."))
    session = place.begin("Get ready")
    place.wait(session)
    place.run("chats", "send", session, "Make a lane")
    assert hold.reached.wait(START_SECONDS)
    place.run("chats", "send", session, "Then this.")
    place.ade.kill()
    hold.go()
    chat = place.wait(session)
    assert (chat["state"], chat["queued"]) == ("interrupted", 1)
    assert not place.leases()
    place.run("chats", "resume", session)
    assert place.wait(session)["state"] == "idle"
    assert place.entries(session, "assistant") == ["Ready.", "Going on."]
    assert place.lanes() == ["primary", "fix", "once"]
    said = json.dumps(place.model.requests[-1]["messages"])
    heard, _, marked = said.partition("in case it did not reach you")
    assert heard.count("Make a lane") == marked.count("Make a lane") == 1, "again, and marked as such"
    assert "ade_create_lane" in tools(place.model.requests[-1])


def test_what_the_model_or_the_program_refuses_is_told_apart(talk: Any) -> None:
    place = talk(Fail(400, "insufficient_quota", "You exceeded your current quota."))
    chat = place.wait(place.begin("Hello"))
    assert chat["state"] == "exhausted", chat
    chat = place.wait(place.begin("Hello", "--model", "no/such"))
    assert chat["state"] == "failed"
    assert "no/such" in chat["problem"]
