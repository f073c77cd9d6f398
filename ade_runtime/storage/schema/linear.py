"""What happened in Linear, what waits to be handed on, by which rules, and how the connection stands."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata


def _project() -> Column[str]:
    return Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)


linear_events = Table(
    "linear_events",
    metadata,
    _project(),
    Column("id", String, primary_key=True),
    Column("change", String, nullable=False),
    Column("source", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("action", String, nullable=False),
    Column("identifier", String),
    Column("outcome", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    UniqueConstraint("project_id", "change", name="uq_linear_events_project_id"),
    Index("ix_linear_events_received_at", "project_id", "received_at"),
)
"""One row for each thing that happened, whichever way it came in: ``id`` is the delivery's, ``change`` says what happened."""

linear_items = Table(
    "linear_items",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("issue_id", String, nullable=False),
    Column("facts", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("route", String, nullable=False),
    Column("rule", String),
    Column("reason", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("lane_id", String),
    Column("target", String),
    Column("attempts", Integer, nullable=False),
    Column("error", Text),
    Column("holder", String),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("project_id", "issue_id", name="uq_linear_items_project_id"),
)
"""One row for each issue, so that none is handed on twice. ``holder`` is the mark of the process that hands it on."""

linear_policies = Table(
    "linear_policies",
    metadata,
    _project(),
    Column("revision", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("author", String, nullable=False),
    Column("note", Text),
    Column("created_at", BigInteger, nullable=False),
)
"""Every policy that was ever in force; the one with the highest revision is."""

linear_syncs = Table(
    "linear_syncs",
    metadata,
    _project(),
    Column("cursor", String),
    Column("polled_at", BigInteger),
    Column("poll_error", Text),
    Column("webhook_id", String),
    Column("webhook_url", String),
    Column("port", Integer),
    Column("taken", Integer, nullable=False),
    Column("rejected", Integer, nullable=False),
    Column("delivered_at", BigInteger),
    Column("rejected_reason", Text),
)
"""``cursor`` is the newest change that polling has seen, as Linear writes times; ``port`` is set where a webhook is wanted."""
