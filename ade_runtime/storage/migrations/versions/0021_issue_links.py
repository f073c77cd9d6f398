"""Which lane works on which issue."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "issue_links",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=False),
        sa.Column("issue_id", sa.String(), nullable=False),
        sa.Column("identifier", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_issue_links_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "lane_id", name=op.f("pk_issue_links")),
    )
    op.create_index("ix_issue_links_issue_id", "issue_links", ["project_id", "issue_id"])


def downgrade() -> None:
    op.drop_table("issue_links")
