"""Remembering what was read of pull requests and issues, so that a search finds them without asking their services."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_runtime.search.documents import LONGEST_BODY, LONGEST_TITLE

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

MOST_KEPT = 20_000
"""Of one kind in one project; the longest unchanged give way."""
_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """One of them. ``id`` is what its service calls it; ``names`` are further words it is called by. ``body`` is ``None`` where
    it was not read: what is known of it stays. ``at`` is when it changed there, in milliseconds since the epoch."""

    id: str
    title: str
    body: str | None
    names: str
    lane: str | None
    author: str | None
    at: int


async def remember(services: Services, project: str, kind: str, items: Sequence[Outside]) -> None:
    """Keep what was read; nothing is written where nothing has changed. ``kind`` is pr or issue."""
    values = {one.id: _row(project, kind, one) for one in items}
    changed = await services.database.read(lambda db: _changed(db, project, kind, values))
    if changed:
        await services.database.write(lambda db: _put(db, project, kind, changed))


def _row(project: str, kind: str, one: Outside) -> dict[str, Any]:
    return {
        "project_id": project,
        "kind": kind,
        "id": one.id,
        "title": one.title[:LONGEST_TITLE],
        "body": None if one.body is None else one.body[:LONGEST_BODY],
        "names": one.names,
        "lane_id": one.lane,
        "author": one.author,
        "at": one.at,
    }


def _changed(
    db: Connection, project: str, kind: str, values: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rows that say something new, with the body that was known where none was read."""
    kept = {row["id"]: row for row in _kept(db, project, kind, list(values))}
    changed = []
    for name, row in values.items():
        before = kept.get(name)
        if before is not None and row["body"] is None:
            row = {**row, "body": before["body"]}
        if before is None or any(before[key] != value for key, value in row.items()):
            changed.append(row)
    return changed


def _kept(db: Connection, project: str, kind: str, ids: list[str]) -> list[dict[str, Any]]:
    from sqlalchemy import select

    from ade_runtime.storage.schema import outside_items as table

    found: list[dict[str, Any]] = []
    for start in range(0, len(ids), _AT_ONCE):
        query = select(table).where(
            table.c.project_id == project, table.c.kind == kind, table.c.id.in_(ids[start : start + _AT_ONCE])
        )
        found += [dict(row) for row in db.execute(query).mappings()]
    return found


def _put(db: Connection, project: str, kind: str, rows: list[dict[str, Any]]) -> None:
    from sqlalchemy import delete, func, insert, select

    from ade_runtime.storage.schema import outside_items as table

    mine = (table.c.project_id == project, table.c.kind == kind)
    ids = [row["id"] for row in rows]
    for start in range(0, len(ids), _AT_ONCE):
        db.execute(delete(table).where(*mine, table.c.id.in_(ids[start : start + _AT_ONCE])))
    db.execute(insert(table), rows)
    if (db.execute(select(func.count()).select_from(table).where(*mine)).scalar() or 0) > MOST_KEPT:
        newest = select(table.c.number).where(*mine).order_by(table.c.number.desc()).offset(MOST_KEPT)
        db.execute(delete(table).where(*mine, table.c.number <= newest.limit(1).scalar_subquery()))
