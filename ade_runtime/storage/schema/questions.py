"""Questions that agents ask the user."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from ade_runtime.storage.schema.base import metadata

questions = Table(
    "questions",
    metadata,
    Column("id", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text),
    Column("parts", Text, nullable=False),
    Column("answers", Text, nullable=False),
    Column("identity", String, nullable=False),
    Column("session_id", String),
    Column("project_id", String),
    Column("awaited_until", BigInteger, nullable=False),
    Column("answered_by", String),
    Column("created_at", BigInteger, nullable=False),
    Column("answered_at", BigInteger),
    Index("ix_questions_state", "state", "created_at"),
)
"""``parts`` and ``answers`` are JSON. Until ``awaited_until`` somebody waits for the answer; after that a chat that asked is
told it instead."""
