"""Evidence that agents and people put away for reviewers."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

proofs = Table(
    "proofs",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("lane_id", String),
    Column("session_id", String),
    Column("kind", String, nullable=False),
    Column("media_type", String, nullable=False),
    Column("name", String, nullable=False),
    Column("caption", Text),
    Column("about", Text),
    Column("source", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("pinned", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_proofs_project_id", "project_id", "created_at"),
    Index("ix_proofs_sha256", "sha256"),
)
"""One row for each piece of evidence; several may share a content. ``sha256`` names the content's file in the store, ``size``
is its bytes, ``width`` and ``height`` are pixels where they are known. ``about`` is a canonical ``ade://`` link; ``source``
is file, screenshot or recording."""

proof_limits = Table(
    "proof_limits",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("max_bytes", BigInteger, nullable=False),
    Column("max_age_days", Integer, nullable=False),
)
"""How much evidence is kept on this machine: one row, number 1, where the owner chose; otherwise the defaults hold."""
