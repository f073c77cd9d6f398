"""Agents as callers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated.models.types import Agent
from ade_runtime.terminals.view import terminal

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen

_SAME = (
    "id",
    "state",
    "title",
    "project",
    "lane",
    "lane_id",
    "session",
    "pid",
    "started_at",
    "ended_at",
    "exit_code",
    "signal",
    "leftovers",
)


def agent(record: HolderRecord, seen: Seen) -> Agent:
    shown = terminal(record, seen).model_dump(mode="json")
    document: dict[str, Any] = {name: shown[name] for name in _SAME}
    document |= dict(record.settings["agent"])
    return Agent.model_validate(document | {"next": _next(record, seen)})


def _next(record: HolderRecord, seen: Seen) -> str:
    if seen.live:
        return (
            f"`ade terminals read {record.id}` shows what it prints, "
            f"`ade terminals attach {record.id}` lets a person answer it."
        )
    if seen.leftovers:
        return f"What it started still runs; `ade agents stop {record.id}` ends that."
    return f"`ade terminals read {record.id}` shows what it printed last."
