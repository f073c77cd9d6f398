"""What holds for every program alike, asserted at the scripted model: what its tools look like when they arrive, what it reads
of errors and of results that are too long, and what becomes of a tool that is interrupted or whose runtime is killed."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.tooling.definitions import all_tools
from ade_runtime.tooling.results import BUDGET
from tests.support.codex import DIRECT, codex_environment
from tests.support.codex_wire import Wire
from tests.support.command import Command, command
from tests.support.model import Call, Model, Say, anthropic, openai_chat, openai_responses
from tests.support.opencode import opencode_environment
from tests.support.programs import CACHE, OPENCODE, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(300)]

MOST_TOKENS = 3000
PATIENCE = "55"
Offered = dict[str, tuple[str, dict[str, Any]]]
"""Description and input schema of the tools of ADE that a model was offered, by the name of the tool."""


def of_claude(body: dict[str, Any]) -> Offered:
    return {
        tool["name"].removeprefix("mcp__ade__"): (tool["description"], tool["input_schema"])
        for tool in body["tools"]
        if tool["name"].startswith("mcp__ade__") and not tool.get("defer_loading")
    }


def of_codex(body: dict[str, Any]) -> Offered:
    spaces = [tool for tool in body["tools"] if tool.get("type") == "namespace" and tool["name"] == "ade"]
    return {
        tool["name"]: (tool["description"], tool["parameters"])
        for space in spaces
        for tool in space["tools"]
        if not tool.get("defer_loading")
    }


def of_opencode(body: dict[str, Any]) -> Offered:
    functions = [tool["function"] for tool in body["tools"]]
    return {
        one["name"].removeprefix("ade_"): (one["description"], one["parameters"])
        for one in functions
        if one["name"].startswith("ade_")
    }


@dataclass(frozen=True)
class Program:
    offered: Callable[[dict[str, Any]], Offered]
    results: Callable[[dict[str, Any]], list[str]]


PROGRAMS = {
    "claude": Program(of_claude, anthropic.results),
    "codex": Program(of_codex, openai_responses.results),
    "opencode": Program(of_opencode, openai_chat.results),
}


class Talk:
    """A project with lane fix, and a runtime whose ``provider`` speaks to ``model``."""

    def __init__(self, provider: str, ade: Command, project: Path, model: Model) -> None:
        self.provider, self.ade, self.project, self.model = provider, ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str) -> str:
        made = self.run("chats", "create", "--provider", self.provider, "--lane", "fix", text)
        session: str = made["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        """The chat once no turn runs and none is about to; a busy machine takes minutes to start a program."""
        for _ in range(4):
            found: dict[str, Any] = self.run("chats", "wait", session, "--seconds", PATIENCE)
            if found["state"] != "running" and not (found["state"] == "idle" and found["queued"]):
                break
        return found

    def said(self, session: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] == "assistant"]

    def told(self) -> list[str]:
        """What the model was given back by its tools."""
        return PROGRAMS[self.provider].results(self.model.requests[-1])


def environment(provider: str, base: Path, url: str, path: str) -> dict[str, str]:
    """What a runtime is started with, so that the program speaks to the model at ``url``."""
    if provider == "codex":
        return codex_environment(base / "codex", url, DIRECT, path, Wire(base / "wire").bin)
    if provider == "opencode":
        program = installed(OPENCODE, "opencode").parent
        return opencode_environment(base / "opencode", url, path, program)
    pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}
    return quiet | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "test"}


@pytest.fixture(params=PROGRAMS)
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    """Codex is not held below the temporary folder: its sandbox lets that be written, and does not start from there."""
    base = tmp_path
    if request.param == "codex":
        CACHE.mkdir(parents=True, exist_ok=True)
        base = Path(tempfile.mkdtemp(prefix="s", dir=CACHE)).resolve()
    stack: list[Any] = []

    def make(*answers: Any) -> Talk:
        model, place = Model(*answers), command(base)
        stack.append(model)
        model.__enter__()
        stack.append(place)
        ade = place.__enter__()
        ade.env |= environment(request.param, base, model.url, ade.env["PATH"]) | {
            "TMPDIR": str(base / "tmp")
        }
        (base / "tmp").mkdir()
        project = ade.make_project(base / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(request.param, ade, project, model)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)
    if base != tmp_path:
        shutil.rmtree(base)


def fields(schema: dict[str, Any]) -> dict[str, str]:
    """What a schema says of each field, which is where its limits are told in words."""
    return {name: one.get("description", "") for name, one in schema.get("properties", {}).items()}


def test_the_tools_arrive_as_the_specs_say_and_cost_little(talk: Any) -> None:
    place = talk(Say("Yes."))
    session = place.begin("Hello")
    chat = place.wait(session)
    assert (chat["state"], chat["capability_mode"]) == ("idle", "full_tooling"), chat["problem"]
    offered = PROGRAMS[place.provider].offered(place.model.requests[0])
    listed = place.run("chats", "tools", "--session", session)["items"]
    assert sorted(offered) == sorted(tool["name"] for tool in listed if tool["always"])
    declared = {tool.name: tool for tool in all_tools()}
    for name, (description, schema) in offered.items():
        meant = declared[name].input_schema
        assert declared[name].title in description, name
        assert schema["type"] == "object" and not schema.keys() & {"oneOf", "anyOf", "allOf"}
        assert fields(schema) == fields(meant), name
        assert sorted(schema.get("required", [])) == sorted(meant.get("required", [])), name
    assert len(json.dumps(offered)) // 4 <= MOST_TOKENS
    assert "cto" not in json.dumps(sorted(offered))


def test_an_error_of_a_tool_is_read_with_its_hint_and_a_long_result_is_short(talk: Any) -> None:
    huge = {"path": "huge.txt", "max_bytes": 1048576}
    place = talk(
        Call("create_lane", {"name": "fix"}),
        Call("actions_run", {"action": "file.read", "arguments": huge}),
        Call("actions_run", {"action": "chat.approve", "arguments": {"approval": "apr_none"}}),
        Say("Read."),
    )
    lane = Path(place.run("lanes", "show", "fix")["path"])
    (lane / "huge.txt").write_text("a line of a long file\n" * 250_000)
    session = place.begin("Look")
    assert place.wait(session)["state"] == "idle"
    taken, long, hidden = place.told()
    error = json.loads(taken)["error"]
    assert (error["code"], bool(error["hint"])) == ("lane_name_taken", True)
    assert json.loads(hidden)["error"]["code"] == "unknown_action"
    assert "a line of a long file" in long and "too long" in long
    assert len(long) <= BUDGET + 1024
    assert place.said(session) == ["Read."]


def test_an_interrupt_ends_a_tool_that_waits_and_the_chat_goes_on(talk: Any) -> None:
    ask = {"action": "user.ask", "arguments": {"title": "Which way?", "wait": 500}}
    place = talk(Call("actions_run", ask), Say("Never mind."))
    session = place.begin("Ask")
    place.ade.see("user", "asked", cwd=place.project)
    assert place.run("chats", "interrupt", session)["state"] == "idle"
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["turn"] == 2
    assert place.said(session) == ["Never mind."]


def test_a_runtime_killed_while_a_tool_runs_leaves_a_readable_chat_and_one_lane(talk: Any) -> None:
    ask = {"action": "user.ask", "arguments": {"title": "Which way?", "wait": 500}}
    place = talk(Call("create_lane", {"name": "once"}), Call("actions_run", ask), Say("Going on."))
    session = place.begin("Make a lane, then ask")
    place.ade.see("user", "asked", cwd=place.project)
    place.ade.kill()
    chat = place.wait(session)
    assert chat["state"] == "interrupted" and "half done" in chat["problem"]
    place.run("chats", "send", session, "Go on")
    assert place.wait(session)["state"] == "idle"
    assert len(place.said(session)) == 1, "the program whose runtime ended may have asked its model once more"
    assert [lane["name"] for lane in place.run("lanes", "list")["items"]] == ["primary", "fix", "once"]
