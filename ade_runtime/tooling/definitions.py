"""The generated tool definitions, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.contracts import JsonObject
from ade_runtime.pipeline.schemas import argument_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One action as a model sees it, in the terms of the Model Context Protocol.

    ``server`` names the tool server (or Codex namespace) that offers it. A tool that is not ``always`` there may be left out
    of what a model is shown first: it is found with ``actions_search`` and called by name, or loaded on demand. ``hint`` is
    one line to find it by.
    """

    name: str
    action: str
    server: str
    always: bool
    title: str
    hint: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject
    annotations: JsonObject


@cache
def all_tools() -> tuple[Tool, ...]:
    """Every tool there is. Those that are always shown come first, in the order of the specs; the others by name: a list that
    never changes its order keeps a provider's prompt cache warm."""
    found = [tool for toolset in sorted(TOOLSETS) for tool in _of_toolset(toolset)]
    first = {action: rank for name in sorted(TOOLSETS) for rank, action in enumerate(TOOLSETS[name].always)}
    return tuple(sorted(found, key=lambda tool: (not tool.always, first.get(tool.action, 0), tool.name)))


def _of_toolset(name: str) -> list[Tool]:
    document: dict[str, Any] = orjson.loads((files("ade_generated") / "tools" / f"{name}.json").read_bytes())
    always = TOOLSETS[name].always
    return [
        Tool(
            name=tool["name"],
            action=tool["action"],
            server=document["server"],
            always=tool["action"] in always,
            title=tool["annotations"]["title"],
            hint=f"{tool['name']}({argument_names(ACTIONS[tool['action']])})",
            description=tool["description"],
            input_schema=tool["inputSchema"],
            output_schema=tool["outputSchema"],
            annotations=tool["annotations"],
        )
        for tool in document["tools"]
    ]
