"""What a run has promised to tell its agents: rows that are written with the change they tell of, and delivered later.

Every function works inside the caller's transaction. What one target is told keeps its order: an entry is due only when all
before it are settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from ade_runtime.machine.process import is_running, own_mark
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

Kind = Literal["brief", "ping", "lead_status", "cancel_interrupt", "completion"]
Delivery = Literal["sendMessage", "steer", "interrupt-replace", "interrupt"]
EntryState = Literal["pending", "delivering", "delivered", "failed"]

MOST_ATTEMPTS = 5
LONGEST_BACK_OFF = timedelta(seconds=30)
FIRST_BACK_OFF = timedelta(seconds=0.5)
OPEN = ("pending", "delivering")

_delivering: set[str] = set()
"""Entries that this process is at. One that bears its mark and is not among them was broken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing to be told. ``target`` and ``sender`` are sessions; ``sender`` is ``None`` for ADE itself."""

    id: str
    place: int
    run: str
    kind: Kind
    target: str
    sender: str | None
    delivery: Delivery
    text: str
    task: str | None
    state: EntryState
    attempts: int
    next_at: datetime
    holder: str | None
    last_error: str | None
    created_at: datetime
    settled_at: datetime | None


def enqueue(
    db: Connection,
    run: str,
    *,
    kind: Kind,
    target: str,
    text: str,
    at: datetime,
    task: str | None = None,
    sender: str | None = None,
    delivery: Delivery = "sendMessage",
    once: str | None = None,
) -> str:
    """Promise to tell a session of the run something, and give the entry's id. ``once`` names what is to be told only once: a
    second promise of it is the first. Whoever commits it calls :meth:`~.delivery.Deliveries.wake` afterwards."""
    from sqlalchemy import func, insert, select

    from ade_runtime.storage.schema import run_outbox

    if once is not None:
        told = select(run_outbox.c.id).where(run_outbox.c.run_id == run, run_outbox.c.once == once)
        found = db.execute(told).scalar()
        if found is not None:
            return str(found)
    identifier = new_id("out")
    place = db.execute(select(func.coalesce(func.max(run_outbox.c.place), 0) + 1)).scalar_one()
    db.execute(
        insert(run_outbox).values(
            id=identifier,
            place=place,
            run_id=run,
            kind=kind,
            target=target,
            sender=sender,
            delivery=delivery,
            text=text,
            task=task,
            once=once,
            state="pending",
            attempts=0,
            next_at=to_ms(at),
            created_at=to_ms(at),
        )
    )
    return identifier


def promised(db: Connection, run: str, once: str) -> bool:
    """Whether what is told only once was promised before."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_outbox

    fits = (run_outbox.c.run_id == run, run_outbox.c.once == once)
    return db.execute(select(run_outbox.c.id).where(*fits)).first() is not None


def get(db: Connection, identifier: str) -> Entry | None:
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_outbox

    row = db.execute(select(run_outbox).where(run_outbox.c.id == identifier)).mappings().first()
    return None if row is None else _entry(row)


def listed(db: Connection, run: str, *, target: str | None = None) -> list[Entry]:
    """Everything a run has promised, in order; that to one session where it is named."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_outbox

    query = select(run_outbox).where(run_outbox.c.run_id == run)
    if target is not None:
        query = query.where(run_outbox.c.target == target)
    return [_entry(row) for row in db.execute(query.order_by(run_outbox.c.place)).mappings()]


def waiting(db: Connection, run: str) -> dict[str, int]:
    """How many entries each session of a run is yet to be told."""
    from sqlalchemy import func, select

    from ade_runtime.storage.schema import run_outbox as table

    fits = (table.c.run_id == run, table.c.state.in_(OPEN))
    query = select(table.c.target, func.count()).where(*fits).group_by(table.c.target)
    return {target: int(count) for target, count in db.execute(query)}


def claim(db: Connection, now: datetime, limit: int) -> list[Entry]:
    """Take entries that are due, each the first that its target is yet to be told, for this process to deliver."""
    from sqlalchemy import func, select, update

    from ade_runtime.storage.schema import run_outbox

    first = (
        select(func.min(run_outbox.c.place)).where(run_outbox.c.state.in_(OPEN)).group_by(run_outbox.c.target)
    )
    due = select(run_outbox.c.id).where(
        run_outbox.c.place.in_(first), run_outbox.c.state == "pending", run_outbox.c.next_at <= to_ms(now)
    )
    query = due.order_by(run_outbox.c.place).limit(limit).with_for_update(skip_locked=True)
    found = list(db.execute(query).scalars())
    _delivering.update(found)
    for identifier in found:
        fits = (run_outbox.c.id == identifier, run_outbox.c.state == "pending")
        taken = {"state": "delivering", "attempts": run_outbox.c.attempts + 1, "holder": own_mark()}
        db.execute(update(run_outbox).where(*fits).values(taken))
    rows = db.execute(
        select(run_outbox).where(run_outbox.c.id.in_(found)).order_by(run_outbox.c.place)
    ).mappings()
    return [_entry(row) for row in rows]


def let_go(entry: Entry) -> None:
    """This process is not at the entry any more, whatever became of it."""
    _delivering.discard(entry.id)


def delivered(db: Connection, entry: Entry, now: datetime) -> None:
    _settle(db, entry, state="delivered", last_error=None, settled_at=to_ms(now))


def retry(db: Connection, entry: Entry, problem: str, now: datetime) -> EntryState:
    """The delivery went wrong: it is tried again later, or was the last try. Gives the state it is in then."""
    if entry.attempts >= MOST_ATTEMPTS:
        _settle(db, entry, state="failed", last_error=problem[:2000], settled_at=to_ms(now))
        return "failed"
    back = to_ms(now + back_off(entry.attempts))
    _settle(db, entry, state="pending", last_error=problem[:2000], next_at=back)
    return "pending"


def fail(db: Connection, entry: Entry, problem: str, now: datetime) -> None:
    """Nobody will ever be there to be told."""
    _settle(db, entry, state="failed", last_error=problem[:2000], settled_at=to_ms(now))


def drop_waiting(db: Connection, run: str, problem: str, now: datetime) -> int:
    """Nothing that waits in a run is told any more."""
    from sqlalchemy import update

    from ade_runtime.storage.schema import run_outbox

    fits = (run_outbox.c.run_id == run, run_outbox.c.state == "pending")
    values = {"state": "failed", "last_error": problem, "settled_at": to_ms(now)}
    return db.execute(update(run_outbox).where(*fits).values(values)).rowcount


def put_back(db: Connection, entry: Entry, next_at: datetime) -> None:
    """Its target cannot be told just now, through nobody's fault: that is no attempt."""
    _settle(db, entry, state="pending", attempts=entry.attempts - 1, next_at=to_ms(next_at))


def back_off(attempts: int) -> timedelta:
    """How long after so many attempts the next one is made."""
    return min(LONGEST_BACK_OFF, FIRST_BACK_OFF * float(2**attempts))


def release_left(db: Connection) -> int:
    """What was being delivered by processes that are no more, or was broken off here, is due again; the receiver knows what it
    was told."""
    from sqlalchemy import select, update

    from ade_runtime.storage.schema import run_outbox

    query = select(run_outbox.c.id, run_outbox.c.holder).where(run_outbox.c.state == "delivering")
    left = [row.id for row in db.execute(query) if not _at_work(row.id, str(row.holder))]
    for identifier in left:
        fits = (run_outbox.c.id == identifier, run_outbox.c.state == "delivering")
        db.execute(update(run_outbox).where(*fits).values(state="pending", holder=None))
    return len(left)


def anything_due(db: Connection, now: datetime) -> bool:
    """Whether there may be something to deliver or to release. It asks for no lock, as :func:`claim` does."""
    from sqlalchemy import and_, or_, select

    from ade_runtime.storage.schema import run_outbox as table

    due = and_(table.c.state == "pending", table.c.next_at <= to_ms(now))
    query = select(table.c.id).where(or_(table.c.state == "delivering", due)).limit(1)
    return db.execute(query).first() is not None


def next_due(db: Connection) -> datetime | None:
    """When the next attempt is to be made; ``None`` while nothing waits."""
    from sqlalchemy import func, select

    from ade_runtime.storage.schema import run_outbox

    first = (
        select(func.min(run_outbox.c.place)).where(run_outbox.c.state.in_(OPEN)).group_by(run_outbox.c.target)
    )
    waiting = (run_outbox.c.place.in_(first), run_outbox.c.state == "pending")
    found = db.execute(select(func.min(run_outbox.c.next_at)).where(*waiting)).scalar()
    return None if found is None else from_ms(found)


def _at_work(identifier: str, holder: str) -> bool:
    return identifier in _delivering if holder == own_mark() else is_running(holder)


def _settle(db: Connection, entry: Entry, **values: Any) -> None:
    from sqlalchemy import update

    from ade_runtime.storage.schema import run_outbox

    fits = (run_outbox.c.id == entry.id, run_outbox.c.state == "delivering")
    db.execute(update(run_outbox).where(*fits).values(holder=None, **values))


def _entry(row: Any) -> Entry:
    settled = row["settled_at"]
    return Entry(
        id=row["id"],
        place=row["place"],
        run=row["run_id"],
        kind=row["kind"],
        target=row["target"],
        sender=row["sender"],
        delivery=row["delivery"],
        text=row["text"],
        task=row["task"],
        state=row["state"],
        attempts=row["attempts"],
        next_at=from_ms(row["next_at"]),
        holder=row["holder"],
        last_error=row["last_error"],
        created_at=from_ms(row["created_at"]),
        settled_at=None if settled is None else from_ms(settled),
    )
