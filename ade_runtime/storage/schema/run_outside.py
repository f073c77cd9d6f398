"""What members of runs changed outside of their lanes."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

run_outside = Table(
    "run_outside",
    metadata,
    Column("id", String, primary_key=True),
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("key", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("lane_id", String),
    Column("sole", Integer, nullable=False),
    Column("found", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("uq_run_outside_run_id_key", "run_id", "key", unique=True),
)
"""``key`` is the same for whoever finds the same state at the same place, so that it is told of once. ``sole`` tells that no
other session was at work; ``found`` is the rest as JSON."""
