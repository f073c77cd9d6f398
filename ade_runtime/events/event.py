"""An event as it is kept, and what is remembered of one that had to go."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from ade_runtime.contracts import JsonObject

if TYPE_CHECKING:
    from ade_runtime.contracts import EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All that decides who may know of an event, and where it stood.

    ``project`` is an id, ``None`` for what concerns the machine. ``session`` is the session that did it or that it is about.
    ``readers``, where given, are the only sessions that may know of it, besides readers outside of every session.
    """

    seq: int
    kind: EventType
    project: str | None
    session: str | None
    readers: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event. ``identity`` is who caused it, by the name the audit uses; ``size`` is about what it takes in bytes."""

    trace: Trace
    at: datetime
    lane: str | None
    identity: str | None
    subject: str | None
    data: JsonObject = field(default_factory=dict)
    size: int

    @property
    def seq(self) -> int:
        return self.trace.seq
