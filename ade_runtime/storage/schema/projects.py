"""Registered repositories and their lanes."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ade_runtime.storage.schema.base import metadata

projects = Table(
    "projects",
    metadata,
    Column("id", String, primary_key=True),
    Column("root", String, nullable=False, unique=True),
    Column("git_dir", String, nullable=False),
    Column("name", String, nullable=False),
    Column("added_at", Integer, nullable=False),
    Column("last_used_at", Integer, nullable=False),
)
"""Registered repositories. ``root`` is the main checkout and ``git_dir`` git's shared folder, both with symlinks resolved."""

lanes = Table(
    "lanes",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False),
    Column("description", Text),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),
    Column("step", String),
    Column("path", String, nullable=False),
    Column("git_dir", String),
    Column("branch", String),
    Column("owns_branch", Integer, nullable=False),
    Column("parent_id", String),
    Column("base", String),
    Column("base_branch", String),
    Column("base_commit", String),
    Column("note", Text),
    Column("plan", Text),
    Column("created_at", Integer, nullable=False),
    Column("archived_at", Integer),
    UniqueConstraint("project_id", "name_key", name="uq_lanes_project_id_name_key"),
    UniqueConstraint("project_id", "path", name="uq_lanes_project_id_path"),
)
"""Lanes besides the primary one. ``name_key`` makes names that differ in case or Unicode form the same. ``state`` is creating,
active, archived or deleting; ``step`` and ``plan`` (JSON) say how far a creation or deletion is and what it intends, so
that another process can finish or undo it. ``git_dir`` is the worktree's own folder in git; ``branch`` its short name;
``owns_branch`` is 1 when ADE made the branch."""

deleted_lanes = Table(
    "deleted_lanes",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("lane_id", String, nullable=False),
    Column("name", String, nullable=False),
    Column("name_key", String, nullable=False),
    Column("lane", Text, nullable=False),
    Column("head", String),
    Column("branch_commit", String),
    Column("snapshot", String),
    Column("discarded", Text, nullable=False),
    Column("deleted_at", Integer, nullable=False),
    Column("expires_at", Integer, nullable=False),
    Index("ix_deleted_lanes_project_id", "project_id", "deleted_at"),
)
"""What a deleted lane needs to come back. ``lane`` is its row as JSON; ``head``, ``branch_commit`` and ``snapshot`` are
commits kept alive by refs under ``refs/ade/trash/<id>/``."""
