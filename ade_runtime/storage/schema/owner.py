"""Which runtime may write: the last one that took over."""

from __future__ import annotations

from sqlalchemy import Column, Integer, String, Table

from ade_runtime.storage.schema.base import metadata

owner = Table(
    "owner",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("epoch", Integer, nullable=False),
    Column("holder", String, nullable=False),
    Column("since", Integer, nullable=False),
)
"""At most one row, with id 1. ``epoch`` grows by one with every runtime that begins to use the database; a runtime writes only
while the epoch is still the one it made. ``holder`` is the mark of its process, for people."""
