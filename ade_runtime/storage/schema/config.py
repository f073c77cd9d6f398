"""What a project's owner trusts of its configuration."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, String, Table

from ade_runtime.storage.schema.base import metadata

config_trust = Table(
    "config_trust",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("hash", String, primary_key=True),
    Column("granted_at", Integer, nullable=False),
    Column("granted_by", String, nullable=False),
)
"""Configurations whose commands may run. ``hash`` covers every part that names a command; ``granted_by`` is the identity's
key."""
