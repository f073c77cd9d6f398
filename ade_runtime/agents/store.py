"""Finding agents in terminals; every function works inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from ade_runtime.holders.records import HolderRecord, from_row
from ade_runtime.storage.schema import holders

if TYPE_CHECKING:
    from sqlalchemy import Connection


def running(db: Connection, session: str) -> HolderRecord | None:
    """The agent whose session it is, unless its end was seen."""
    fits = select(holders).where(holders.c.session_id == session, holders.c.ended_at.is_(None))
    for row in db.execute(fits.where(holders.c.kind == "terminal")).mappings():
        record = from_row(dict(row))
        if record.is_agent:
            return record
    return None
