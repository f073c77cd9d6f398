"""The two unique constraints of lanes get a name each; until here both were called ``uq_lanes_project_id``."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    _move("uq_lanes_project_id_name_key", "uq_lanes_project_id_path")


def downgrade() -> None:
    _move("uq_lanes_project_id", "uq_lanes_project_id")


def _move(names: str, paths: str) -> None:
    """Copy the rows into a table whose constraints have these names. It is not left to alembic's batches, which take two
    constraints with one name for one."""
    lanes = op.create_table(
        "lanes_moved",
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
        sa.UniqueConstraint("project_id", "name_key", name=op.f(names)),
        sa.UniqueConstraint("project_id", "path", name=op.f(paths)),
    )
    columns = [column.name for column in lanes.columns]
    old = sa.table("lanes", *(sa.column(name) for name in columns))
    op.execute(sa.insert(lanes).from_select(columns, sa.select(old)))
    op.drop_table("lanes")
    op.rename_table("lanes_moved", "lanes")
