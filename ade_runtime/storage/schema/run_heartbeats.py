"""When members of runs were last heard of."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table

from ade_runtime.storage.schema.base import metadata

run_heartbeats = Table(
    "run_heartbeats",
    metadata,
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("session_id", String, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("told", BigInteger),
)
"""It is no part of the manifest, so that being alive changes no etag. ``told`` is the moment since which a session was
silent when its lead was last told so: one silence is told of once."""
