"""ADE's tools as Codex's dynamic tools: declared when a thread starts, and called over its protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from ade_generated.roles import TOOLSETS
from ade_runtime.chat.providers.plan_mode import IN_PLAN_MODE, refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.contracts import JsonObject
    from ade_runtime.tooling.definitions import Tool
    from ade_runtime.tooling.toolbox import Toolbox

LONGEST_NAMESPACE = 64
LONGEST_NAME = 64
LONGEST_SUMMARY = 1024
"""Codex's limits in characters, for a namespace, what it makes of a tool's name, and a namespace's description. One entry
beyond them fails the whole thread."""

FINDING = (
    "Tools not shown here are found with actions_search, explained by actions_describe and called with actions_run. Each "
    "answers with a JSON text; one that did not work holds an error with a code, a message and a hint."
)


def declared(tools: Sequence[Tool]) -> list[JsonObject]:
    """The ``dynamicTools`` of a thread, a namespace for each tool server. They stay as they are for as long as the thread
    lives, so tools that are not always shown are declared, too, to be loaded when they are wanted."""
    found: list[JsonObject] = []
    for server in dict.fromkeys(tool.server for tool in tools):
        found.append(
            {
                "type": "namespace",
                "name": server,
                "description": _summary(server),
                "tools": [_function(tool) for tool in tools if tool.server == server],
            }
        )
    return found


def _summary(server: str) -> str:
    summaries = [toolset.summary for _, toolset in sorted(TOOLSETS.items()) if toolset.server == server]
    return f"ADE: {' '.join(summaries)} {FINDING}"


def _function(tool: Tool) -> JsonObject:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "deferLoading": not tool.always,
    }


async def called(toolbox: Toolbox, mode: PermissionMode, params: JsonObject) -> JsonObject:
    """The answer to ``item/tool/call``. Scripts of the model are not told of ``success``, so the text says it all.

    A call's id is only unique in its turn: some models number theirs."""
    name, arguments = str(params["tool"]), params.get("arguments")
    if not isinstance(arguments, dict):
        arguments = {}
    if mode == "plan" and refused(name, arguments):
        return _answer(
            orjson.dumps({"error": {"code": "plan_mode", "message": IN_PLAN_MODE}}).decode(), False
        )
    result = await toolbox.call(name, arguments, call_id=f"{params['turnId']}:{params['callId']}")
    return _answer(result.text, not result.is_error)


def _answer(text: str, success: bool) -> JsonObject:
    return {"contentItems": [{"type": "inputText", "text": text}], "success": success}
