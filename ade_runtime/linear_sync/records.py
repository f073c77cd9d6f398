"""What came in from Linear, and what is to be done about it, as it is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import orjson

from ade_runtime.storage.times import from_ms, to_ms

Source = Literal["webhook", "poll"]
Outcome = Literal["queued", "updated", "followed", "ignored"]
Route = Literal["cto", "run", "worker", "hold", "ignore"]
ItemState = Literal["waiting", "routing", "routed", "failed", "dismissed", "over"]
OPEN: tuple[ItemState, ...] = ("waiting", "failed")
"""States from which an item may still be routed."""

FINISHED_TYPES = ("completed", "canceled", "duplicate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What rules look at, and what people are shown, of an issue."""

    id: str
    identifier: str
    title: str
    url: str
    team: str
    state: str
    state_type: str
    labels: tuple[str, ...]
    assignee: str | None
    priority: int

    def to_json(self) -> str:
        return orjson.dumps(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Facts:
        document = orjson.loads(text)
        return cls(**{**document, "labels": tuple(document["labels"])})


def facts_of(issue: Mapping[str, Any]) -> Facts | None:
    """The facts of an issue as the interface or a webhook tells them; ``None`` where one that is needed is missing."""
    state, team = issue.get("state"), issue.get("team")
    texts = [issue.get(name) for name in ("id", "identifier", "title")]
    if not isinstance(state, Mapping) or not isinstance(team, Mapping) or not all(map(_is_text, texts)):
        return None
    labels = issue.get("labels") or []
    nodes = labels.get("nodes", []) if isinstance(labels, Mapping) else labels
    assignee, priority = issue.get("assignee"), issue.get("priority")
    return Facts(
        id=str(issue["id"]),
        identifier=str(issue["identifier"]),
        title=str(issue["title"])[:500],
        url=str(issue.get("url") or ""),
        team=str(team.get("key", "")),
        state=str(state.get("name", "")),
        state_type=str(state.get("type", "")),
        labels=tuple(
            str(one["name"])
            for one in (nodes if isinstance(nodes, list) else ())
            if isinstance(one, Mapping) and "name" in one
        ),
        assignee=str(assignee.get("displayName") or assignee.get("name"))
        if isinstance(assignee, Mapping)
        else None,
        priority=int(priority) if isinstance(priority, int | float) else 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened. ``id`` is Linear's for the delivery; ``change`` names what happened to what and when, however
    it came in."""

    id: str
    change: str
    source: Source
    kind: str
    action: str
    identifier: str | None
    outcome: Outcome
    reason: str
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An issue that waits to be handed on, or was. ``target`` is a session or run."""

    id: str
    facts: Facts
    state: ItemState
    route: Route
    rule: str | None
    reason: str
    prompt: str
    lane: str | None
    target: str | None
    attempts: int
    error: str | None
    created_at: datetime
    updated_at: datetime

    def row(self) -> dict[str, Any]:
        """Column values of the items table, without the project."""
        return {
            "id": self.id,
            "issue_id": self.facts.id,
            "facts": self.facts.to_json(),
            "state": self.state,
            "route": self.route,
            "rule": self.rule,
            "reason": self.reason,
            "prompt": self.prompt,
            "lane_id": self.lane,
            "target": self.target,
            "attempts": self.attempts,
            "error": self.error,
            "created_at": to_ms(self.created_at),
            "updated_at": to_ms(self.updated_at),
        }


def item_of(row: Any) -> Item:
    """The record of a row mapping of the items table."""
    return Item(
        id=row["id"],
        facts=Facts.from_json(row["facts"]),
        state=row["state"],
        route=row["route"],
        rule=row["rule"],
        reason=row["reason"],
        prompt=row["prompt"],
        lane=row["lane_id"],
        target=row["target"],
        attempts=row["attempts"],
        error=row["error"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
    )


def event_of(row: Any) -> Event:
    """The record of a row mapping of the events table."""
    return Event(
        id=row["id"],
        change=row["change"],
        source=row["source"],
        kind=row["kind"],
        action=row["action"],
        identifier=row["identifier"],
        outcome=row["outcome"],
        reason=row["reason"],
        received_at=from_ms(row["received_at"]),
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)
