"""Statements on the audit table, run on the database's own thread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, text

from ade_runtime.storage.schema import audit, sessions
from ade_runtime.storage.schema.audit_guard import OLD_ROW
from ade_runtime.storage.times import to_ms

PRUNE_EVERY = 256
"""Rows after whose number of additions old ones are looked for."""

PRUNE_AT_MOST = 2 * PRUNE_EVERY
COUNTED = 10_000
"""Most rows that are counted for an answer."""

SESSION = "session:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which rows a reader asks for; ``None`` stands for any."""

    action: str | None = None
    identity: str | None = None
    project: str | None = None
    subject: str | None = None
    outcome: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """Which rows a reader may see: those of a project, and those of a session and the ones it started. Neither: all."""

    project: str | None = None
    session: str | None = None


ALL = Allowed()


def append(db: Connection, **values: Any) -> None:
    """Add a row, and now and then remove some of those that are old enough to go."""
    added = db.execute(insert(audit).values(**values)).inserted_primary_key
    if added is not None and added[0] % PRUNE_EVERY == 0 and db.dialect.name == "sqlite":
        old = select(audit.c.id).where(text(OLD_ROW)).order_by(audit.c.id).limit(PRUNE_AT_MOST)
        db.execute(delete(audit).where(audit.c.id.in_(old)))


def page(
    db: Connection, wanted: Wanted, allowed: Allowed, before: int | None, limit: int
) -> tuple[list[Row[Any]], int | None]:
    """Rows from the newest on, one more than ``limit`` where there are more, and how many fit in all: ``None`` for more than
    :data:`COUNTED`."""
    conditions = [*_asked(wanted), *_may(allowed)]
    rows = select(audit).where(*conditions).order_by(audit.c.id.desc()).limit(limit + 1)
    if before is not None:
        rows = rows.where(audit.c.id < before)
    counted = select(audit.c.id).where(*conditions).limit(COUNTED + 1).subquery()
    total = int(db.execute(select(func.count()).select_from(counted)).scalar_one())
    return list(db.execute(rows)), total if total <= COUNTED else None


def _asked(wanted: Wanted) -> list[ColumnElement[bool]]:
    columns, found = audit.c, []
    if wanted.action is not None:
        domain = columns.action.startswith(wanted.action + ".", autoescape=True)
        found.append(or_(columns.action == wanted.action, domain))
    for name in ("identity", "project", "subject"):
        value = getattr(wanted, name)
        if value is not None:
            found.append(columns[name] == value)
    if wanted.outcome == "failed":
        found.append(columns.outcome != "ok")
    elif wanted.outcome is not None:
        found.append(columns.outcome == wanted.outcome)
    if wanted.since is not None:
        found.append(columns.at >= to_ms(wanted.since))
    if wanted.until is not None:
        found.append(columns.at < to_ms(wanted.until))
    return found


def _may(allowed: Allowed) -> Collection[ColumnElement[bool]]:
    ways = []
    if allowed.project is not None:
        ways.append(audit.c.project == allowed.project)
    if allowed.session is not None:
        ways.append(audit.c.identity.in_(_keys_below(allowed.session)))
    return [or_(*ways)] if ways else []


def _keys_below(session: str) -> Select[tuple[str]]:
    """Identities of a session and of all that it, or one of those, started."""
    below = select(sessions.c.id).where(sessions.c.id == session).cte("below", recursive=True)
    below = below.union(select(sessions.c.id).where(sessions.c.parent_id == below.c.id))
    return select(SESSION + below.c.id)
