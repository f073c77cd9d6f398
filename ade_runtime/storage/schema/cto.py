"""Who the CTO of a project is."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

cto_identities = Table(
    "cto_identities",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("author", String, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)
"""What the CTO is told that it is; ``revision`` counts its changes."""
