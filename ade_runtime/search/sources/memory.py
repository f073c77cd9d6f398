"""What was noted in memory; the CTO's own notes are shown by an action that nobody else may call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.memory import facts
from ade_runtime.search.documents import Batch, Document
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.memory.records import Fact
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

READERS = {"everyone": "memory.list", "cto": "cto_memory.read"}
_TITLE = 100


class Notes:
    kind = "memory"

    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        def read(db: Connection) -> tuple[str, list[Fact]]:
            revision = str(facts.revision(db, project.id))
            if revision == cursor:
                return revision, []
            return revision, facts.listed(db, project.id, ("everyone", "cto"), archived=False)

        revision, found = await self._services.database.read(read)
        if revision == cursor:
            return None
        return Batch(put=[_document(fact) for fact in found], cursor=revision, whole=True)


def _document(fact: Fact) -> Document:
    first, _, rest = fact.text.partition("\n")
    lane = next((tag.removeprefix("lane:") for tag in fact.tags if tag.startswith("lane:")), fact.lane)
    return Document(
        kind="memory",
        id=fact.id,
        title=first[:_TITLE],
        body=f"{first[_TITLE:]}\n{rest}".strip(),
        names=" ".join((fact.id, *fact.tags)),
        lane=lane,
        author=fact.author,
        at=to_ms(fact.created_at),
        reader=READERS[fact.audience],
    )
