"""Pull requests of lanes, and what was read from GitHub."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

pull_links = Table(
    "pull_links",
    metadata,
    Column("project_id", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("lane_id", String, primary_key=True),
    Column("repository", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
"""The pull request of a lane; ``repository`` is ``owner/name``, lower case."""

github_answers = Table(
    "github_answers",
    metadata,
    Column("key", String, primary_key=True),
    Column("etag", Text, nullable=False),
    Column("link", Text),
    Column("body", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Index("ix_github_answers_used_at", "used_at"),
)
"""Answers that are good for as long as GitHub says so of their entity tag. ``key`` is a hash over who asked and what; ``link``
is the header that names further pages; ``size`` counts the characters of ``body``."""

pull_lists = Table(
    "pull_lists",
    metadata,
    Column("key", String, primary_key=True),
    Column("document", Text, nullable=False),
    Column("read_at", BigInteger, nullable=False),
)
"""Lists of pull requests as they were last read. ``key`` is a hash over who asked and what for; ``document`` is JSON."""
