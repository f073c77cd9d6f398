"""Pull requests and issues as they were last read. They only change, so the last change that was taken in is where to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ade_runtime.search.documents import Batch, Document

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

AT_ONCE = 500


class Outside:
    """Base of the two."""

    kind: ClassVar[str]
    reader: ClassVar[str]

    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        after = int(cursor or 0)
        rows = await self._services.database.read(lambda db: _rows(db, project.id, self.kind, after))
        if not rows:
            return None
        found = [self._document(row) for row in rows]
        return Batch(put=found, cursor=str(rows[-1]["number"]), more=len(rows) == AT_ONCE)

    def _document(self, row: dict[str, Any]) -> Document:
        return Document(
            kind=self.kind,
            id=row["id"],
            title=row["title"],
            body=row["body"] or "",
            names=f"{row['id']} {row['names']}",
            lane=row["lane_id"],
            author=row["author"],
            at=row["at"],
            reader=self.reader,
        )


class Pulls(Outside):
    kind = "pr"
    reader = "pr.show"


class Issues(Outside):
    kind = "issue"
    reader = "issue.show"


def _rows(db: Connection, project: str, kind: str, after: int) -> list[dict[str, Any]]:
    from sqlalchemy import select

    from ade_runtime.storage.schema import outside_items as table

    query = (
        select(table)
        .where(table.c.project_id == project, table.c.kind == kind, table.c.number > after)
        .order_by(table.c.number)
        .limit(AT_ONCE)
    )
    return [dict(row) for row in db.execute(query).mappings()]
