"""Chats with the real Claude Code and a scripted model on loopback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.model import Call, Fail, Hold, Model, Say
from tests.support.model.anthropic import results
from tests.support.talk import START_SECONDS, settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")


class Talk:
    """A project with lane fix, and a runtime whose Claude Code speaks to ``model``."""

    def __init__(self, ade: Command, project: Path, model: Model) -> None:
        self.ade, self.project, self.model = ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str, *argv: str) -> str:
        session: str = self.run("chats", "create", "--lane", "fix", text, *argv)["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        return settled(self.run, session)

    def entries(self, session: str, *kinds: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] in kinds]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    stack: list[Any] = []

    def make(*answers: Any) -> Talk:
        model = Model(*answers)
        stack.append(model)
        model.__enter__()
        place = command(tmp_path)
        stack.append(place)
        ade = place.__enter__()
        ade.env |= {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "test",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
        }
        project = ade.make_project(tmp_path / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(ade, project, model)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)


def test_the_model_is_given_the_tools_of_its_role_and_a_lane_exists_afterwards(talk: Any) -> None:
    place = talk(Call("create_lane", {"name": "from the model"}), Say("Made it."))
    session = place.begin("Make a lane")
    chat = place.wait(session)
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling")
    assert place.entries(session, "user", "assistant") == ["Make a lane", "Made it."]
    assert "from the model" in [lane["name"] for lane in place.run("lanes", "list")["items"]]
    shown = place.model.tools()
    assert "mcp__ade__create_lane" in shown
    assert not [name for name in shown if name.startswith("mcp__ade_cto__")]
    listed = place.run("chats", "tools", "--session", session)["items"]
    assert listed[0]["name"] == "actions_search"


def test_the_prompt_names_the_lane_and_the_guidance(talk: Any) -> None:
    place = talk(Say("Yes."))
    assert place.wait(place.begin("Hello"))["problem"] is None
    prompt = json.dumps(place.model.requests[0]["system"]) + json.dumps(place.model.requests[0]["messages"])
    assert "You work under ADE" in prompt
    assert "lane fix" in prompt


OWN_SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("own")


@server.tool()
def tell_word() -> str:
    "Tell the word of the day."
    return "quince"


server.run()
"""


def test_the_users_own_tool_servers_stay_beside_those_of_ade(talk: Any, tmp_path: Path) -> None:
    place = talk(Call("mcp__own__tell_word", {}), Call("create_lane", {"name": "both"}), Say("Both work."))
    script = tmp_path / "own.py"
    script.write_text(OWN_SERVER)
    own = {"type": "stdio", "command": sys.executable, "args": [str(script)], "env": {}}
    home = Path(place.ade.env["HOME"])
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"own": own}}))
    (home / ".claude").mkdir(exist_ok=True)
    allowed = {"permissions": {"allow": ["mcp__own__tell_word"]}}
    (home / ".claude" / "settings.json").write_text(json.dumps(allowed))
    session = place.begin("Use both")
    assert place.wait(session)["state"] == "idle"
    assert any("quince" in text for body in place.model.requests for text in results(body))
    assert "both" in [lane["name"] for lane in place.run("lanes", "list")["items"]]


def test_what_the_role_may_not_do_is_refused_and_the_model_reads_why(talk: Any) -> None:
    place = talk(
        Call("commit_changes", {"lane": "other", "message": "Mine", "allow_empty": True}), Say("Refused.")
    )
    place.run("lanes", "create", "other")
    place.wait(place.begin("Commit in the other lane"))
    error = json.loads(results(place.model.requests[-1])[-1])["error"]
    assert error["code"] == "policy_denied"
    assert error["hint"]


def test_an_approval_is_given_from_another_terminal(talk: Any) -> None:
    place = talk(Call("Bash", {"command": "touch made-by-bash", "description": "Make a file"}), Say("Made."))
    session = place.begin("Make a file")
    assert place.wait(session)["state"] == "waiting"
    (asked,) = place.run("chats", "approvals")["items"]
    assert asked["tool"] == "Bash"
    assert asked["details"]["command"] == "touch made-by-bash"
    place.run("chats", "approve", asked["id"])
    assert place.wait(session)["state"] == "idle"
    lane = place.run("lanes", "show", "fix")["path"]
    assert (Path(lane) / "made-by-bash").exists()


def test_the_programs_own_question_is_answered_from_another_terminal(talk: Any) -> None:
    asked = {
        "question": "Which colour?",
        "header": "Colour",
        "options": [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": "Cold"}],
        "multiSelect": False,
    }
    place = talk(Call("AskUserQuestion", {"questions": [asked]}), Say("Blue it is."))
    session = place.begin("Paint it")
    assert place.wait(session)["state"] == "waiting"
    (question,) = place.run("user", "pending")["items"]
    assert [choice["label"] for choice in question["parts"][0]["choices"]] == ["Red", "Blue"]
    place.run("user", "respond", question["id"], "Blue")
    assert place.wait(session)["state"] == "idle"
    assert "Blue" in results(place.model.requests[-1])[-1]


def test_a_refused_approval_is_read_by_the_model(talk: Any) -> None:
    place = talk(Call("Bash", {"command": "touch no", "description": "x"}), Say("Then not."))
    session = place.begin("Make a file")
    place.wait(session)
    (asked,) = place.run("chats", "approvals")["items"]
    place.run("chats", "approve", asked["id"], "--refuse", "--message", "Not today.")
    assert place.wait(session)["state"] == "idle"
    assert "Not today." in results(place.model.requests[-1])[-1]


def test_a_chat_cannot_approve_what_it_asked_for(talk: Any) -> None:
    approve = Call(
        "actions_run", lambda body: {"action": "chat.approve", "arguments": {"approval": "apr_none"}}
    )
    place = talk(approve, Say("Hm."))
    place.wait(place.begin("Approve"))
    assert json.loads(results(place.model.requests[-1])[-1])["error"]["code"] == "unknown_action"


def test_an_interrupted_turn_ends_and_the_chat_goes_on(talk: Any) -> None:
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


def test_a_used_up_quota_is_told_apart_from_a_failure(talk: Any) -> None:
    place = talk(
        *[Fail(429, "rate_limit_error", "The quota is used up.", {"x-should-retry": "false"})] * 3,
        Say("Better."),
    )
    session = place.begin("Hello")
    chat = place.wait(session)
    assert chat["state"] == "exhausted"
    assert "hand-over" in chat["next"]


def test_a_killed_runtime_leaves_a_readable_chat_and_nothing_is_said_twice(talk: Any) -> None:
    hold = Hold()
    place = talk(hold, Say("Going on."))
    session = place.begin("Think long")
    assert hold.reached.wait(START_SECONDS)
    place.run("chats", "send", session, "Then this.")
    place.ade.kill()
    hold.go()
    chat = place.wait(session)
    assert (chat["state"], chat["queued"]) == ("interrupted", 1)
    place.run("chats", "resume", session)
    assert place.wait(session)["state"] == "idle"
    assert place.entries(session, "user") == ["Think long", "Then this."]
    assert place.entries(session, "assistant") == ["Going on."]
    said = json.dumps(place.model.requests[-1]["messages"])
    assert said.count("Think long") == 1


def test_something_said_into_a_running_turn_reaches_the_model(talk: Any) -> None:
    hold = Hold("First.")
    place = talk(hold, Say("Heard you."))
    session = place.begin("Think long")
    assert hold.reached.wait(START_SECONDS)
    steered = place.run("chats", "send", session, "Also this.", "--steer")
    assert steered["state"] == "delivered"
    hold.go()
    assert place.wait(session)["state"] == "idle"
    assert "Also this." in json.dumps(place.model.requests[-1]["messages"])
    assert place.entries(session, "user") == ["Think long", "Also this."]
