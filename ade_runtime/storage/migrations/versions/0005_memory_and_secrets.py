"""Memory, and the names of secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "memory_facts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("audience", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("redactions", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("pinned_at", sa.Integer(), nullable=True),
        sa.Column("archived_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memory_facts_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_facts")),
        sa.UniqueConstraint("project_id", "audience", "digest", name=op.f("uq_memory_facts_project_id")),
    )
    op.create_index(
        "ix_memory_facts_project_id", "memory_facts", ["project_id", "audience", "created_at"], unique=False
    )
    op.create_table(
        "memory_discoveries",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("redactions", sa.Integer(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memory_discoveries_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "start", name=op.f("pk_memory_discoveries")),
        sa.UniqueConstraint("id", name=op.f("uq_memory_discoveries_id")),
    )
    op.create_table(
        "memory_state",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("stream_end", sa.Integer(), nullable=False),
        sa.Column("delivered", sa.Integer(), nullable=False),
        sa.Column("acknowledged", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memory_state_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_memory_state")),
    )
    op.create_table(
        "memory_core",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memory_core_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_memory_core")),
    )
    op.create_table(
        "secret_names",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("store", sa.String(), nullable=False),
        sa.Column("readers", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "name", name=op.f("pk_secret_names")),
    )


def downgrade() -> None:
    op.drop_table("secret_names")
    op.drop_table("memory_core")
    op.drop_table("memory_state")
    op.drop_table("memory_discoveries")
    op.drop_index("ix_memory_facts_project_id", table_name="memory_facts")
    op.drop_table("memory_facts")
