"""Rows that say which lane works on which issue; every function works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from ade_runtime.storage.schema import issue_links
from ade_runtime.storage.times import to_ms

_C = issue_links.c


@dataclass(frozen=True, slots=True)
class IssueLink:
    """``issue`` is the id in Linear, ``identifier`` what people call it."""

    lane: str
    issue: str
    identifier: str


def of_lane(db: Connection, project: str, lane: str) -> IssueLink | None:
    row = db.execute(select(issue_links).where(_C.project_id == project, _C.lane_id == lane)).first()
    return None if row is None else IssueLink(row.lane_id, row.issue_id, row.identifier)


def lanes_of(db: Connection, project: str) -> dict[str, str]:
    """Ids of lanes by the issue they work on; of several the one that was linked last."""
    rows = db.execute(select(issue_links).where(_C.project_id == project).order_by(_C.created_at, _C.lane_id))
    return {row.issue_id: row.lane_id for row in rows}


def put(db: Connection, project: str, link: IssueLink, now: datetime) -> None:
    """Link the lane, in place of what it was linked to."""
    db.execute(delete(issue_links).where(_C.project_id == project, _C.lane_id == link.lane))
    values = {"lane_id": link.lane, "issue_id": link.issue, "identifier": link.identifier}
    db.execute(insert(issue_links).values(project_id=project, created_at=to_ms(now), **values))
