"""Names of secrets; their values are never in the database."""

from __future__ import annotations

from sqlalchemy import Column, Integer, String, Table

from ade_runtime.storage.schema.base import metadata

secret_names = Table(
    "secret_names",
    metadata,
    Column("owner", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("store", String, nullable=False),
    Column("readers", String, nullable=False),
    Column("description", String),
    Column("author", String, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("updated_at", Integer, nullable=False),
)
"""``owner`` is a project's id or ``machine``; ``store`` says where the value is (keyring or file); ``readers`` is the lowest
role that may have it."""
