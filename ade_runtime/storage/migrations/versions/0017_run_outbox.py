"""What runs promised to tell their agents, and the receipts of what their leads asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "run_outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=True),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("task", sa.String(), nullable=True),
        sa.Column("once", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_outbox_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_outbox")),
        sa.UniqueConstraint("run_id", "once", name=op.f("uq_run_outbox_run_id")),
    )
    op.create_index("ix_run_outbox_state", "run_outbox", ["state", "target", "place"])
    op.create_index("ix_run_outbox_run_id", "run_outbox", ["run_id", "place"])
    op.create_table(
        "run_receipts",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=True),
        sa.Column("lane", sa.String(), nullable=True),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_receipts_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "kind", "request_id", name=op.f("pk_run_receipts")),
    )
    op.create_index("ix_run_receipts_digest", "run_receipts", ["run_id", "kind", "digest"])


def downgrade() -> None:
    op.drop_table("run_receipts")
    op.drop_table("run_outbox")
