"""The queue of discoveries: a stream of bytes that agents append to and the CTO reads with a cursor.

Reading moves nothing but how far was ever read; acknowledging may go no further than that. So a reader that dies between
the two is given the same again, and nothing is ever passed over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ade_generated import errors
from ade_runtime.memory.facts import ensure_state
from ade_runtime.memory.records import Discovery, Note, discovery_from
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import memory_discoveries, memory_state
from ade_runtime.storage.times import to_ms

MOST_WAITING = 10_000
DEALT_WITH_KEPT = 1000
"""How many that were acknowledged stay in the database, to be looked at when something went wrong."""

_D, _S = memory_discoveries.c, memory_state.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one reading gave. ``cursor`` is the byte behind its last one."""

    items: tuple[Discovery, ...]
    cursor: int
    acknowledged: int
    waiting: int


def append(db: Connection, project: str, note: Note) -> tuple[str, bool, int]:
    """Id of the discovery, whether it is new, and how many wait. Raises ``discoveries_full``."""
    ensure_state(db, project)
    state = _state(db, project)
    digest, waiting = note.digest, _waiting(db, project, state.acknowledged)
    still = [_D.project_id == project, _D.end > state.acknowledged]
    same = db.execute(select(_D.id).where(*still, _D.digest == digest)).scalar()
    if same is not None:
        return str(same), False, waiting
    if waiting >= MOST_WAITING:
        raise errors.DiscoveriesFull(waiting=waiting)
    discovery = new_id("dis")
    row = {
        "id": discovery,
        "text": note.text,
        "digest": digest,
        "tags": json.dumps(note.tags, ensure_ascii=False),
        "author": note.author,
        "session_id": note.session,
        "lane_id": note.lane,
        "redactions": note.redactions,
        "at": to_ms(note.at),
    }
    end = state.stream_end + len(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")) + 1
    db.execute(insert(memory_discoveries).values(project_id=project, start=state.stream_end, end=end, **row))
    db.execute(update(memory_state).where(_S.project_id == project).values(stream_end=end))
    return discovery, True, waiting + 1


def read(db: Connection, project: str, *, acknowledge: int | None, limit: int, max_bytes: int) -> Batch:
    """Acknowledge, then give the oldest that wait. Raises ``discovery_cursor_unknown`` past what was ever read.

    A cursor inside of an entry gives that entry again.
    """
    ensure_state(db, project)
    state = _state(db, project)
    acknowledged = state.acknowledged
    if acknowledge is not None:
        if acknowledge > state.delivered:
            raise errors.DiscoveryCursorUnknown(cursor=acknowledge, read=state.delivered)
        acknowledged = max(acknowledged, acknowledge)
    query = select(memory_discoveries).where(_D.project_id == project, _D.end > acknowledged)
    items: list[Discovery] = []
    size = 0
    for row in db.execute(query.order_by(_D.start).limit(limit)).mappings():
        size += row["end"] - row["start"]
        if items and size > max_bytes:
            break
        items.append(discovery_from(row))
    cursor = items[-1].end if items else acknowledged
    moved = {"acknowledged": acknowledged, "delivered": max(state.delivered, cursor)}
    db.execute(update(memory_state).where(_S.project_id == project).values(**moved))
    if acknowledged > state.acknowledged:
        _forget_old(db, project, acknowledged)
    waiting = _waiting(db, project, acknowledged)
    return Batch(items=tuple(items), cursor=cursor, acknowledged=acknowledged, waiting=waiting)


def waiting(db: Connection, project: str) -> int:
    """How many wait for the CTO."""
    query = select(_S.acknowledged).where(_S.project_id == project)
    return _waiting(db, project, int(db.execute(query).scalar() or 0))


def _state(db: Connection, project: str) -> Row[Any]:
    return db.execute(select(memory_state).where(_S.project_id == project)).one()


def _waiting(db: Connection, project: str, acknowledged: int) -> int:
    query = select(func.count()).where(_D.project_id == project, _D.end > acknowledged)
    return int(db.execute(query).scalar_one())


def _forget_old(db: Connection, project: str, acknowledged: int) -> None:
    dealt_with = select(_D.end).where(_D.project_id == project, _D.end <= acknowledged)
    last = db.execute(dealt_with.order_by(_D.end.desc()).offset(DEALT_WITH_KEPT).limit(1)).scalar()
    if last is not None:
        db.execute(delete(memory_discoveries).where(_D.project_id == project, _D.end <= last))
