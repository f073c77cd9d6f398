"""Finding agents in terminals; every function works inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from ade_runtime.holders.records import HolderRecord, from_row
from ade_runtime.storage.schema import holders

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection


def labels(db: Connection, sessions: Collection[str]) -> dict[str, tuple[str | None, str | None]]:
    """Title and lane of some agents, by session, also of those that have ended."""
    fits = select(holders.c.session_id, holders.c.title, holders.c.lane_id)
    rows = db.execute(fits.where(holders.c.session_id.in_(sessions), holders.c.kind == "terminal"))
    return {row.session_id: (row.title, row.lane_id) for row in rows}


def running(db: Connection, session: str) -> HolderRecord | None:
    """The agent whose session it is, unless its end was seen."""
    fits = select(holders).where(holders.c.session_id == session, holders.c.ended_at.is_(None))
    for row in db.execute(fits.where(holders.c.kind == "terminal")).mappings():
        record = from_row(dict(row))
        if record.is_agent:
            return record
    return None
