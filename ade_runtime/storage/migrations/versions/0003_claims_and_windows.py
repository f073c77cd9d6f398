"""What an unfinished call has begun, kept with its receipt; calls counted in long windows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("receipts", sa.Column("claim", sa.Text(), nullable=True))
    op.create_table(
        "rate_windows",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rate_windows")),
    )
    op.create_index("ix_rate_windows_name_key", "rate_windows", ["name", "key", "at"], unique=False)
    op.create_index("ix_rate_windows_name_at", "rate_windows", ["name", "at"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_rate_windows_name_at", table_name="rate_windows")
    op.drop_index("ix_rate_windows_name_key", table_name="rate_windows")
    op.drop_table("rate_windows")
    with op.batch_alter_table("receipts") as table:
        table.drop_column("claim")
