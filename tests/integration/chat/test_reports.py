"""Faults reported for agents' tools and prompts, each closed over chats as they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.agents.brief import brief
from ade_runtime.chat.providers.codex_tools import declared
from ade_runtime.contracts import AdeError
from ade_runtime.tooling import mcp_server as server
from ade_runtime.tooling.toolbox import Toolbox
from tests.support.work import Work, opened

GUIDANCE = Path(__file__).parents[3] / "ade_generated" / "guidance"
SOURCES = Path(__file__).parents[3] / "specs" / "guidance"


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("First", **{"README.md": "# Sample\n"})
        yield made


async def chat(work: Work, role: str = "agent") -> str:
    made = await work.runtime.call(
        "chat.create", {"role": role}, cwd=work.main.root, env=work.main.env, role=role
    )
    session: str = made["session"]
    return session


def toolbox(work: Work, session: str) -> Toolbox:
    return Toolbox(work.runtime.services, session, cwd=str(work.main.root), env=work.main.env)


# -- who may do what to whom


@pytest.mark.parametrize("role", ["agent", "orchestrator", "cto"])
async def test_fault_4_no_chat_decides_about_itself_and_a_worker_about_no_chat(work: Work, role: str) -> None:
    own, other = await chat(work, role), await chat(work)
    asked = await work.runtime.call(
        "chat.ask", {"session": own, "summary": "Delete the table"}, cwd=work.main.root, role="cto"
    )
    box = toolbox(work, own)
    for name in ("approve_tool_use", "chat.approve"):
        answer = json.loads((await box.call(name, {"approval": asked["id"]})).text)
        assert answer["error"]["code"] == ("policy_denied" if role == "cto" else "unknown_action")
    assert (await work.call("chat.approvals"))["total"] == 1
    if role != "agent":
        return
    for action, more in (
        ("chat.send", {"text": "x", "steer": True}),
        ("chat.interrupt", {}),
        ("chat.end", {}),
        ("chat.archive", {}),
        ("chat.hand_over", {"provider": "codex"}),
        ("chat.settle", {"outcome": "done", "summary": "x"}),
        ("session.end", {}),
    ):
        result = await box.call(action, {"session": other, **more})
        assert result.is_error, action
        assert json.loads(result.text)["error"]["code"] in ("unknown_action", "policy_denied"), action
    assert (await work.call("chat.show", session=other))["state"] == "idle"


# -- one source of guidance


async def test_fault_45_every_text_for_agents_comes_from_one_source(work: Work) -> None:
    lane = await work.lane("fix")
    body = (SOURCES / "body.md").read_text().split("\n- Typed commands", 1)[0].strip()
    shown = await work.call("chat.preview_prompt", lane="fix")
    project = work.runtime.services.projects
    record = await work.runtime.services.lanes.find((await project.all())[0], "fix")
    told = {
        "chat": shown["text"],
        "terminal": brief(record, "Do it.", None).decode(),
        **{name: (GUIDANCE / f"{name}.md").read_text() for name in ("agent", "system_prompt")},
    }
    later = (GUIDANCE / "scheduled_work.md").read_text().strip()
    for name, text in told.items():
        assert text.count(body) == 1, name
        assert text.count(later) == (name in ("chat", "terminal")), name
    assert str(lane.root) in told["chat"] and str(lane.root) in told["terminal"]
    texts = " ".join([*told.values(), *(file.read_text() for file in GUIDANCE.glob("*.md"))])
    assert "chat_settle" not in texts and "chats settle" not in texts, "agents judge their own end badly"


# -- what reaches a model


async def test_agents_7_a_hint_is_inside_the_result(work: Work) -> None:
    box = toolbox(work, await chat(work))
    for name, arguments in (
        ("get_lane_status", {"lane": "nowhere"}),
        ("create_lane", {"nmae": "x"}),
        ("nothing", {}),
    ):
        result = await box.call(name, arguments)
        error = json.loads(result.text)["error"]
        assert error["code"] and error["message"] and error["hint"], name
        told: Any = server._result(result, "both")
        assert told.is_error and told.content[0].text == result.text and told.structured_content is None


async def test_agents_8_both_channels_say_the_same(work: Work) -> None:
    box = toolbox(work, await chat(work))
    for name in ("list_lanes", "git_status", "get_lane_status", "actions_list"):
        result = await box.call(name, {})
        told: Any = server._result(result, "both")
        document = result.text.split("\n")[1] if result.text.startswith("[") else result.text
        assert json.loads(document) == told.structured_content, name
        assert server._result(result, "text").structured_content is None


async def test_agents_9_tools_that_came_later_are_called_by_what_was_there_from_the_start(work: Work) -> None:
    """What a Codex thread was declared stays; so each declaration holds the tools that reach every other."""
    session = await chat(work)
    box = toolbox(work, session)
    (space,) = declared(await box.tools())
    first = {tool["name"] for tool in space["tools"] if not tool["deferLoading"]}
    assert {"actions_search", "actions_describe", "actions_run"} <= first
    assert "actions_run" in space["description"]
    later = next(entry for entry in ACTIONS.values() if entry.id == "lane.list")
    result = await box.call("actions_run", {"action": later.id, "arguments": {}})
    assert not result.is_error and "primary" in result.text
    await work.call("chat.end", session=session)
    gone = await box.call("list_lanes", {})
    assert gone.is_error and "has ended" in json.loads(gone.text)["error"]["hint"]
    with pytest.raises(AdeError):
        await box.tools()
