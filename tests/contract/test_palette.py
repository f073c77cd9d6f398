"""What a model is shown before it asks for anything costs at most 3,000 tokens, whoever it is and however it is told.

A token is taken as four bytes of compact JSON, which is near what common models count for schemas in English. Counted is what
clients hand on to their model: names, descriptions and input schemas; hints for the client itself are not.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import ROLES
from ade_runtime.chat.providers.codex_tools import declared
from ade_runtime.pipeline.call import Caller, Identity
from ade_runtime.pipeline.visibility import Visibility
from ade_runtime.tooling.definitions import Tool, all_tools
from ade_runtime.tooling.mcp_server import INSTRUCTIONS, mcp_server
from ade_runtime.tooling.shapes import Palette

MOST_TOKENS = 3000
MODES = (None, "planning", "lead", "worker", "validator")
CAPABILITIES = {name for entry in ACTIONS.values() for name in entry.requires}
READERS = [(role, mode) for role in ROLES for mode in MODES]


def seen_by(role: str, mode: Any) -> list[Tool]:
    """The tools of a session, on a machine that can do everything."""
    identity = Identity(role=role, key="session:x", uid=0, session="ses_x", mode=mode)
    caller = Caller(transport="in_process", cwd=None, project=None, lane=None)
    visible = {entry.id for entry in Visibility(ACTIONS, CAPABILITIES).visible(identity, caller)}
    return [tool for tool in all_tools() if tool.action in visible]


class Box:
    """A toolbox that only lists."""

    def __init__(self, tools: list[Tool]) -> None:
        self._tools = tools

    async def tools(self) -> list[Tool]:
        return self._tools


async def listed(tools: list[Tool], palette: Palette, server: str, whole: bool) -> list[Any]:
    """What the server of the protocol lists."""
    made = mcp_server(Box(tools), name=server, palette=palette, whole=whole)  # type: ignore[arg-type]
    handler = made.get_request_handler("tools/list")
    assert handler is not None
    answer: Any = await handler.handler(None, None)  # type: ignore[arg-type]
    return list(answer.tools)


def tokens(document: Any) -> int:
    return len(orjson.dumps(document)) // 4


@pytest.mark.parametrize(("role", "mode"), READERS)
async def test_claude_in_process(role: str, mode: Any) -> None:
    tools = seen_by(role, mode)
    shown = [
        {
            "name": f"mcp__{server}__{tool.name}",
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        for server in dict.fromkeys(tool.server for tool in tools)
        for tool in await listed(tools, "all", server, False)
        if (tool.meta or {}).get("anthropic/alwaysLoad")
    ]
    assert shown
    assert tokens(shown) <= MOST_TOKENS, {one["name"]: tokens(one) for one in shown}


@pytest.mark.parametrize(("role", "mode"), READERS)
def test_codex_with_dynamic_tools(role: str, mode: Any) -> None:
    spaces = [
        {**space, "tools": [tool for tool in space["tools"] if not tool["deferLoading"]]}
        for space in declared(seen_by(role, mode))
    ]
    assert tokens(spaces) <= MOST_TOKENS


@pytest.mark.parametrize(("role", "mode"), READERS)
async def test_the_list_of_the_protocol(role: str, mode: Any) -> None:
    shown: list[Any] = [INSTRUCTIONS]
    for tool in await listed(seen_by(role, mode), "first", "ade", True):
        shown.append({"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema})
    assert tokens(shown) <= MOST_TOKENS


def test_what_is_not_shown_is_found() -> None:
    """Every reader has the three tools by which the others are found and called."""
    for role, mode in READERS:
        first = {tool.action for tool in seen_by(role, mode) if tool.always}
        assert {"actions.search", "actions.describe", "actions.run"} <= first, (role, mode)
