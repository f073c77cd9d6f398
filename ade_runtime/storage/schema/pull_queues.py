"""Queues of pull requests."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table, Text

from ade_runtime.storage.schema.base import metadata

pull_queues = Table(
    "pull_queues",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("repository", String, nullable=False),
    Column("target", String, nullable=False),
    Column("state", String, nullable=False),
    Column("method", String),
    Column("entries", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Index("ix_pull_queues_project_id", "project_id", "created_at"),
)
"""``state`` is active, paused, done or cancelled; ``entries`` is JSON, in the order in which they land: ``{lane, number, state,
note, merge_commit}``. ``method`` is how they are merged, ``NULL`` for the repository's usual way."""
