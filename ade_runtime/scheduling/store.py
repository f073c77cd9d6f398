"""Reading and writing schedules; every function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from ade_runtime.scheduling.records import (
    MACHINE,
    WAITING,
    Firing,
    FiringState,
    Schedule,
    firing_of,
    schedule_of,
)
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import schedule_firings, schedule_pauses, schedules
from ade_runtime.storage.times import from_ms, to_ms


def add(db: Connection, schedule: Schedule) -> None:
    db.execute(insert(schedules).values(schedule.row()))


def get(db: Connection, identifier: str) -> Schedule | None:
    row = db.execute(select(schedules).where(schedules.c.id == identifier)).mappings().first()
    return None if row is None else schedule_of(row)


def listed(db: Connection, *, project: str | None, session: str | None, everything: bool) -> list[Schedule]:
    """Schedules, the one that fires next first; those that fire no more come last."""
    query = select(schedules).order_by(schedules.c.next_at.is_(None), schedules.c.next_at, schedules.c.id)
    if project is not None:
        query = query.where(schedules.c.project_id == project)
    if session is not None:
        query = query.where(schedules.c.session_id == session)
    if not everything:
        query = query.where(schedules.c.state.in_(WAITING))
    return [schedule_of(row) for row in db.execute(query).mappings()]


def waiting_of(db: Connection, owner: str) -> int:
    """How many schedules of a maker still wait."""
    fits = and_(schedules.c.owner == owner, schedules.c.state.in_(WAITING))
    return int(db.execute(select(func.count()).select_from(schedules).where(fits)).scalar_one())


def change(db: Connection, identifier: str, **values: Any) -> None:
    if "next_at" in values and values["next_at"] is not None:
        values["next_at"] = to_ms(values["next_at"])
    db.execute(update(schedules).where(schedules.c.id == identifier).values(**values))


# -- what is due


def _may_fire() -> ColumnElement[bool]:
    paused = exists().where(
        or_(schedule_pauses.c.scope == MACHINE, schedule_pauses.c.scope == schedules.c.session_id)
    )
    return and_(schedules.c.state == "active", ~paused)


def next_due(db: Connection) -> datetime | None:
    """When something is due next, a firing or another try of one."""
    waiting = and_(_may_fire(), schedules.c.next_at.is_not(None))
    first = db.execute(
        select(schedules.c.next_at).where(waiting).order_by(schedules.c.next_at).limit(1)
    ).scalar()
    again = db.execute(
        select(func.min(schedule_firings.c.retry_at)).where(schedule_firings.c.state == "claimed")
    ).scalar()
    found = [value for value in (first, again) if value is not None]
    return from_ms(min(found)) if found else None


def due(db: Connection, now: datetime, limit: int) -> list[Schedule]:
    """Schedules that should have fired by now, the longest due first."""
    query = select(schedules).where(_may_fire(), schedules.c.next_at <= to_ms(now))
    rows = db.execute(query.order_by(schedules.c.next_at).limit(limit)).mappings()
    return [schedule_of(row) for row in rows]


def shift_delays(db: Connection, by: timedelta) -> int:
    """The wall clock was set: what is due after a delay moves along with it."""
    step = by // timedelta(milliseconds=1)
    done = db.execute(
        update(schedules)
        .where(schedules.c.kind == "delay", schedules.c.state.in_(WAITING))
        .values(next_at=schedules.c.next_at + step)
    )
    return done.rowcount


# -- firings


def firing(
    schedule: str,
    state: FiringState,
    due_at: datetime,
    now: datetime,
    missed: int,
    *,
    attempts: int = 0,
    result: str | None = None,
) -> Firing:
    """A new firing, for :func:`put_firings`."""
    return Firing(
        id=new_id("fir"),
        schedule=schedule,
        state=state,
        due_at=from_ms(to_ms(due_at)),
        fired_at=from_ms(to_ms(now)),
        missed=missed,
        attempts=attempts,
        result=result,
    )


def put_firings(db: Connection, made: Iterable[Firing]) -> None:
    """Put firings down."""
    rows = [
        {
            "id": one.id,
            "schedule_id": one.schedule,
            "state": one.state,
            "due_at": to_ms(one.due_at),
            "fired_at": to_ms(one.fired_at),
            "missed": one.missed,
            "attempts": one.attempts,
            "retry_at": None,
            "result": one.result,
        }
        for one in made
    ]
    db.execute(insert(schedule_firings), rows)


_MOVED = ("state", "next_at", "fired", "last")
_MOVE = (
    update(schedules)
    .where(schedules.c.id == bindparam("moved_id"))
    .values({name: bindparam(f"moved_{name}") for name in _MOVED})
)


def put_schedules(db: Connection, moved: Iterable[Schedule]) -> None:
    """Write down how far schedules have come."""
    rows = [(one.id, one.row()) for one in moved]
    values = [
        {"moved_id": identifier, **{f"moved_{name}": row[name] for name in _MOVED}}
        for identifier, row in rows
    ]
    db.execute(_MOVE, values)


def settle(
    db: Connection,
    firing: str,
    state: FiringState,
    result: str | None,
    *,
    attempts: int,
    retry_at: datetime | None = None,
) -> None:
    """Say what became of a claimed firing."""
    db.execute(
        update(schedule_firings)
        .where(schedule_firings.c.id == firing)
        .values(
            state=state,
            result=result,
            attempts=attempts,
            retry_at=None if retry_at is None else to_ms(retry_at),
        )
    )


def claimed(db: Connection, by: datetime | None = None) -> list[Firing]:
    """Firings that are being done, or are to be tried again by an instant."""
    query = select(schedule_firings).where(schedule_firings.c.state == "claimed")
    if by is not None:
        query = query.where(schedule_firings.c.retry_at <= to_ms(by))
    return [firing_of(row) for row in db.execute(query).mappings()]


def under_way(db: Connection, schedules: Collection[str]) -> set[str]:
    """Those of some schedules that have a firing which is being done."""
    fits = and_(schedule_firings.c.schedule_id.in_(schedules), schedule_firings.c.state == "claimed")
    return set(db.execute(select(schedule_firings.c.schedule_id).where(fits).distinct()).scalars())


def count_missed(db: Connection, schedule: str, result: str) -> bool:
    """Count one more missed time at a schedule's latest firing, where that was skipped with this result."""
    latest = (
        select(schedule_firings)
        .where(schedule_firings.c.schedule_id == schedule)
        .order_by(schedule_firings.c.due_at.desc())
        .limit(1)
    )
    row = db.execute(latest).mappings().first()
    if row is None or (row["state"], row["result"]) != ("skipped", result):
        return False
    one = update(schedule_firings).where(schedule_firings.c.id == row["id"])
    db.execute(one.values(missed=schedule_firings.c.missed + 1))
    return True


def fired(db: Connection, identifier: str) -> Firing:
    """A firing that is there."""
    row = db.execute(select(schedule_firings).where(schedule_firings.c.id == identifier)).mappings().one()
    return firing_of(row)


def history(db: Connection, *, schedule: str | None, project: str | None) -> list[Firing]:
    """Firings, the newest first."""
    query = select(schedule_firings).order_by(
        schedule_firings.c.fired_at.desc(), schedule_firings.c.id.desc()
    )
    if schedule is not None:
        query = query.where(schedule_firings.c.schedule_id == schedule)
    if project is not None:
        inside = select(schedules.c.id).where(schedules.c.project_id == project)
        query = query.where(schedule_firings.c.schedule_id.in_(inside))
    return [firing_of(row) for row in db.execute(query.limit(10_000)).mappings()]


def has_fired(db: Connection, schedule: str, due_at: datetime) -> bool:
    """Whether a promise was kept, or settled otherwise."""
    fits = and_(schedule_firings.c.schedule_id == schedule, schedule_firings.c.due_at == to_ms(due_at))
    return db.execute(select(schedule_firings.c.id).where(fits)).first() is not None


# -- pauses


def pause(db: Connection, scope: str, now: datetime) -> None:
    if db.execute(select(schedule_pauses.c.scope).where(schedule_pauses.c.scope == scope)).first() is None:
        db.execute(insert(schedule_pauses).values(scope=scope, since=to_ms(now)))


def resume(db: Connection, scope: str) -> None:
    db.execute(delete(schedule_pauses).where(schedule_pauses.c.scope == scope))


def pauses(db: Connection) -> frozenset[str]:
    """What is paused besides single schedules: ids of chats, and the whole machine."""
    return frozenset(db.execute(select(schedule_pauses.c.scope)).scalars())


def paused(db: Connection, session: str | None) -> bool:
    """Whether a chat or the whole machine is paused."""
    scopes = [MACHINE] if session is None else [MACHINE, session]
    return (
        db.execute(select(schedule_pauses.c.scope).where(schedule_pauses.c.scope.in_(scopes))).first()
        is not None
    )
