"""All tables. Times are integers, milliseconds since the epoch in UTC; documents are JSON text.

A change here needs a migration in :mod:`ade_runtime.storage.migrations` and a new ``HEAD``; a test holds both to the same
result.
"""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

HEAD = "0002"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

receipts = Table(
    "receipts",
    metadata,
    Column("identity", String, primary_key=True),
    Column("request_id", String, primary_key=True),
    Column("action", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("holder", String, nullable=False),
    Column("output", Text),
    Column("created_at", Integer, nullable=False),
    Index("ix_receipts_created_at", "created_at"),
)
"""Answers of calls made under a request id. ``digest`` is of action, project and arguments; ``output`` is null while the
call runs in the process named by ``holder``."""

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Integer, nullable=False),
    Column("identity", String, nullable=False),
    Column("role", String, nullable=False),
    Column("transport", String, nullable=False),
    Column("action", String, nullable=False),
    Column("effect", String, nullable=False),
    Column("project", String),
    Column("subject", String),
    Column("request_id", String),
    Column("outcome", String, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    Index("ix_audit_at", "at"),
    sqlite_autoincrement=True,
)
"""One row for every call that may change something or was denied. ``outcome`` is ``ok`` or an error code."""

operations = Table(
    "operations",
    metadata,
    Column("id", String, primary_key=True),
    Column("identity", String, nullable=False),
    Column("action", String, nullable=False),
    Column("holder", String, nullable=False),
    Column("state", String, nullable=False),
    Column("message", Text),
    Column("fraction", Integer),
    Column("output", Text),
    Column("error", Text),
    Column("started_at", Integer, nullable=False),
    Column("finished_at", Integer),
    Index("ix_operations_started_at", "started_at"),
)
"""Actions run in the background. ``state`` is running, done, failed or lost (its process ended first); ``fraction`` is in
thousandths."""

projects = Table(
    "projects",
    metadata,
    Column("id", String, primary_key=True),
    Column("root", String, nullable=False, unique=True),
    Column("git_dir", String, nullable=False),
    Column("name", String, nullable=False),
    Column("added_at", Integer, nullable=False),
    Column("last_used_at", Integer, nullable=False),
)
"""Registered repositories. ``root`` is the main checkout and ``git_dir`` git's shared folder, both with symlinks resolved."""

lanes = Table(
    "lanes",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False),
    Column("description", Text),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),
    Column("step", String),
    Column("path", String, nullable=False),
    Column("git_dir", String),
    Column("branch", String),
    Column("owns_branch", Integer, nullable=False),
    Column("parent_id", String),
    Column("base", String),
    Column("base_branch", String),
    Column("base_commit", String),
    Column("note", Text),
    Column("plan", Text),
    Column("created_at", Integer, nullable=False),
    Column("archived_at", Integer),
    UniqueConstraint("project_id", "name_key"),
    UniqueConstraint("project_id", "path"),
)
"""Lanes besides the primary one. ``name_key`` makes names that differ in case or Unicode form the same. ``state`` is creating,
active, archived or deleting; ``step`` and ``plan`` (JSON) say how far a creation or deletion is and what it intends, so
that another process can finish or undo it. ``git_dir`` is the worktree's own folder in git; ``branch`` its short name;
``owns_branch`` is 1 when ADE made the branch."""

deleted_lanes = Table(
    "deleted_lanes",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("lane_id", String, nullable=False),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False),
    Column("lane", Text, nullable=False),
    Column("head", String),
    Column("branch_commit", String),
    Column("snapshot", String),
    Column("discarded", Text, nullable=False),
    Column("deleted_at", Integer, nullable=False),
    Column("expires_at", Integer, nullable=False),
    Index("ix_deleted_lanes_project_id", "project_id", "deleted_at"),
)
"""What a deleted lane needs to come back. ``lane`` is its row as JSON; ``head``, ``branch_commit`` and ``snapshot`` are
commits kept alive by refs under ``refs/ade/trash/<id>/``."""

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
