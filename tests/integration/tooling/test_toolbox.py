"""The tools of a session: what its model is shown, and what it reads when it calls one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.client.in_process import Runtime
from ade_runtime.tooling import results
from ade_runtime.tooling.definitions import all_tools
from ade_runtime.tooling.toolbox import Toolbox
from tests.support.sample import git_environment


def git(project: Path, env: dict[str, str], *argv: str) -> str:
    """What git prints."""
    return subprocess.run(
        ["git", *argv], cwd=project, env=env, check=True, capture_output=True, text=True
    ).stdout


class Desk:
    """A project, and sessions in it."""

    def __init__(self, runtime: Runtime, project: Path, env: dict[str, str]) -> None:
        self.runtime, self.project, self.env = runtime, project, env

    async def session(self, **given: Any) -> str:
        answer = await self.runtime.call(
            "session.start", {"kind": "chat", "title": "Work", **given}, project=self.project, role="cto"
        )
        session: str = answer["session"]["id"]
        return session

    def toolbox(self, session: str) -> Toolbox:
        return Toolbox(self.runtime.services, session, cwd=str(self.project), env=self.env)


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    project = tmp_path / "project"
    project.mkdir()
    for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        git(project, env, *argv)
    async with Runtime.open(tmp_path / "home") as runtime:
        await runtime.call("project.add", {"path": str(project)})
        yield Desk(runtime, project, env)


def test_every_action_is_a_tool_and_the_first_are_those_of_the_specs() -> None:
    tools = all_tools()
    assert {tool.action for tool in tools} == set(ACTIONS)
    always = TOOLSETS["base"].always
    assert tuple(tool.action for tool in tools if tool.always and tool.server == "ade") == always
    assert list(tools) == sorted(tools, key=lambda tool: not tool.always)


async def test_a_call_does_the_work_and_both_channels_say_the_same(desk: Desk) -> None:
    toolbox = desk.toolbox(await desk.session(role="agent"))
    result = await toolbox.call("create_lane", {"name": "fix login"})
    assert not result.is_error
    assert result.structured is not None
    assert json.loads(result.text) == result.structured
    assert result.structured["branch"] in git(desk.project, desk.env, "branch", "--list", "ade/*")


async def test_a_model_is_shown_what_its_role_may_see(desk: Desk) -> None:
    agent = {tool.server for tool in await desk.toolbox(await desk.session(role="agent")).tools()}
    cto = {tool.server for tool in await desk.toolbox(await desk.session(role="cto")).tools()}
    assert agent == {"ade"}
    assert cto >= {"ade", "ade_cto"}


async def test_errors_are_texts_with_a_code_and_the_way_on(desk: Desk) -> None:
    toolbox = desk.toolbox(await desk.session(role="agent"))
    for name, arguments, code in (
        ("create_lane", {"name": ""}, "invalid_arguments"),
        ("no_such_tool", {}, "unknown_action"),
        ("git_status", {"lane": "nowhere"}, "lane_not_found"),
    ):
        result = await toolbox.call(name, arguments)
        error = json.loads(result.text)["error"]
        assert result.is_error
        assert result.structured is None
        assert error["code"] == code
        assert error["hint"]


async def test_a_session_that_ended_may_do_nothing_more(desk: Desk) -> None:
    session = await desk.session(role="agent")
    toolbox = desk.toolbox(session)
    await desk.runtime.call("session.end", {"session": session})
    result = await toolbox.call("list_lanes", {})
    assert json.loads(result.text)["error"]["code"] == "policy_denied"


async def test_a_call_that_comes_again_is_answered_and_not_done_again(desk: Desk) -> None:
    toolbox = desk.toolbox(await desk.session(role="agent"))
    first = await toolbox.call("create_lane", {"name": "once"}, call_id="toolu_1")
    again = await toolbox.call("create_lane", {"name": "once"}, call_id="toolu_1")
    other = await toolbox.call("create_lane", {"name": "once"}, call_id="toolu_2")
    assert first == again
    assert json.loads(other.text)["error"]["code"] == "lane_name_taken"


async def test_a_long_list_is_asked_for_again_with_fewer_items(desk: Desk) -> None:
    toolbox = desk.toolbox(await desk.session(role="agent"))
    result = await toolbox.call("actions_list", {"schemas": True})
    assert result.structured is not None
    assert len(result.text) <= results.BUDGET * 1.5
    assert len(result.structured["items"]) < result.structured["total"]
    rest = await toolbox.call(
        "actions_list", {"schemas": True, "cursor": result.structured["next"], "limit": 1}
    )
    assert rest.structured is not None
    assert rest.structured["items"][0]["id"] > result.structured["items"][-1]["id"]


def test_long_texts_are_cut_and_it_is_said_on_both_ends() -> None:
    result = results.success({"patch": "x" * 50_000, "name": "n" * 150})
    first, document, last = result.text.split("\n")
    assert first == last
    assert "50" in first
    assert len(document) <= results.BUDGET
    assert result.structured is not None
    assert result.structured["name"] == "n" * 150
    assert json.loads(document) == result.structured


def test_nothing_that_ends_a_session_is_passed_on() -> None:
    result = results.success({"file": "a\udce9b", "log": "\x1b[31mred\x07", "bidi\u202e": 1})
    assert result.text.encode()
    assert "\x1b" not in json.loads(result.text)["log"]
    assert "\\udce9" in json.loads(result.text)["file"]
