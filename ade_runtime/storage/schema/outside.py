"""What was last read of things that other services keep, so that they can be found without asking there."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata

outside_items = Table(
    "outside_items",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String, nullable=False),
    Column("id", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text),
    Column("names", Text, nullable=False),
    Column("lane_id", String),
    Column("author", String),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("project_id", "kind", "id", name="uq_outside_items_project_id"),
    sqlite_autoincrement=True,
)
"""``kind`` is pr or issue, ``id`` what it is called there. ``number`` grows with each change, so that who follows knows where
to go on. ``body`` is ``NULL`` until it was read."""
