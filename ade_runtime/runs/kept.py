"""The manifests that were stored last, so that a change of a large one reads and checks no more than is new in it.

They belong to the database's one thread, whose transactions follow each other: nothing is locked, and nobody else may see them.
One is taken out while it is changed, so a change that fails leaves none; and one whose etag the database no longer has, because
another process has changed the run or the transaction never ended, is read anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_runtime.runs import store
from ade_runtime.runs.document import Manifest

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

MOST_BYTES = 16 * 1024 * 1024
"""Most bytes of tasks, as JSON, that are kept of all runs together; the one used longest ago goes first."""


class Kept:
    def __init__(self) -> None:
        self._entries: OrderedDict[str, tuple[Manifest, Sequence[bytes]]] = OrderedDict()
        self.size = 0
        """Bytes that are kept now."""

        self._taken: tuple[Manifest, Sequence[bytes]] | None = None

    def take(self, db: Connection, run: str) -> Manifest:
        """The manifest to be changed in this transaction; raises as :func:`store.load` does."""
        self._taken = self.forget(run)
        if self._taken is None or self._taken[0]["etag"] != store.record(db, run).etag:
            self._taken = None
            return store.load(db, run)
        return self._taken[0]

    def save(
        self, db: Connection, manifest: Manifest, actor: str, kind: str, summary: str, at: datetime
    ) -> None:
        """Store a manifest that was taken, and keep it for the next change."""
        taken, self._taken = self._taken, None
        before = taken[1] if taken is not None and taken[0] is manifest else None
        texts = store.save(db, manifest, actor, kind, summary, at, before=before)
        self.forget(manifest["runId"])  # a sweep changes one that it has not taken
        self._entries[manifest["runId"]] = manifest, texts
        self.size += _size(texts)
        while self.size > MOST_BYTES:
            self.forget(next(iter(self._entries)))

    def forget(self, run: str) -> tuple[Manifest, Sequence[bytes]] | None:
        """Keep a run's manifest no longer; gives what was kept."""
        entry = self._entries.pop(run, None)
        if entry is not None:
            self.size -= _size(entry[1])
        return entry


def _size(texts: Sequence[bytes]) -> int:
    return sum(map(len, texts))
