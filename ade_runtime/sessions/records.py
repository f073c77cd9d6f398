"""A session as it is recorded, and what it answers about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from ade_runtime.storage.times import from_ms, to_ms

SessionState = Literal["live", "ended", "expired"]
SessionKind = Literal["chat", "terminal", "worker"]
CapabilityMode = Literal["full_tooling", "fallback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One session. ``token_hash`` never leaves the store; times are aware.

    ``project``, ``lane`` and ``run`` are the ids it is bound to, ``None`` where it is not; ``parent`` is the session that
    started it.
    """

    id: str
    token_hash: str = field(repr=False)
    role: str
    kind: SessionKind
    provider: str | None
    title: str | None
    project: str | None
    lane: str | None
    run: str | None
    chat: str | None
    parent: str | None
    interaction_mode: str | None
    capability_mode: CapabilityMode
    standalone: bool
    started_at: datetime
    expires_at: datetime | None = None
    ended_at: datetime | None = None
    end_reason: str | None = None

    def state(self, now: datetime) -> SessionState:
        """Whether its token still works."""
        if self.ended_at is not None:
            return "ended"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "live"

    def facts(self) -> dict[str, Any]:
        """What the log says of its start: everything that decides what the session may do."""
        return {
            "role": self.role,
            "kind": self.kind,
            "provider": self.provider,
            "project": self.project,
            "lane": self.lane,
            "run": self.run,
            "chat": self.chat,
            "parent": self.parent,
            "interaction_mode": self.interaction_mode,
            "capability_mode": self.capability_mode,
            "standalone": self.standalone,
            "expires_at": None if self.expires_at is None else to_ms(self.expires_at),
            "token_hash": self.token_hash,
        }

    def row(self) -> dict[str, Any]:
        """Column values of the sessions table."""
        return {
            "id": self.id,
            "token_hash": self.token_hash,
            "role": self.role,
            "kind": self.kind,
            "provider": self.provider,
            "title": self.title,
            "project_id": self.project,
            "lane_id": self.lane,
            "run_id": self.run,
            "chat_id": self.chat,
            "parent_id": self.parent,
            "interaction_mode": self.interaction_mode,
            "capability_mode": self.capability_mode,
            "standalone": int(self.standalone),
            "started_at": to_ms(self.started_at),
            "expires_at": _ms(self.expires_at),
            "ended_at": _ms(self.ended_at),
            "end_reason": self.end_reason,
        }


def from_row(row: Any) -> SessionRecord:
    """The record of a row mapping of the sessions table."""
    return SessionRecord(
        id=row["id"],
        token_hash=row["token_hash"],
        role=row["role"],
        kind=row["kind"],
        provider=row["provider"],
        title=row["title"],
        project=row["project_id"],
        lane=row["lane_id"],
        run=row["run_id"],
        chat=row["chat_id"],
        parent=row["parent_id"],
        interaction_mode=row["interaction_mode"],
        capability_mode=row["capability_mode"],
        standalone=bool(row["standalone"]),
        started_at=from_ms(row["started_at"]),
        expires_at=_moment(row["expires_at"]),
        ended_at=_moment(row["ended_at"]),
        end_reason=row["end_reason"],
    )


def _ms(instant: datetime | None) -> int | None:
    return None if instant is None else to_ms(instant)


def _moment(value: int | None) -> datetime | None:
    return None if value is None else from_ms(value)
