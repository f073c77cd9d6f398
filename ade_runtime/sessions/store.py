"""Session rows: every statement on the session tables, run on the database's own thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from ade_generated import errors
from ade_runtime.machine.ancestry import Process
from ade_runtime.sessions import log, tokens
from ade_runtime.sessions.records import SessionRecord, from_row
from ade_runtime.storage.schema import session_log, session_processes, sessions
from ade_runtime.storage.times import to_ms

LINEAGE_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Traced:
    """A process with the hashes of the session tokens it was started with."""

    process: Process
    token_hashes: tuple[str, ...]


def add(db: Connection, record: SessionRecord) -> None:
    """Put a new session there, with its entry in the log."""
    db.execute(insert(sessions).values(**record.row()))
    log.append(db, record.id, to_ms(record.started_at), "started", record.facts())


def attach(db: Connection, session: str, process: Process, boot: str, at: datetime) -> None:
    """Note that everything below ``process`` belongs to the session. Raises ``session_process_taken``."""
    place = {"boot": boot, "pid": process.pid, "start": process.start}
    same = [session_processes.c[name] == value for name, value in place.items()]
    holder = db.execute(select(session_processes.c.session_id).where(*same)).scalar()
    if holder == session:
        return
    if holder is not None:
        raise errors.SessionProcessTaken(pid=process.pid, session=holder)
    db.execute(insert(session_processes).values(**place, session_id=session))
    log.append(db, session, to_ms(at), "attached", place)


def change(db: Connection, session: str, at: datetime, **facts: str) -> None:
    """Set columns of a live session that decide what it may do, and say so in the log: a new ``token_hash`` (the old token is
    refused from then on), or the ``capability_mode`` that its program turned out to have."""
    db.execute(update(sessions).where(sessions.c.id == session).values(**facts))
    log.append(db, session, to_ms(at), "changed", facts)


def end(db: Connection, session: str, at: datetime, reason: str | None) -> None:
    """Revoke the session's token; ending one that has ended changes nothing."""
    alive = update(sessions).where(sessions.c.id == session, sessions.c.ended_at.is_(None))
    if db.execute(alive.values(ended_at=to_ms(at), end_reason=reason)).rowcount:
        log.append(db, session, to_ms(at), "ended", {"reason": reason})


def position(db: Connection) -> int:
    """How far the log is: it grows with every change of a session, and is 0 while there was none."""
    return int(db.execute(select(func.max(session_log.c.id))).scalar() or 0)


def by_id(db: Connection, session: str) -> SessionRecord | None:
    return _one(db, sessions.c.id == session)


def by_token_hash(db: Connection, token_hash: str) -> SessionRecord | None:
    """The session with this token, whether its token still works or not."""
    found = _one(db, sessions.c.token_hash == token_hash)
    return found if found is not None and tokens.same(found.token_hash, token_hash) else None


def around(db: Connection, chain: Sequence[Traced], boot: str) -> SessionRecord | None:
    """The session that the first of ``chain`` belongs to, live or not; those above it follow it.

    Read from the top: a process that ADE was told of is that session from there on down. One that was started with a
    session's token is that session where nothing stands above it, or where it was started from there; any other token is
    somebody else's. A process also belongs to the session whose process made its kernel session, which stays when its
    parents end; that counts where it is further down than what stands above.
    """
    rows = _attached(db, chain, boot)
    found: str | None = None
    for traced in reversed(chain):
        found = _told(traced.process, rows) or _given(db, traced, found) or found
    made = _maker(chain[0].process, rows) if chain else None
    if made is not None and (found is None or found in lineage(db, made)):
        found = made
    return None if found is None else by_id(db, found)


def _attached(db: Connection, chain: Sequence[Traced], boot: str) -> list[Row[Any]]:
    wanted = {pid for one in chain for pid in (one.process.pid, one.process.group)}
    columns = session_processes.c
    query = select(session_processes).where(columns.boot == boot, columns.pid.in_(wanted))
    return list(db.execute(query))


def _told(process: Process, rows: Sequence[Row[Any]]) -> str | None:
    same = (row for row in rows if (row.pid, row.start) == (process.pid, process.start))
    return next((str(row.session_id) for row in same), None)


def _given(db: Connection, traced: Traced, above: str | None) -> str | None:
    for token_hash in traced.token_hashes:
        record = by_token_hash(db, token_hash)
        if record is not None and (above is None or above in lineage(db, record.id)):
            return record.id
    return None


def _maker(process: Process, rows: Sequence[Row[Any]]) -> str | None:
    """The kernel keeps a pid from being used again while a kernel session bears it, so the last one to have it made this."""
    made = [row for row in rows if row.pid == process.group and row.start <= process.start]
    return str(max(made, key=lambda row: row.start).session_id) if made else None


def processes(db: Connection, session: str) -> list[tuple[str, int, int]]:
    """Boot, pid and start of each process attached to the session."""
    columns = session_processes.c
    query = select(columns.boot, columns.pid, columns.start).where(columns.session_id == session)
    return [(row.boot, row.pid, row.start) for row in db.execute(query.order_by(columns.start, columns.pid))]


def lineage(db: Connection, session: str | None) -> list[str]:
    """The session, the one that started it, and so on up."""
    found: list[str] = []
    while session is not None and session not in found and len(found) < LINEAGE_LIMIT:
        found.append(session)
        session = db.execute(select(sessions.c.parent_id).where(sessions.c.id == session)).scalar()
    return found


def listed(db: Connection, *, project: str | None, live_at: datetime | None) -> list[SessionRecord]:
    """Sessions, the newest first: of one project, and only those live at an instant, where that is asked."""
    query = select(sessions).order_by(sessions.c.started_at.desc(), sessions.c.id.desc())
    if project is not None:
        query = query.where(sessions.c.project_id == project)
    if live_at is not None:
        now = to_ms(live_at)
        query = query.where(
            sessions.c.ended_at.is_(None), sessions.c.expires_at.is_(None) | (sessions.c.expires_at > now)
        )
    return [from_row(row) for row in db.execute(query).mappings()]


def _one(db: Connection, condition: ColumnElement[bool]) -> SessionRecord | None:
    row = db.execute(select(sessions).where(condition)).mappings().one_or_none()
    return None if row is None else from_row(row)
