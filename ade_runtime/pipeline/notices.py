"""What a call that worked is told besides its answer: that it used what will go, and what to use instead. Lists say it, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ade_runtime.contracts import ActionEntry
from ade_runtime.packs.records import entry_of


def notices(name: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """One sentence for the action (an id or a tool's name) and one for each field that was given; none where all stays."""
    action = entry_of(name)
    return () if action is None else of_entry(action, arguments)


def short(summary: str, deprecated: object) -> str:
    """A summary as a list has it: with a word where the action will go."""
    return f"(deprecated) {summary}" if deprecated else summary


def of_entry(action: ActionEntry, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The sentences about an action and the given fields, in the order of the fields."""
    found = [] if action.deprecated is None else [f"{action.id}: {action.deprecated}"]
    found += [f"{name}: {said}" for name, said in action.deprecated_fields.items() if name in arguments]
    return tuple(found)
