"""What was said in chats. A transcript only grows, so the last entry that was taken in is where to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_runtime.search.documents import LONGEST_TITLE, Batch, Document

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

AT_ONCE = 500
READER = "chat.transcript"
_SAID = ("user", "assistant")


class Chats:
    kind = "chat"

    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        after = int(cursor or 0)
        rows = await self._services.database.read(lambda db: _entries(db, project.id, after))
        if not rows:
            return None
        found = [_document(row) for row in rows]
        return Batch(put=found, cursor=str(rows[-1]["id"]), more=len(rows) == AT_ONCE)


def _entries(db: Connection, project: str, after: int) -> list[dict[str, Any]]:
    from sqlalchemy import select

    from ade_runtime.storage.schema import chat_entries, chats

    query = (
        select(chat_entries, chats.c.title, chats.c.provider, chats.c.lane_id)
        .join(chats, chats.c.session_id == chat_entries.c.session_id)
        .where(chats.c.project_id == project, chat_entries.c.id > after, chat_entries.c.kind.in_(_SAID))
        .order_by(chat_entries.c.id)
        .limit(AT_ONCE)
    )
    return [dict(row) for row in db.execute(query).mappings()]


def _document(row: dict[str, Any]) -> Document:
    return Document(
        kind="chat",
        id=f"{row['session_id']}/{row['id']}",
        title=(row["title"] or row["text"])[:LONGEST_TITLE],
        body=row["text"],
        names=row["session_id"],
        lane=row["lane_id"],
        author="user" if row["kind"] == "user" else row["provider"],
        at=row["at"],
        reader=READER,
    )
