"""Rows of the audit are never changed, and removed only once they are old."""

from __future__ import annotations

from alembic import op

from ade_runtime.storage.schema.audit_guard import ADD, REMOVE

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for statement in ADD:
            op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for statement in REMOVE:
            op.execute(statement)
