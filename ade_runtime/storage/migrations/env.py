"""Alembic's entry: runs the migrations on the connection that :mod:`ade_runtime.storage.migrations.apply` opened."""

from __future__ import annotations

from alembic import context

from ade_runtime.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
