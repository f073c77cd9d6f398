"""A toolbox as a server of the Model Context Protocol, for whatever carries its messages.

The low-level server of the ``mcp`` package speaks every revision of the protocol; what it does not do is left to the toolbox:
arguments are checked there, and what goes wrong is a result that the model can read, never a protocol error.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

import mcp_types as types
from mcp.server.lowlevel import Server

from ade_runtime.machine.facts import package_version

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ade_runtime.pipeline.call import Progress
    from ade_runtime.tooling.definitions import Tool
    from ade_runtime.tooling.results import ToolResult
    from ade_runtime.tooling.toolbox import Toolbox

Shape = Literal["text", "both"]
"""Whether results have text alone or the structured part, too. Some clients show their model one, some the other; both hold
the same facts, and both together cost the reader of both twice."""

CALL_ID_KEYS = ("claudecode/toolUseId", "callId")
"""Where clients put their own name of a call; a write that comes again under it is answered from its receipt."""

INSTRUCTIONS = (
    "ADE's tools: lanes (git worktrees), git, diffs, chats, terminals and more, each checked and recorded. Tools not listed "
    "here are found with actions_search, explained by actions_describe and called with actions_run."
)
"""Short, since some clients repeat it with every tool."""


def mcp_server(toolbox: Toolbox, *, name: str, shape: Shape = "text", deferred: bool = True) -> Server[Any]:
    """Serves the toolbox's tools that belong to tool server ``name``. With ``deferred`` clients that can load tools on demand
    are told which to show from the start."""

    async def list_tools(
        ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        found = [tool for tool in await toolbox.tools() if tool.server == name]
        return types.ListToolsResult(tools=[_tool(tool, shape, deferred) for tool in found])

    async def call_tool(
        ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        result = await toolbox.call(
            params.name,
            params.arguments or {},
            call_id=_call_id(ctx),
            progress=_progress(ctx),
        )
        return _result(result, shape)

    return Server(
        name,
        version=package_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _tool(tool: Tool, shape: Shape, deferred: bool) -> types.Tool:
    meta = {"anthropic/searchHint": tool.hint}
    if tool.always or not deferred:
        meta["anthropic/alwaysLoad"] = True  # type: ignore[assignment]
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema if shape == "both" else None,
        annotations=types.ToolAnnotations.model_validate(tool.annotations),
        _meta=meta,
    )


def _result(result: ToolResult, shape: Shape) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=result.text)],
        structured_content=result.structured if shape == "both" else None,
        is_error=result.is_error,
    )


def _call_id(ctx: ServerRequestContext[Any]) -> str | None:
    meta = dict(ctx.meta or {})
    for key in CALL_ID_KEYS:
        if isinstance(meta.get(key), str):
            return str(meta[key])
    return None


def _progress(ctx: ServerRequestContext[Any]) -> Progress:
    """Reports of progress go to a client that asked for them; one that is lost is no harm."""

    def report(message: str, fraction: float | None) -> None:
        token = None if ctx.meta is None else ctx.meta.get("progress_token")
        if token is None:
            return
        sending = ctx.session.send_progress_notification(token, fraction or 0.0, 1.0, message)
        task = asyncio.ensure_future(sending)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    return report
