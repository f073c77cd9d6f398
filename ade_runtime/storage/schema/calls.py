"""What the pipeline remembers of calls: receipts, the audit and runs in the background."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

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
    Column("claim", Text),
    Index("ix_receipts_created_at", "created_at"),
)
"""Answers of calls made under a request id. ``digest`` is of action, project and arguments; ``output`` is null while the
call runs in the process named by ``holder``; ``claim`` (JSON) names what the call has begun, for whoever repeats it when
its process died."""

rate_windows = Table(
    "rate_windows",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", String, nullable=False),
    Column("key", String, nullable=False),
    Column("at", Integer, nullable=False),
    Index("ix_rate_windows_name_key", "name", "key", "at"),
    Index("ix_rate_windows_name_at", "name", "at"),
)
"""Calls admitted under the rate limit ``name`` for the identity ``key``, where its window is too long to be forgotten with the
process. Rows go once they have left their window."""

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
