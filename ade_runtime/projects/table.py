"""Statements on the projects table, each run inside a transaction of the database thread."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import cast

from sqlalchemy import Connection, delete, func, insert, select, update

from ade_runtime.storage.schema import lanes, projects


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """One row; times in milliseconds since the epoch."""

    id: str
    root: str
    git_dir: str
    name: str
    added_at: int
    last_used_at: int


def all_projects(db: Connection) -> list[ProjectRow]:
    statement = select(projects).order_by(projects.c.last_used_at.desc(), projects.c.id)
    return [ProjectRow(**row) for row in db.execute(statement).mappings()]


def put(db: Connection, row: ProjectRow, *, rename: bool) -> ProjectRow:
    """Insert ``row``, or refresh the one that has its root; gives the row as it is then."""
    found = db.execute(select(projects).where(projects.c.root == row.root)).mappings().first()
    if found is None:
        db.execute(insert(projects).values(**asdict(row)))
        return row
    old = ProjectRow(**found)
    new = ProjectRow(
        id=old.id,
        root=old.root,
        git_dir=row.git_dir,
        name=row.name if rename else old.name,
        added_at=old.added_at,
        last_used_at=row.last_used_at,
    )
    db.execute(update(projects).where(projects.c.id == old.id).values(**asdict(new)))
    return new


def touch(db: Connection, project_id: str, now: int) -> None:
    db.execute(update(projects).where(projects.c.id == project_id).values(last_used_at=now))


def remove(db: Connection, project_id: str) -> None:
    db.execute(delete(projects).where(projects.c.id == project_id))


def lane_counts(db: Connection) -> dict[str, int]:
    statement = select(lanes.c.project_id, func.count()).group_by(lanes.c.project_id)
    return {cast("str", row[0]): cast("int", row[1]) for row in db.execute(statement)}
