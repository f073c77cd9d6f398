"""What runs have promised to tell their agents, and the receipts of what was asked for in them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata

run_outbox = Table(
    "run_outbox",
    metadata,
    Column("id", String, primary_key=True),
    Column("place", BigInteger, nullable=False),
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String, nullable=False),
    Column("target", String, nullable=False),
    Column("sender", String),
    Column("delivery", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("task", String),
    Column("once", String),
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", BigInteger, nullable=False),
    Column("holder", String),
    Column("last_error", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("settled_at", BigInteger),
    UniqueConstraint("run_id", "once"),
    Index("ix_run_outbox_state", "state", "target", "place"),
    Index("ix_run_outbox_run_id", "run_id", "place"),
)
"""``place`` orders what one target is told. ``state`` is pending, delivering, delivered or failed; ``holder`` marks the process
that delivers. ``once`` names what is told once only, however often it is found."""

run_receipts = Table(
    "run_receipts",
    metadata,
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("request_id", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("session", String),
    Column("lane", String),
    Column("holder", String),
    Column("result", Text),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_run_receipts_digest", "run_id", "kind", "digest"),
)
"""``state`` is pending or completed; ``session`` and ``lane`` name what a pending one is about to make. ``attempt`` counts the
requests with the same ``digest`` of their content."""
