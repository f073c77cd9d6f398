"""Lanes, by name, branch and what they are for."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from ade_runtime.search.documents import Batch, Document
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services


class Lanes:
    kind = "lane"

    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        documents = [_document(lane) for lane in await self._services.lanes.all(project)]
        state = hashlib.sha256(repr(documents).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return None if state == cursor else Batch(put=documents, cursor=state, whole=True)


def _document(lane: LaneRecord) -> Document:
    return Document(
        kind="lane",
        id=lane.id,
        title=lane.name,
        body="\n".join(text for text in (lane.description, lane.note) if text),
        names=" ".join(text for text in (lane.id, lane.branch, lane.base_branch, lane.state) if text),
        lane=lane.id,
        author=None,
        at=to_ms(lane.created_at),
        reader="lane.show",
    )
