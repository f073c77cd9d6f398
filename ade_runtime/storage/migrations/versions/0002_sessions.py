"""Sessions, their processes and their log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("provider", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("project_id", sa.String(), nullable=True),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("chat_id", sa.String(), nullable=True),
        sa.Column("parent_id", sa.String(), nullable=True),
        sa.Column("interaction_mode", sa.String(), nullable=True),
        sa.Column("capability_mode", sa.String(), nullable=False),
        sa.Column("standalone", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=True),
        sa.Column("ended_at", sa.Integer(), nullable=True),
        sa.Column("end_reason", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
    )
    op.create_index("ix_sessions_started_at", "sessions", ["started_at"], unique=False)
    op.create_table(
        "session_processes",
        sa.Column("boot", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_session_processes_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("boot", "pid", "start", name=op.f("pk_session_processes")),
    )
    op.create_index("ix_session_processes_session_id", "session_processes", ["session_id"], unique=False)
    op.create_table(
        "session_log",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session_log")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_session_log_session_id", "session_log", ["session_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_session_log_session_id", table_name="session_log")
    op.drop_table("session_log")
    op.drop_index("ix_session_processes_session_id", table_name="session_processes")
    op.drop_table("session_processes")
    op.drop_index("ix_sessions_started_at", table_name="sessions")
    op.drop_table("sessions")
