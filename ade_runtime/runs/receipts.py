"""What was asked for in a run under a request id happens once: one receipt for each request, told apart by kind and content.

Every function works inside the caller's transaction. A receipt is reserved before anything is made and is completed in the
transaction that makes it. What a pending one is about to make stands in it, so that whoever comes after a process that was
killed goes on with that instead of making it twice.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.machine.process import is_running, own_mark
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Connection

    from ade_runtime.contracts import JsonObject

Kind = Literal["spawn", "message"]

GIVEN_UP = timedelta(minutes=15)
"""A receipt that is pending for longer is nobody's any more."""

KEPT = 1000
"""Completed receipts that a run keeps; beyond that the oldest go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """``session`` and ``lane`` are what a pending one is about to make, or has made. ``attempt`` counts the requests of this
    content; ``result`` is the answer, once there is one."""

    run: str
    kind: Kind
    request_id: str
    digest: str
    attempt: int
    state: Literal["pending", "completed"]
    session: str | None
    lane: str | None
    holder: str | None
    result: JsonObject | None
    created_at: datetime

    @property
    def place(self) -> tuple[str, str, str]:
        return (self.run, self.kind, self.request_id)


_running: set[tuple[str, str, str]] = set()
"""Requests that this process is at. One that bears its mark and is not among them was broken off."""


def digest_of(content: Any) -> str:
    """Of a request's content, in whichever order its fields come."""
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def default_id(digest: str, attempt: int) -> str:
    """The id of a request whose caller gave none."""
    return f"{digest[:32]}.{attempt}"


def get(db: Connection, run: str, kind: Kind, request_id: str) -> Receipt | None:
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_receipts

    row = db.execute(select(run_receipts).where(*_where((run, kind, request_id)))).mappings().first()
    return None if row is None else _receipt(row)


def last_attempt(db: Connection, run: str, kind: Kind, digest: str) -> Receipt | None:
    """The newest request of this content."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_receipts as table

    fits = (table.c.run_id == run, table.c.kind == kind, table.c.digest == digest)
    row = db.execute(select(table).where(*fits).order_by(table.c.attempt.desc()).limit(1)).mappings().first()
    return None if row is None else _receipt(row)


def reserve(
    db: Connection, run: str, kind: Kind, request_id: str, digest: str, *, session: str | None, now: datetime
) -> Receipt:
    """The receipt of a request: a new one that is pending, one that somebody left, or the completed one.

    ``session`` is the id that what is made will have, where nobody has begun to make it. Whoever reserves one calls :func:`end`
    in the end. Raises ``spawn_in_progress`` while another call is at it, and ``request_id_conflict`` where its content is
    another.
    """
    from sqlalchemy import insert, update

    from ade_runtime.storage.schema import run_receipts

    found = get(db, run, kind, request_id)
    if found is None:
        last = last_attempt(db, run, kind, digest)
        row: dict[str, Any] = {"run_id": run, "kind": kind, "request_id": request_id, "digest": digest}
        row |= {"state": "pending"}
        row |= {"attempt": 1 if last is None else last.attempt + 1, "session": session}
        db.execute(insert(run_receipts).values(**row, holder=own_mark(), created_at=to_ms(now)))
    elif found.digest != digest:
        raise errors.RequestIdConflict(request_id=request_id)
    elif found.state == "completed":
        return found
    elif is_held(found, now):
        raise errors.SpawnInProgress(run=run, request_id=request_id)
    else:
        taken = {"holder": own_mark(), "created_at": to_ms(now)}
        db.execute(update(run_receipts).where(*_where(found.place)).values(taken))
    made = get(db, run, kind, request_id)
    assert made is not None
    _running.add(made.place)
    return made


def is_held(receipt: Receipt, now: datetime) -> bool:
    """Whether somebody is at a pending request: not if its process is no more, nor if it took too long."""
    if now - receipt.created_at > GIVEN_UP:
        return False
    if receipt.holder == own_mark():
        return receipt.place in _running
    return is_running(str(receipt.holder))


def end(receipt: Receipt) -> None:
    """This process is not at the request any more, whatever became of it."""
    _running.discard(receipt.place)


def end_reserved(reserving: asyncio.Future[Receipt]) -> None:
    """The same of a request whose caller has gone before it was reserved."""
    if not reserving.cancelled() and reserving.exception() is None:
        end(reserving.result())


def note_lane(db: Connection, receipt: Receipt, lane: str) -> None:
    """Note the lane that is about to be made."""
    from sqlalchemy import update

    from ade_runtime.storage.schema import run_receipts

    db.execute(update(run_receipts).where(*_where(receipt.place)).values(lane=lane))


def complete(db: Connection, receipt: Receipt, result: JsonObject) -> None:
    """Store the answer, and let go of the oldest of very many."""
    from sqlalchemy import delete, select, update

    from ade_runtime.storage.schema import run_receipts as table

    values = {"state": "completed", "holder": None, "result": orjson.dumps(result).decode()}
    db.execute(update(table).where(*_where(receipt.place)).values(values))
    done = (table.c.run_id == receipt.run, table.c.state == "completed")
    newest = select(table.c.created_at).where(*done).order_by(table.c.created_at.desc())
    oldest = db.execute(newest.offset(KEPT).limit(1)).scalar()
    if oldest is not None:
        db.execute(delete(table).where(*done, table.c.created_at <= oldest))


def forget(db: Connection, receipt: Receipt) -> None:
    """Nothing came of the request; the same id may be used again."""
    from sqlalchemy import delete

    from ade_runtime.storage.schema import run_receipts

    pending = run_receipts.c.state == "pending"
    db.execute(delete(run_receipts).where(*_where(receipt.place), pending))


def given_up(db: Connection, now: datetime, run: str | None = None) -> list[Receipt]:
    """Pending requests that are nobody's any more, of a run or of all."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_receipts as table

    fits = [table.c.state == "pending", table.c.created_at < to_ms(now - GIVEN_UP)]
    if run is not None:
        fits.append(table.c.run_id == run)
    return [_receipt(row) for row in db.execute(select(table).where(*fits)).mappings()]


def listed(db: Connection, run: str, states: Collection[str] = ("pending", "completed")) -> list[Receipt]:
    """The receipts of a run, the oldest first."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_receipts as table

    query = select(table).where(table.c.run_id == run, table.c.state.in_(states)).order_by(table.c.created_at)
    return [_receipt(row) for row in db.execute(query).mappings()]


def _where(place: tuple[str, str, str]) -> list[ColumnElement[bool]]:
    from ade_runtime.storage.schema import run_receipts as table

    run, kind, request_id = place
    return [table.c.run_id == run, table.c.kind == kind, table.c.request_id == request_id]


def _receipt(row: Any) -> Receipt:
    return Receipt(
        run=row["run_id"],
        kind=row["kind"],
        request_id=row["request_id"],
        digest=row["digest"],
        attempt=row["attempt"],
        state=row["state"],
        session=row["session"],
        lane=row["lane"],
        holder=row["holder"],
        result=None if row["result"] is None else orjson.loads(row["result"]),
        created_at=from_ms(row["created_at"]),
    )
