"""Schedules and firings as they are recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject

State = Literal["active", "paused", "done", "cancelled", "expired", "ended"]
FiringState = Literal["claimed", "delivered", "failed", "skipped", "expired", "unknown"]
WAITING = ("active", "paused")
MACHINE = "machine"
"""What is paused where everything is."""
GIVEN_UP = ("cancelled", "ended")
"""What fires no more, not even when somebody asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """One promise, or a series of them. Times are aware; ``max_age`` is in seconds.

    ``owner`` is the session that made it, ``None`` for the machine's owner; ``identity`` and ``role`` are who it acts as.
    Either ``session`` and ``prompt`` are set, or ``action`` and ``arguments``.
    """

    id: str
    project: str | None
    owner: str | None
    identity: str
    role: str
    session: str | None
    prompt: str | None
    action: str | None
    arguments: JsonObject | None
    lane: str | None
    kind: Literal["delay", "instant", "cron"]
    expression: str
    zone: str
    recurring: bool
    catch_up: Literal["none", "one", "all"]
    max_age: int | None
    reason: str | None
    state: State
    next_at: datetime | None
    created_at: datetime
    last: str | None = None
    fired: int = 0

    def row(self) -> dict[str, Any]:
        """Column values of the schedules table."""
        return {
            "id": self.id,
            "project_id": self.project,
            "owner": self.owner,
            "identity": self.identity,
            "role": self.role,
            "session_id": self.session,
            "prompt": self.prompt,
            "action": self.action,
            "arguments": None if self.arguments is None else orjson.dumps(self.arguments).decode(),
            "lane_id": self.lane,
            "kind": self.kind,
            "expression": self.expression,
            "zone": self.zone,
            "recurring": int(self.recurring),
            "catch_up": self.catch_up,
            "max_age": self.max_age,
            "reason": self.reason,
            "state": self.state,
            "next_at": None if self.next_at is None else to_ms(self.next_at),
            "last": self.last,
            "fired": self.fired,
            "created_at": to_ms(self.created_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """One time that a schedule fired, or should have. ``missed`` counts the firings before it that were missed."""

    id: str
    schedule: str
    state: FiringState
    due_at: datetime
    fired_at: datetime
    missed: int
    attempts: int
    result: str | None

    @property
    def late_seconds(self) -> int:
        return max(0, int((self.fired_at - self.due_at).total_seconds()))


def schedule_of(row: Any) -> Schedule:
    """The record of a row mapping of the schedules table."""
    return Schedule(
        id=row["id"],
        project=row["project_id"],
        owner=row["owner"],
        identity=row["identity"],
        role=row["role"],
        session=row["session_id"],
        prompt=row["prompt"],
        action=row["action"],
        arguments=None if row["arguments"] is None else orjson.loads(row["arguments"]),
        lane=row["lane_id"],
        kind=row["kind"],
        expression=row["expression"],
        zone=row["zone"],
        recurring=bool(row["recurring"]),
        catch_up=row["catch_up"],
        max_age=row["max_age"],
        reason=row["reason"],
        state=row["state"],
        next_at=None if row["next_at"] is None else from_ms(row["next_at"]),
        created_at=from_ms(row["created_at"]),
        last=row["last"],
        fired=row["fired"],
    )


def firing_of(row: Any) -> Firing:
    """The record of a row mapping of the firings table."""
    return Firing(
        id=row["id"],
        schedule=row["schedule_id"],
        state=row["state"],
        due_at=from_ms(row["due_at"]),
        fired_at=from_ms(row["fired_at"]),
        missed=row["missed"],
        attempts=row["attempts"],
        result=row["result"],
    )
