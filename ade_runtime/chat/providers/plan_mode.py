"""What a chat in plan mode may do with ADE's tools: read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.contracts import Effect
from ade_runtime.packs.records import entry_of
from ade_runtime.tooling.definitions import all_tools

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject

IN_PLAN_MODE = "This chat is in plan mode: it reads and plans, and changes nothing."
RUN = "actions.run"
"""The action that performs another one: it reads where that one does. It does not perform itself."""


def refused(name: str, arguments: JsonObject) -> bool:
    """Whether a call of the tool or action ``name`` would change something. What is unknown is not refused: it does nothing,
    and the toolbox says what there is instead."""
    by_name = {tool.name: tool.action for tool in all_tools()}
    action = by_name.get(name, name)
    if action == RUN:
        inner = arguments.get("action")
        action = by_name.get(inner, inner) if isinstance(inner, str) else RUN
    entry = entry_of(action)
    return entry is not None and entry.effect is not Effect.READ
