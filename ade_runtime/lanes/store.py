"""Lane rows: every statement on the lanes table, run on the database's own thread."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ade_generated import errors
from ade_runtime.lanes.naming import PRIMARY, name_key
from ade_runtime.lanes.records import LaneRecord, from_row
from ade_runtime.storage.schema import lanes

if TYPE_CHECKING:
    from ade_runtime.projects.registry import Project
    from ade_runtime.storage.database import Database


Also = Callable[[Connection], None]
"""A part of a transaction that somebody else contributes."""


def nothing_more(db: Connection) -> None:
    """Contribute nothing."""


class LaneStore:
    """Reads and writes lane rows of one database. Records it gives are snapshots."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self, project: Project) -> list[LaneRecord]:
        """The project's lanes besides the primary one, as they were made, unfinished ones included."""

        def rows(db: Connection) -> list[Any]:
            statement = select(lanes).where(lanes.c.project_id == project.id)
            return list(db.execute(statement.order_by(lanes.c.created_at, lanes.c.id)).mappings())

        return [from_row(project, row) for row in await self._database.read(rows)]

    async def get(self, project: Project, lane_id: str) -> LaneRecord | None:
        def row(db: Connection) -> Any:
            return db.execute(select(lanes).where(lanes.c.id == lane_id)).mappings().first()

        found = await self._database.read(row)
        return from_row(project, found) if found is not None else None

    async def names(self, ids: Collection[str]) -> dict[str, str]:
        """Names of lanes by id, in whatever state and project; the primary ones have no row."""

        def found(db: Connection) -> dict[str, str]:
            fits = select(lanes.c.id, lanes.c.name).where(lanes.c.id.in_(ids))
            return {row.id: row.name for row in db.execute(fits)}

        return await self._database.read(found)

    async def exists(self, ref: str) -> bool:
        """Whether any project has a lane with this id or name, besides the primary ones."""

        def found(db: Connection) -> bool:
            fits = select(lanes.c.id).where(or_(lanes.c.id == ref, lanes.c.name == ref)).limit(1)
            return db.execute(fits).first() is not None

        return await self._database.read(found)

    async def insert(self, record: LaneRecord, also: Also = nothing_more) -> None:
        """Add a lane; raises ``lane_name_taken`` for a name that another one has in some spelling. ``also`` runs in the same
        transaction."""

        def add(db: Connection) -> None:
            check_name_free(db, record.project.id, record.name, besides=record.id)
            db.execute(insert(lanes).values(id=record.id, **record.row()))
            also(db)

        await self._unique(add, record)

    async def change(self, record: LaneRecord, also: Also | None = None, **values: Any) -> LaneRecord:
        """Replace some fields, here and in the row, and give the new record. Other columns are not written:
        another call may have changed them since the record was read. ``also`` runs in the same transaction."""
        changed = replace(record, **values)
        before, after = record.row(), changed.row()
        columns = {name: value for name, value in after.items() if value != before[name]}

        def change(db: Connection) -> None:
            if "name_key" in columns:
                check_name_free(db, record.project.id, changed.name, besides=record.id)
            if columns:
                db.execute(update(lanes).where(lanes.c.id == record.id).values(**columns))
            if also is not None:
                also(db)

        if columns or also is not None:
            await self._unique(change, changed)
        return changed

    async def remove(self, record: LaneRecord) -> None:
        await self._database.write(lambda db: remove_lane(db, record))

    async def _unique(self, fn: Any, record: LaneRecord) -> None:
        try:
            await self._database.write(fn)
        except IntegrityError as problem:
            raise errors.LaneNameTaken(name=record.name, other=record.name) from problem


def remove_lane(db: Connection, record: LaneRecord) -> None:
    """Delete the row; lanes that stood on it stand on its parent afterwards."""
    below = update(lanes).where(lanes.c.parent_id == record.id, lanes.c.project_id == record.project.id)
    db.execute(below.values(parent_id=record.parent_id))
    db.execute(delete(lanes).where(lanes.c.id == record.id))


def check_name_free(db: Connection, project_id: str, name: str, *, besides: str) -> None:
    """Raise ``lane_name_taken`` when the primary lane or a lane other than ``besides`` has the name in some
    spelling."""
    key = name_key(name)
    if key == PRIMARY:
        raise errors.LaneNameTaken(name=name, other=PRIMARY)
    same = select(lanes.c.name).where(
        lanes.c.project_id == project_id, lanes.c.name_key == key, lanes.c.id != besides
    )
    other = db.execute(same).scalar()
    if other is not None:
        raise errors.LaneNameTaken(name=name, other=other)
