"""Programs kept running in holder processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "holders",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=False),
        sa.Column("lane_name", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("cwd", sa.String(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holders")),
    )
    op.create_index("ix_holders_project_id", "holders", ["project_id", "kind", "created_at"], unique=False)
    op.create_index("ix_holders_lane_id", "holders", ["lane_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_holders_lane_id", table_name="holders")
    op.drop_index("ix_holders_project_id", table_name="holders")
    op.drop_table("holders")
