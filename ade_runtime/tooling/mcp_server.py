"""A toolbox as a server of the Model Context Protocol, for whatever carries its messages.

The low-level server of the ``mcp`` package speaks every revision of the protocol; what it does not do is left to the toolbox:
arguments are checked there, and what goes wrong is a result that the model can read, never a protocol error.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel import Server

from ade_runtime.machine.facts import package_version
from ade_runtime.tooling.definitions import all_tools
from ade_runtime.tooling.shapes import Palette, Shape

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ade_runtime.tooling.definitions import Tool
    from ade_runtime.tooling.mcp_content import Content
    from ade_runtime.tooling.results import ToolResult
    from ade_runtime.tooling.toolbox import Toolbox

CALL_ID_KEYS = ("claudecode/toolUseId", "callId")
"""Where clients put their own name of a call; a write that comes again under it is answered from its receipt."""

LEAST_STEP = 1e-6
"""By how much a report of progress is more than the one before it, at least."""

BEAT = 10.0
"""Seconds after which a client that asked for progress is told that a call still runs. Clients give up on one that they hear
nothing of, many after a minute, and what nobody waits for is ended."""

STILL = "still running"

INSTRUCTIONS = (
    "ADE's tools: lanes (git worktrees), git, diffs, chats, terminals and more, each checked and recorded. Tools not listed "
    "here are found with actions_search, explained by actions_describe and called with actions_run."
)
"""Short, since some clients repeat it with every tool."""


def mcp_server(
    toolbox: Toolbox,
    *,
    name: str,
    shape: Shape = "text",
    deferred: bool = True,
    palette: Palette = "all",
    whole: bool = False,
    content: Content | None = None,
) -> Server[Any]:
    """Serves the toolbox's tools that belong to tool server ``name``, or with ``whole`` all of them. With ``deferred`` clients
    that can load tools on demand are told which to show from the start; with palette ``first`` those alone are listed, and the
    others are called all the same. ``content`` adds resources and prompts."""

    async def list_tools(
        ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        found = [tool for tool in await toolbox.tools() if whole or tool.server == name]
        if palette == "first":
            found = [tool for tool in found if tool.always]
        return types.ListToolsResult(tools=[_tool(tool, shape, deferred) for tool in found])

    async def call_tool(
        ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        reports = _Reports(ctx)
        beating = asyncio.create_task(reports.beat()) if reports.wanted else None
        try:
            result = await toolbox.call(
                params.name, params.arguments or {}, call_id=_call_id(ctx), progress=reports.report
            )
        finally:
            if beating is not None:
                beating.cancel()
        return _result(result, shape)

    handlers: dict[str, Any] = {} if content is None else content.handlers()
    return Server(
        name,
        version=package_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=_input_schema,
        **handlers,
    )


def _input_schema(name: str) -> dict[str, Any] | None:
    """What the server compares the headers of a call with; without it, it would list every tool for each call."""
    return next((tool.input_schema for tool in all_tools() if tool.name == name), None)


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


class _Reports:
    """Reports of progress go to a client that asked for them; one that is lost is no harm. The number only ever grows, as the
    protocol wants it, also where nobody knows how much there is to do."""

    def __init__(self, ctx: ServerRequestContext[Any]) -> None:
        self._ctx = ctx
        self._token = None if ctx.meta is None else ctx.meta.get("progress_token")
        self._told = 0.0
        self._last = STILL

    @property
    def wanted(self) -> bool:
        return self._token is not None

    def report(self, message: str, fraction: float | None) -> None:
        if self._token is None:
            return
        self._last = message
        self._told = max(self._told + LEAST_STEP, fraction or 0.0)
        total = 1.0 if fraction is not None else None
        sending = self._ctx.session.send_progress_notification(
            self._token, self._told, total, message, str(self._ctx.request_id)
        )
        task = asyncio.ensure_future(sending)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def beat(self) -> None:
        """Say again and again what was said last, until cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            self.report(self._last, None)
