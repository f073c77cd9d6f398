"""What holds for every program alike, asserted at the scripted model: what its tools look like when they arrive, what it reads
of errors and of results that are too long, and what becomes of a tool that is interrupted or whose runtime is killed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.tooling.definitions import all_tools
from ade_runtime.tooling.results import BUDGET
from tests.support.model import Call, Say
from tests.support.talk import PROGRAMS, talk

__all__ = ["talk"]

pytestmark = [pytest.mark.harness, pytest.mark.timeout(300)]

MOST_TOKENS = 3000


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
