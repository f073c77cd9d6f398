"""Schedules, and each time they fired."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata

schedules = Table(
    "schedules",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String),
    Column("owner", String),
    Column("identity", String, nullable=False),
    Column("role", String, nullable=False),
    Column("session_id", String),
    Column("prompt", Text),
    Column("action", String),
    Column("arguments", Text),
    Column("lane_id", String),
    Column("kind", String, nullable=False),
    Column("expression", String, nullable=False),
    Column("zone", String, nullable=False),
    Column("recurring", Integer, nullable=False),
    Column("catch_up", String, nullable=False),
    Column("max_age", BigInteger),
    Column("reason", Text),
    Column("state", String, nullable=False),
    Column("next_at", BigInteger),
    Column("last", Text),
    Column("fired", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_schedules_next_at", "state", "next_at"),
    Index("ix_schedules_session_id", "session_id"),
)
"""``owner`` is the session that made it (null for the owner of the machine) and ``identity`` and ``role`` who it acts as.
``next_at`` is set while ``state`` is active or paused."""

schedule_firings = Table(
    "schedule_firings",
    metadata,
    Column("id", String, primary_key=True),
    Column("schedule_id", String, ForeignKey("schedules.id", ondelete="CASCADE"), nullable=False),
    Column("state", String, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("fired_at", BigInteger, nullable=False),
    Column("missed", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("retry_at", BigInteger),
    Column("result", Text),
    UniqueConstraint("schedule_id", "due_at", name="uq_schedule_firings_schedule_id"),
    Index("ix_schedule_firings_state", "state", "retry_at"),
    Index("ix_schedule_firings_fired_at", "fired_at"),
)
"""One row for each promise kept or not. It is put there in the transaction that moves the schedule on, so that nothing fires
twice; what it is to do to a chat is done in that transaction, too."""

schedule_pauses = Table(
    "schedule_pauses",
    metadata,
    Column("scope", String, primary_key=True),
    Column("since", Integer, nullable=False),
)
"""Chats (by id) or the ``machine``, for which nothing fires."""
