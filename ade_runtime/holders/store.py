"""Holder rows: every statement on their table, run on the database's own thread."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from ade_runtime.holders.records import HolderRecord, Kind, Seen, from_row
from ade_runtime.storage.schema import holders
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

CHUNK = 500


def add(db: Connection, record: HolderRecord) -> None:
    db.execute(insert(holders).values(**record.row()))


def by_id(db: Connection, holder_id: str) -> HolderRecord | None:
    row = db.execute(select(holders).where(holders.c.id == holder_id)).mappings().one_or_none()
    return None if row is None else from_row(dict(row))


def listed(
    db: Connection,
    *,
    kind: Kind | None = None,
    project: str | None = None,
    lane: str | None = None,
    name: str | None = None,
    ended: bool = True,
    limit: int | None = None,
) -> list[HolderRecord]:
    """Rows, the newest first; without ``ended`` only those whose end was not seen yet."""
    query = select(holders).order_by(holders.c.created_at.desc(), holders.c.id.desc())
    columns = {"kind": kind, "project_id": project, "lane_id": lane, "name": name}
    for column, value in columns.items():
        if value is not None:
            query = query.where(holders.c[column] == value)
    if not ended:
        query = query.where(holders.c.ended_at.is_(None))
    if limit is not None:
        query = query.limit(limit)
    return [from_row(dict(row)) for row in db.execute(query).mappings()]


def end(db: Connection, ends: Sequence[tuple[str, Seen]], now: datetime) -> list[str]:
    """Note the end of commands, once; gives the ids of those whose end was not known before."""
    noted = []
    for holder_id, seen in ends:
        values = {"ended_at": to_ms(seen.ended_at or now), "outcome": json.dumps(seen.outcome())}
        still_open = update(holders).where(holders.c.id == holder_id, holders.c.ended_at.is_(None))
        if db.execute(still_open.values(**values)).rowcount:
            noted.append(holder_id)
    return noted


def keep_outcome(db: Connection, record: HolderRecord) -> None:
    """Replace what is kept of an end."""
    row = record.row()
    db.execute(update(holders).where(holders.c.id == record.id).values(outcome=row["outcome"]))


def drop(db: Connection, ids: Iterable[str]) -> None:
    wanted = list(ids)
    for first in range(0, len(wanted), CHUNK):
        db.execute(delete(holders).where(holders.c.id.in_(wanted[first : first + CHUNK])))
