"""Who else may have changed something while a session was at work: sessions that were, and calls of ADE that changed it.

The owner's own hand leaves no trace that tells it from an agent's shell, so nothing here is ever certain of a person.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import exists, or_, select

from ade_runtime.packs.records import entry_of
from ade_runtime.runs.boundary.compare import Change
from ade_runtime.storage.schema import audit, chats, run_heartbeats, sessions
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOT_FOR_WRITING = ("lead", "validator")
"""Modes whose sessions change no files, not even in the lane they are in."""


@dataclass(frozen=True, slots=True)
class AtWork:
    """A session that was at work; ``writes_in`` is the lane that it is there to change."""

    session: str
    writes_in: str | None


@dataclass(frozen=True, slots=True)
class Done:
    """A call of ADE that changed something; ``moves_refs`` is what its spec says of refs besides the branch of its lane."""

    action: str
    subject: str | None
    moves_refs: bool


@dataclass(frozen=True, slots=True)
class Suspects:
    """Those besides one session, in one stretch of time."""

    at_work: Sequence[AtWork]
    calls: Sequence[Done]

    @property
    def others(self) -> tuple[str, ...]:
        """Sessions that may have done anything that a shell can."""
        return tuple(sorted(one.session for one in self.at_work))

    def explain(self, change: Change) -> bool:
        """Whether the change is nothing to tell of: whoever works there did it, or a call of ADE."""
        if change.lane is None:
            return any(call.moves_refs for call in self.calls)
        if any(one.writes_in == change.lane for one in self.at_work):
            return True
        return any(call.subject == change.lane for call in self.calls)


def found(db: Connection, project: str, session: str, since: datetime, running: Collection[str]) -> Suspects:
    """Those of the project besides ``session``, since that moment. ``running`` are sessions without a chat that have a living
    process."""
    return Suspects(_at_work(db, project, session, since, running), _calls(db, project, since))


def writing(db: Connection, project: str, now: datetime, running: Collection[str]) -> set[str]:
    """Lanes in which a session that is to change them is at work right now."""
    return {one.writes_in for one in _at_work(db, project, "", now, running) if one.writes_in is not None}


def without_chat(db: Connection, project: str) -> list[str]:
    """Live sessions of the project that are no chats."""
    chat = exists().where(chats.c.session_id == sessions.c.id)
    fits = (sessions.c.project_id == project, sessions.c.ended_at.is_(None), ~chat)
    return list(db.execute(select(sessions.c.id).where(*fits)).scalars())


def _at_work(
    db: Connection, project: str, session: str, since: datetime, running: Collection[str]
) -> list[AtWork]:
    moment = to_ms(since)
    spoken = or_(chats.c.state == "running", chats.c.updated_at >= moment)
    in_chat = exists().where(chats.c.session_id == sessions.c.id, chats.c.turn > 0, spoken)
    beat = exists().where(run_heartbeats.c.session_id == sessions.c.id, run_heartbeats.c.at >= moment)
    columns = sessions.c
    fits = (columns.project_id == project, columns.id != session)
    lived = or_(columns.ended_at.is_(None), columns.ended_at >= moment)
    rows = db.execute(
        select(columns.id, columns.lane_id, columns.interaction_mode).where(
            *fits, lived, or_(in_chat, beat, columns.id.in_(list(running)))
        )
    )
    return [AtWork(row.id, None if row.interaction_mode in NOT_FOR_WRITING else row.lane_id) for row in rows]


def _calls(db: Connection, project: str, since: datetime) -> list[Done]:
    columns = audit.c
    fits = (
        columns.at >= to_ms(since),
        columns.project == project,
        columns.outcome == "ok",
        columns.effect != "read",
    )
    rows = db.execute(select(columns.action, columns.subject).where(*fits).distinct())
    return [Done(row.action, row.subject, _moves_refs(row.action)) for row in rows]


def _moves_refs(action: str) -> bool:
    """An action that is no longer there has moved none that anybody could still tell of."""
    entry = entry_of(action)
    return entry is not None and entry.moves_refs
