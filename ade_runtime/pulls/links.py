"""Which pull request a lane has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from ade_runtime.storage.schema import pull_links

if TYPE_CHECKING:
    from sqlalchemy import Connection

_C = pull_links.c


def put(db: Connection, project: str, lane: str, repository: str, number: int, now: int) -> None:
    """Give a lane its pull request, in place of another. ``now`` is in milliseconds since the epoch."""
    db.execute(delete(pull_links).where(_C.project_id == project, _C.lane_id == lane))
    values = {"project_id": project, "lane_id": lane, "repository": repository, "number": number}
    db.execute(insert(pull_links).values(**values, created_at=now))


def of_lane(db: Connection, project: str, lane: str, repository: str) -> int | None:
    query = select(_C.number).where(_C.project_id == project, _C.lane_id == lane, _C.repository == repository)
    return db.execute(query).scalar_one_or_none()


def lanes_of(db: Connection, project: str, repository: str) -> dict[int, str]:
    """The lane of each pull request, the last linked where it has several."""
    query = select(_C.number, _C.lane_id).where(_C.project_id == project, _C.repository == repository)
    return {row.number: row.lane_id for row in db.execute(query.order_by(_C.created_at))}
