"""Leases of the MCP endpoint."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from ade_runtime.storage.schema.base import metadata

mcp_leases = Table(
    "mcp_leases",
    metadata,
    Column("id", String, primary_key=True),
    Column("token_hash", String, nullable=False, unique=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("client", String),
    Column("shape", String, nullable=False),
    Column("tools", String, nullable=False),
    Column("port", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("expires_at", Integer, nullable=False),
    Column("revoked_at", Integer),
    Index("ix_mcp_leases_session_id", "session_id"),
)
"""Who may use the endpoint over HTTP, as which session and until when. ``token_hash`` is the SHA-256 of the bearer token, which
is kept nowhere; ``port`` is where the client was told to find the endpoint, so that a later runtime listens there again."""
