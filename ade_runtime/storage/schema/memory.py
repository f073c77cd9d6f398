"""What agents noted for each other: facts, discoveries waiting for the CTO, and the core of every prompt."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata

memory_facts = Table(
    "memory_facts",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("audience", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("digest", String, nullable=False),
    Column("tags", Text, nullable=False),
    Column("author", String, nullable=False),
    Column("session_id", String),
    Column("lane_id", String),
    Column("redactions", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("pinned_at", Integer),
    Column("archived_at", Integer),
    UniqueConstraint("project_id", "audience", "digest"),
    Index("ix_memory_facts_project_id", "project_id", "audience", "created_at"),
)
"""Facts. ``audience`` is everyone or cto; ``digest`` is of the normalised text, so that nothing is noted twice; ``tags`` is a
JSON list. Archived ones are found only when asked for."""

memory_discoveries = Table(
    "memory_discoveries",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("end", Integer, nullable=False),
    Column("id", String, nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("digest", String, nullable=False),
    Column("tags", Text, nullable=False),
    Column("author", String, nullable=False),
    Column("session_id", String),
    Column("lane_id", String),
    Column("redactions", Integer, nullable=False),
    Column("at", Integer, nullable=False),
)
"""The stream of discoveries of a project: each lies from byte ``start`` up to byte ``end``, without gaps."""

memory_state = Table(
    "memory_state",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("stream_end", Integer, nullable=False),
    Column("delivered", Integer, nullable=False),
    Column("acknowledged", Integer, nullable=False),
)
"""``revision`` grows with every change of a fact. The others are byte positions in the stream of discoveries: its end, how far
it was ever read, and how far it was acknowledged."""

memory_core = Table(
    "memory_core",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("author", String, nullable=False),
    Column("updated_at", Integer, nullable=False),
)
"""What every agent of the project is told first; ``revision`` counts its changes."""
