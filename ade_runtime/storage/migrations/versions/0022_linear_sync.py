"""What happened in Linear, what waits to be handed on, by which rules, and how the connection stands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def _of_project(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_project_id")
    return sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "linear_events",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("identifier", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        _of_project("linear_events"),
        sa.PrimaryKeyConstraint("project_id", "id", name=op.f("pk_linear_events")),
        sa.UniqueConstraint("project_id", "change", name=op.f("uq_linear_events_project_id")),
    )
    op.create_index("ix_linear_events_received_at", "linear_events", ["project_id", "received_at"])
    op.create_table(
        "linear_items",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("issue_id", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("route", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("lane_id", sa.String(), nullable=True),
        sa.Column("target", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        _of_project("linear_items"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_linear_items")),
        sa.UniqueConstraint("project_id", "issue_id", name=op.f("uq_linear_items_project_id")),
    )
    op.create_table(
        "linear_policies",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _of_project("linear_policies"),
        sa.PrimaryKeyConstraint("project_id", "revision", name=op.f("pk_linear_policies")),
    )
    op.create_table(
        "linear_syncs",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("cursor", sa.String(), nullable=True),
        sa.Column("polled_at", sa.BigInteger(), nullable=True),
        sa.Column("poll_error", sa.Text(), nullable=True),
        sa.Column("webhook_id", sa.String(), nullable=True),
        sa.Column("webhook_url", sa.String(), nullable=True),
        sa.Column("port", sa.Integer(), nullable=True),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("rejected", sa.Integer(), nullable=False),
        sa.Column("delivered_at", sa.BigInteger(), nullable=True),
        sa.Column("rejected_reason", sa.Text(), nullable=True),
        _of_project("linear_syncs"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_linear_syncs")),
    )


def downgrade() -> None:
    for table in ("linear_syncs", "linear_policies", "linear_items", "linear_events"):
        op.drop_table(table)
