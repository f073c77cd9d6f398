"""Deleted lanes, which can be brought back for 30 days: their rows, and the commits that refs keep alive for
them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, select

from ade_runtime.integrations.git.snapshot import KEEP, keep, prune
from ade_runtime.lanes.naming import name_key
from ade_runtime.lanes.records import LaneRecord, from_row
from ade_runtime.lanes.store import Also, nothing_more, remove_lane
from ade_runtime.storage.schema import deleted_lanes, lanes
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.projects.registry import Project
    from ade_runtime.storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedLane:
    """``lane`` is the record it had. ``head`` was checked out, ``branch_commit`` is where its branch was,
    ``snapshot`` holds its uncommitted and new files; each ``None`` where there was none. ``discarded`` is
    what was given up."""

    id: str
    lane: LaneRecord
    head: str | None
    branch_commit: str | None
    snapshot: str | None
    discarded: list[str]
    deleted_at: datetime
    expires_at: datetime


async def keep_commits(git: Git, trash_id: str, commits: dict[str, str | None], now: datetime) -> list[str]:
    """Keep commits alive, by what they are; gives the refs made for them."""
    label = trash_id.replace("_", "-")
    return [(await keep(git, c, f"{label}-{what}", now)).ref for what, c in commits.items() if c is not None]


async def bury(database: Database, deleted: DeletedLane, also: Also = nothing_more) -> None:
    """Put the row into the trash and take it out of the lanes, in one transaction with ``also``."""
    lane = deleted.lane

    def move(db: Connection) -> None:
        db.execute(
            insert(deleted_lanes).values(
                id=deleted.id,
                project_id=lane.project.id,
                lane_id=lane.id,
                name=lane.name,
                name_key=name_key(lane.name),
                lane=json.dumps({"id": lane.id, **lane.row()}, ensure_ascii=False),
                head=deleted.head,
                branch_commit=deleted.branch_commit,
                snapshot=deleted.snapshot,
                discarded=json.dumps(deleted.discarded),
                deleted_at=to_ms(deleted.deleted_at),
                expires_at=to_ms(deleted.expires_at),
            )
        )
        remove_lane(db, lane)
        also(db)

    await database.write(move)


async def in_trash(database: Database, project: Project, now: datetime) -> list[DeletedLane]:
    """Deleted lanes that can be brought back, the last deleted first."""

    def rows(db: Connection) -> list[Any]:
        found = select(deleted_lanes).where(
            deleted_lanes.c.project_id == project.id,
            deleted_lanes.c.expires_at > to_ms(now),
            deleted_lanes.c.lane_id.not_in(select(lanes.c.id)),
        )
        return list(db.execute(found.order_by(deleted_lanes.c.deleted_at.desc())).mappings())

    return [_deleted(project, row) for row in await database.read(rows)]


async def buried(database: Database, project: Project, trash_id: str) -> DeletedLane | None:
    """The deleted lane with this id in the trash, ``None`` where there is none."""

    def row(db: Connection) -> Any:
        return db.execute(select(deleted_lanes).where(deleted_lanes.c.id == trash_id)).mappings().first()

    found = await database.read(row)
    return None if found is None else _deleted(project, found)


async def expire(database: Database, git: Git, project: Project, now: datetime) -> None:
    """Let go of what is older than 30 days."""

    def drop(db: Connection) -> int:
        old = delete(deleted_lanes).where(
            deleted_lanes.c.project_id == project.id, deleted_lanes.c.expires_at <= to_ms(now)
        )
        return db.execute(old).rowcount

    if await database.write(drop):
        await prune(git, now)


def expiry(now: datetime) -> datetime:
    """Until when something deleted ``now`` can be brought back."""
    return now + KEEP


def _deleted(project: Project, row: Any) -> DeletedLane:
    return DeletedLane(
        id=row["id"],
        lane=from_row(project, json.loads(row["lane"])),
        head=row["head"],
        branch_commit=row["branch_commit"],
        snapshot=row["snapshot"],
        discarded=json.loads(row["discarded"]),
        deleted_at=from_ms(row["deleted_at"]),
        expires_at=from_ms(row["expires_at"]),
    )
