"""Lease rows: every statement on their table, run on the database's own thread."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from ade_runtime.mcp_endpoint import leases
from ade_runtime.mcp_endpoint.leases import Lease, from_row
from ade_runtime.storage.schema import mcp_leases, sessions
from ade_runtime.storage.times import to_ms

KEPT_MS = 30 * 24 * 3600 * 1000
"""How long a lease that no longer works is still listed."""


def add(db: Connection, lease: Lease) -> None:
    """Put a new lease there; those that ended long ago go."""
    db.execute(delete(mcp_leases).where(mcp_leases.c.expires_at < to_ms(lease.created_at) - KEPT_MS))
    db.execute(insert(mcp_leases).values(**lease.row()))


def by_id(db: Connection, lease: str) -> Lease | None:
    """The lease with this id."""
    row = db.execute(select(mcp_leases).where(mcp_leases.c.id == lease)).mappings().one_or_none()
    return None if row is None else from_row(row)


def by_token_hash(db: Connection, token_hash: str) -> Lease | None:
    """The lease with this token, whether that still works or not."""
    found = select(mcp_leases).where(mcp_leases.c.token_hash == token_hash)
    row = db.execute(found).mappings().one_or_none()
    lease = None if row is None else from_row(row)
    return lease if lease is not None and leases.same(lease.token_hash, token_hash) else None


def revoke(db: Connection, lease: str, at: datetime) -> None:
    """End a lease; ending one that has ended changes nothing."""
    alive = update(mcp_leases).where(mcp_leases.c.id == lease, mcp_leases.c.revoked_at.is_(None))
    db.execute(alive.values(revoked_at=to_ms(at)))


def listed(db: Connection, *, session: str | None, live_at: datetime | None) -> list[Lease]:
    """Leases, the newest first; with ``live_at`` those that work then, whose session is live, too."""
    query = select(mcp_leases).order_by(mcp_leases.c.created_at.desc(), mcp_leases.c.id.desc())
    if session is not None:
        query = query.where(mcp_leases.c.session_id == session)
    if live_at is not None:
        now = to_ms(live_at)
        query = query.join(sessions, sessions.c.id == mcp_leases.c.session_id).where(
            mcp_leases.c.revoked_at.is_(None),
            mcp_leases.c.expires_at > now,
            sessions.c.ended_at.is_(None),
            sessions.c.expires_at.is_(None) | (sessions.c.expires_at > now),
        )
    return [from_row(row) for row in db.execute(query).mappings()]
