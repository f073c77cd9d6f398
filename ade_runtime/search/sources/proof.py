"""Captions of proof. There are few of them, so all are given whenever one has changed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from ade_runtime.search.documents import Batch, Document

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

MOST = 20_000
READER = "proof.list"


class Captions:
    kind = "proof"

    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        rows = await self._services.database.read(lambda db: _rows(db, project.id))
        told = hashlib.sha256(repr([(row["id"], row["caption"], row["about"]) for row in rows]).encode())
        if told.hexdigest() == cursor:
            return None
        return Batch(put=[_document(row) for row in rows], cursor=told.hexdigest(), whole=True)


def _rows(db: Connection, project: str) -> list[dict[str, Any]]:
    from sqlalchemy import select

    from ade_runtime.storage.schema import proofs

    query = (
        select(proofs).where(proofs.c.project_id == project).order_by(proofs.c.created_at.desc(), proofs.c.id)
    )
    return [dict(row) for row in db.execute(query.limit(MOST)).mappings()]


def _document(row: dict[str, Any]) -> Document:
    return Document(
        kind="proof",
        id=row["id"],
        title=row["caption"] or row["name"],
        body=row["caption"] or "",
        names=" ".join((row["id"], row["name"], row["kind"], row["about"] or "")),
        lane=row["lane_id"],
        author=row["session_id"],
        at=row["created_at"],
        reader=READER,
    )
