"""What members of runs changed outside of their lanes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "run_outside",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("sole", sa.Integer(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_outside_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_outside")),
    )
    op.create_index("uq_run_outside_run_id_key", "run_outside", ["run_id", "key"], unique=True)


def downgrade() -> None:
    op.drop_table("run_outside")
