"""Programs that ADE keeps running in holder processes: terminals, processes of a project, test runs."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

holders = Table(
    "holders",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("project_id", String, nullable=False),
    Column("lane_id", String, nullable=False),
    Column("lane_name", String, nullable=False),
    Column("session_id", String),
    Column("name", String),
    Column("title", String),
    Column("command", Text, nullable=False),
    Column("cwd", String, nullable=False),
    Column("settings", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("ended_at", Integer),
    Column("outcome", Text),
    Index("ix_holders_project_id", "project_id", "kind", "created_at"),
    Index("ix_holders_lane_id", "lane_id"),
)
"""What was started, and once it was seen to have ended, how. Until then the holder's own folder tells. ``kind`` is terminal,
process or test; ``name`` that of the process or suite; ``command`` a JSON array; ``settings`` and ``outcome`` JSON objects
of the kind's own. ``session_id`` is the session that everything below the holder belongs to."""
