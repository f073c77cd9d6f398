"""What a client of MCP may read besides calling tools: lanes and proof as resources, guidance as prompts.

Resources are answers of actions, so that they show exactly what the tools show to the same caller.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from ade_runtime.cli.clean import clean
from ade_runtime.tooling import results

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ade_runtime.tooling.results import ToolResult
    from ade_runtime.tooling.toolbox import Toolbox

JSON = "application/json"
LISTED = 100
"""Most lanes, and most pieces of proof, that are listed one by one; the lists themselves say how to read on."""

LISTS = {
    "ade://lanes": ("lane.list", "Lanes", "Every lane of the project: a git worktree with its branch."),
    "ade://proof": ("proof.list", "Proof", "What was kept as evidence that changes work."),
}
ONES = {
    "ade://lane/": ("lane.show", "lane", "A lane with its state."),
    "ade://proof/": ("proof.show", "proof", "One piece of proof."),
}
PROMPTS = {
    "working_with_ade": (
        "agent.md",
        "How to work with ADE: lanes, commands, and what to do when something is refused.",
    ),
}


class Content:
    """Resources and prompts for who holds ``toolbox``."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    def handlers(self) -> dict[str, Any]:
        """Keyword arguments of the low-level server."""
        return {
            "on_list_resources": self._list_resources,
            "on_list_resource_templates": self._list_templates,
            "on_read_resource": self._read_resource,
            "on_list_prompts": self._list_prompts,
            "on_get_prompt": self._get_prompt,
        }

    async def _list_resources(
        self, ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = [
            types.Resource(uri=uri, name=title.lower(), title=title, description=text, mime_type=JSON)
            for uri, (_, title, text) in LISTS.items()
        ]
        for lane in await self._items("lane.list"):
            uri = "ade://lane/" + quote(str(lane["id"]), safe="")
            name = clean(str(lane["name"]))
            found.append(types.Resource(uri=uri, name=name, title=f"Lane {name}", mime_type=JSON))
        for piece in await self._items("proof.list"):
            uri = "ade://proof/" + quote(str(piece["id"]), safe="")
            name = clean(str(piece.get("caption") or piece["id"]))[:120]
            found.append(types.Resource(uri=uri, name=name, title=f"Proof: {name}", mime_type=JSON))
        return types.ListResourcesResult(resources=found)

    async def _list_templates(
        self, ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        made = [
            types.ResourceTemplate(
                uri_template=f"{start}{{{field}}}", name=field, description=text, mime_type=JSON
            )
            for start, (_, field, text) in ONES.items()
        ]
        return types.ListResourceTemplatesResult(resource_templates=made)

    async def _read_resource(
        self, ctx: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        result = await self._read(uri)
        if result is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no resource {uri[:200]}.")
        if result.is_error:
            raise MCPError(code=types.INVALID_PARAMS, message=result.text)
        text = types.TextResourceContents(uri=uri, mime_type=JSON, text=result.text)
        return types.ReadResourceResult(contents=[text])

    async def _read(self, uri: str) -> ToolResult | None:
        if uri in LISTS:
            return await self._toolbox.call(LISTS[uri][0], {})
        for start, (action, field, _) in ONES.items():
            if uri.startswith(start) and len(uri) > len(start):
                return await self._toolbox.call(action, {field: unquote(uri[len(start) :])})
        return None

    async def _items(self, action: str) -> list[dict[str, Any]]:
        """The first items of a list; none where the caller may not see it or stands in no project."""
        result = await self._toolbox.call(action, {"limit": LISTED})
        items = [] if result.structured is None else result.structured.get("items")
        return items if isinstance(items, list) else []

    async def _list_prompts(
        self, ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=name, description=text) for name, (_, text) in PROMPTS.items()]
        )

    async def _get_prompt(
        self, ctx: ServerRequestContext[Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name not in PROMPTS:
            known = ", ".join(PROMPTS)
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no such prompt; there are: {known}.")
        file, text = PROMPTS[params.name]
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=_guidance(file))
        )
        return types.GetPromptResult(description=text, messages=[message])


@cache
def _guidance(file: str) -> str:
    text: str = results.cleaned((files("ade_generated") / "guidance" / file).read_text())
    return text
