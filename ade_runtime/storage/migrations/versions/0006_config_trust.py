"""Which commands of a project's configuration its owner trusts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "config_trust",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("granted_at", sa.Integer(), nullable=False),
        sa.Column("granted_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_config_trust_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "hash", name=op.f("pk_config_trust")),
    )


def downgrade() -> None:
    op.drop_table("config_trust")
