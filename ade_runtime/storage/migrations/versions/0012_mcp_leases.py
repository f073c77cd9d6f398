"""Leases of the MCP endpoint."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "mcp_leases",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("client", sa.String(), nullable=True),
        sa.Column("shape", sa.String(), nullable=False),
        sa.Column("tools", sa.String(), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=False),
        sa.Column("revoked_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_mcp_leases_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_leases")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_mcp_leases_token_hash")),
    )
    op.create_index("ix_mcp_leases_session_id", "mcp_leases", ["session_id"])


def downgrade() -> None:
    op.drop_table("mcp_leases")
