"""Answers kept with their entity tags: asked for again with the tag, GitHub says that nothing changed and counts nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from ade_runtime.storage.schema import github_answers

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.storage.database import Database

KEPT_ROWS = 4000
KEPT_CHARACTERS = 64 * 2**20
LONGEST = 4 * 2**20
_C = github_answers.c


@dataclass(frozen=True, slots=True)
class Answer:
    """``link`` is the header that names further pages."""

    etag: str
    link: str | None
    body: str


class Answers:
    """``now`` gives milliseconds since the epoch."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    @staticmethod
    def key(fingerprint: str, url: str) -> str:
        """Of an answer: who asked is part of it, since not everybody is shown the same."""
        return hashlib.sha256(f"{fingerprint}\0{url}".encode()).hexdigest()

    async def get(self, key: str) -> Answer | None:
        def read(db: Connection) -> Answer | None:
            row = db.execute(select(_C.etag, _C.link, _C.body).where(_C.key == key)).one_or_none()
            return None if row is None else Answer(row.etag, row.link, row.body)

        return await self._database.read(read)

    async def put(self, key: str, answer: Answer) -> None:
        """Keep an answer in place of an older one; the longest unused give way."""
        if len(answer.body) > LONGEST:
            return
        values = {
            "etag": answer.etag,
            "link": answer.link,
            "body": answer.body,
            "size": len(answer.body),
            "used_at": self._now(),
        }

        def write(db: Connection) -> None:
            if not db.execute(update(github_answers).where(_C.key == key).values(values)).rowcount:
                db.execute(insert(github_answers).values(key=key, **values))
            _make_room(db)

        await self._database.write(write)

    async def drop(self, key: str) -> None:
        """Forget an answer, such as one that cannot be read."""
        await self._database.write(lambda db: db.execute(delete(github_answers).where(_C.key == key)))


def _make_room(db: Connection) -> None:
    rows, characters = db.execute(select(func.count(), func.coalesce(func.sum(_C.size), 0))).one()
    if rows <= KEPT_ROWS and characters <= KEPT_CHARACTERS:
        return
    oldest = select(_C.key).order_by(_C.used_at).limit(max(1, rows // 4))
    db.execute(delete(github_answers).where(_C.key.in_(oldest.scalar_subquery())))
