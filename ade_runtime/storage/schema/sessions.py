"""Agents that ADE launched, their processes and the log of what happened to them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("token_hash", String, nullable=False, unique=True),
    Column("role", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("provider", String),
    Column("title", String),
    Column("project_id", String),
    Column("lane_id", String),
    Column("run_id", String),
    Column("chat_id", String),
    Column("parent_id", String),
    Column("interaction_mode", String),
    Column("capability_mode", String, nullable=False),
    Column("standalone", Integer, nullable=False),
    Column("started_at", Integer, nullable=False),
    Column("expires_at", Integer),
    Column("ended_at", Integer),
    Column("end_reason", String),
    Index("ix_sessions_started_at", "started_at"),
)
"""Agents that ADE launched. ``token_hash`` is the SHA-256 of the session's token, which is kept nowhere; ``parent_id`` is the
session that started it. Rows stay after the end, so that a token and a process of an ended session are known as such."""

session_processes = Table(
    "session_processes",
    metadata,
    Column("boot", String, primary_key=True),
    Column("pid", Integer, primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Index("ix_session_processes_session_id", "session_id"),
)
"""Processes below which everything belongs to a session. ``start`` is in the kernel's unit, since the start of the machine
``boot``."""

session_log = Table(
    "session_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session_id", String, nullable=False),
    Column("at", Integer, nullable=False),
    Column("event", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String, nullable=False),
    Index("ix_session_log_session_id", "session_id"),
    sqlite_autoincrement=True,
)
"""What happened to sessions, only ever appended to. ``hash`` covers the row and the hash of the one before it."""
