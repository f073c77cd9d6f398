"""Runs of several agents, and what has changed in each."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table, Text

from ade_runtime.storage.schema.base import metadata

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("lane_id", String, nullable=False),
    Column("lead", String, nullable=False),
    Column("state", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("phase", String, nullable=False),
    Column("etag", String, nullable=False),
    Column("generation", BigInteger, nullable=False),
    Column("manifest", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Index("ix_runs_project_id", "project_id", "created_at"),
    Index("ix_runs_lead", "lead"),
)
"""``manifest`` is the state as JSON, without the tasks: they are in ``run_tasks``. Title, phase, etag and generation are
repeated beside it so that a list reads no manifests. ``state`` is active or cancelled."""

run_tasks = Table(
    "run_tasks",
    metadata,
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("task", Text, nullable=False),
)
"""The tasks of a manifest as JSON, in order from 0. They are by far the most of it, and a change is one of few of them: only
those are written."""

run_history = Table(
    "run_history",
    metadata,
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("generation", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("summary", Text, nullable=False),
    Column("etag", String, nullable=False),
)
"""One row a change. It is no part of the manifest, so that a change costs the same however many came before."""
