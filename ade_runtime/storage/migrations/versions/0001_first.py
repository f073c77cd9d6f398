"""The first schema.

Frozen: later changes are migrations of their own.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("transport", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("effect", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=True),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_table(
        "operations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("fraction", sa.Integer(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("started_at", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operations")),
    )
    op.create_index("ix_operations_started_at", "operations", ["started_at"], unique=False)
    op.create_table(
        "projects",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("git_dir", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("added_at", sa.Integer(), nullable=False),
        sa.Column("last_used_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("root", name=op.f("uq_projects_root")),
    )
    op.create_table(
        "receipts",
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("identity", "request_id", name=op.f("pk_receipts")),
    )
    op.create_index("ix_receipts_created_at", "receipts", ["created_at"], unique=False)
    op.create_table(
        "deleted_lanes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("head", sa.String(), nullable=True),
        sa.Column("branch_commit", sa.String(), nullable=True),
        sa.Column("snapshot", sa.String(), nullable=True),
        sa.Column("discarded", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_deleted_lanes_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deleted_lanes")),
    )
    op.create_index(
        "ix_deleted_lanes_project_id", "deleted_lanes", ["project_id", "deleted_at"], unique=False
    )
    op.create_table(
        "lanes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=True),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("git_dir", sa.String(), nullable=True),
        sa.Column("branch", sa.String(), nullable=True),
        sa.Column("owns_branch", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.String(), nullable=True),
        sa.Column("base", sa.String(), nullable=True),
        sa.Column("base_branch", sa.String(), nullable=True),
        sa.Column("base_commit", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("plan", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("archived_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_lanes_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lanes")),
        sa.UniqueConstraint("project_id", "name_key", name=op.f("uq_lanes_project_id")),
        sa.UniqueConstraint("project_id", "path", name=op.f("uq_lanes_project_id")),
    )


def downgrade() -> None:
    op.drop_table("lanes")
    op.drop_index("ix_deleted_lanes_project_id", table_name="deleted_lanes")
    op.drop_table("deleted_lanes")
    op.drop_index("ix_receipts_created_at", table_name="receipts")
    op.drop_table("receipts")
    op.drop_table("projects")
    op.drop_index("ix_operations_started_at", table_name="operations")
    op.drop_table("operations")
    op.drop_index("ix_audit_at", table_name="audit")
    op.drop_table("audit")
