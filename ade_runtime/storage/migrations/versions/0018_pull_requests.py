"""Pull requests: which lane has which, what GitHub answered with which entity tag, and lists as they were last read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "pull_links",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=False),
        sa.Column("repository", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_pull_links_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "lane_id", name=op.f("pk_pull_links")),
    )
    op.create_table(
        "github_answers",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_github_answers")),
    )
    op.create_index("ix_github_answers_used_at", "github_answers", ["used_at"])
    op.create_table(
        "pull_lists",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_pull_lists")),
    )


def downgrade() -> None:
    op.drop_table("pull_lists")
    op.drop_table("github_answers")
    op.drop_table("pull_links")
