"""Schedules and their firings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("prompt", sa.Text(), nullable=True),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("arguments", sa.Text(), nullable=True),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("expression", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("recurring", sa.Integer(), nullable=False),
        sa.Column("catch_up", sa.String(), nullable=False),
        sa.Column("max_age", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("last", sa.Text(), nullable=True),
        sa.Column("fired", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    op.create_index("ix_schedules_next_at", "schedules", ["state", "next_at"])
    op.create_index("ix_schedules_session_id", "schedules", ["session_id"])
    op.create_table(
        "schedule_firings",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("schedule_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("fired_at", sa.BigInteger(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["schedule_id"],
            ["schedules.id"],
            name=op.f("fk_schedule_firings_schedule_id"),
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint("schedule_id", "due_at", name=op.f("uq_schedule_firings_schedule_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedule_firings")),
    )
    op.create_index("ix_schedule_firings_state", "schedule_firings", ["state", "retry_at"])
    op.create_index("ix_schedule_firings_fired_at", "schedule_firings", ["fired_at"])
    op.create_table(
        "schedule_pauses",
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_schedule_pauses")),
    )


def downgrade() -> None:
    op.drop_table("schedule_pauses")
    op.drop_table("schedule_firings")
    op.drop_table("schedules")
