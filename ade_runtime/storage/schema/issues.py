"""Which lane works on which issue."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table

from ade_runtime.storage.schema.base import metadata

issue_links = Table(
    "issue_links",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("lane_id", String, primary_key=True),
    Column("issue_id", String, nullable=False),
    Column("identifier", String, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_issue_links_issue_id", "project_id", "issue_id"),
)
"""``issue_id`` is the id in Linear, which stays when an issue moves to another team and ``identifier`` changes."""
