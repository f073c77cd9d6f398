"""The tasks of a run in rows of their own."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

RUNS = sa.table("runs", sa.column("id"), sa.column("manifest"))
TASKS = sa.table("run_tasks", sa.column("run_id"), sa.column("place"), sa.column("task"))


def upgrade() -> None:
    op.create_table(
        "run_tasks",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_tasks_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "place", name=op.f("pk_run_tasks")),
    )
    connection = op.get_bind()
    for run, text in connection.execute(sa.select(RUNS.c.id, RUNS.c.manifest)).all():
        manifest = _read(text)
        if manifest is None:
            continue
        rows = [
            {"run_id": run, "place": place, "task": _written(task)}
            for place, task in enumerate(manifest.get("tasks", []))
        ]
        if rows:
            connection.execute(sa.insert(TASKS), rows)
        _store(connection, run, manifest | {"tasks": []})


def downgrade() -> None:
    connection = op.get_bind()
    for run, text in connection.execute(sa.select(RUNS.c.id, RUNS.c.manifest)).all():
        manifest = _read(text)
        if manifest is None:
            continue
        query = sa.select(TASKS.c.task).where(TASKS.c.run_id == run).order_by(TASKS.c.place)
        tasks = [json.loads(one) for one in connection.execute(query).scalars()]
        _store(connection, run, manifest | {"tasks": tasks})
    op.drop_table("run_tasks")


def _read(text: str) -> dict[str, Any] | None:
    """A manifest; ``None`` for what somebody has damaged, which stays as it is."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _store(connection: sa.Connection, run: str, manifest: object) -> None:
    connection.execute(sa.update(RUNS).where(RUNS.c.id == run).values(manifest=_written(manifest)))


def _written(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
