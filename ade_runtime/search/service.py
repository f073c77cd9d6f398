"""Search over a project: the index catches up when it is asked, so that an answer is never older than a moment."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from typing import TYPE_CHECKING

from ade_runtime.search.sources import make_sources
from ade_runtime.search.sqlite_schema import discard
from ade_runtime.search.sqlite_store import SqliteSearch

if TYPE_CHECKING:
    from pathlib import Path

    from ade_runtime.projects.registry import Project
    from ade_runtime.search.documents import Source
    from ade_runtime.search.query import Query
    from ade_runtime.search.store import Filters, Hits, SearchStore
    from ade_runtime.services import Services

log = logging.getLogger("ade.search")

FRESH_SECONDS = 0.25
"""How long an index counts as caught up."""
PATIENCE_SECONDS = 2.0
"""How long a search waits for the index to catch up; what is left is taken in behind it."""
MOST_OPEN = 8
MOST_BATCHES = 100_000


class Index:
    """The index of one project, and the work of bringing it up to date, which never runs twice at once."""

    def __init__(self, project: Project, store: SearchStore, sources: list[Source]) -> None:
        self.project = project
        self.store = store
        self.used = time.monotonic()
        self._sources = sources
        self._caught_up = -FRESH_SECONDS
        self._task: asyncio.Task[None] | None = None

    async def refresh(self, patience: float) -> bool:
        """Whether everything up to this moment is in, after waiting for it at most ``patience`` seconds."""
        self.used = time.monotonic()
        if self.used - self._caught_up < FRESH_SECONDS and self._task is None:
            return True
        if self._task is None:
            self._task = asyncio.create_task(self._catch_up())
        task = self._task
        done, _ = await asyncio.wait([task], timeout=patience)
        return bool(done) and not task.cancelled() and task.exception() is None

    async def close(self) -> None:
        """Stop catching up and close the file."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.store.close()

    @property
    def busy(self) -> bool:
        return self._task is not None

    async def _catch_up(self) -> None:
        began = time.monotonic()
        try:
            cursors = await self.store.cursors()
            for source in self._sources:
                await self._follow(source, cursors.get(source.kind))
            self._caught_up = began
        except (sqlite3.Error, OSError) as problem:
            log.warning("the search index of %s cannot be brought up to date: %s", self.project.name, problem)
            raise
        finally:
            self._task = None

    async def _follow(self, source: Source, cursor: str | None) -> None:
        for _ in range(MOST_BATCHES):
            batch = await source.changes(self.project, cursor)
            if batch is None:
                return
            if await self.store.apply(source.kind, cursor, batch):
                cursor = batch.cursor
                if not batch.more:
                    return
            else:
                cursor = (await self.store.cursors()).get(source.kind)


class Search:
    """The indexes of this process, those in use open."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._indexes: dict[str, Index] = {}

    async def find(
        self, project: Project, query: Query, filters: Filters, *, offset: int, limit: int
    ) -> tuple[Hits, bool]:
        """One page of the best hits, and whether the index had caught up."""
        index = await self.index(project)
        fresh = await index.refresh(PATIENCE_SECONDS)
        now = int(self._services.clock.now().timestamp() * 1000)
        return await index.store.find(query, filters, offset=offset, limit=limit, now=now), fresh

    async def index(self, project: Project) -> Index:
        """The project's index, opened where it is not."""
        found = self._indexes.get(project.id)
        if found is None:
            found = Index(project, SqliteSearch(self._path(project.id)), make_sources(self._services))
            self._indexes[project.id] = found
            await self._close_idle(found)
        return found

    async def forget(self, project_id: str) -> None:
        """Close the index of a project and remove it."""
        index = self._indexes.pop(project_id, None)
        if index is not None:
            await index.close()
        await asyncio.to_thread(discard, self._path(project_id))

    async def close(self) -> None:
        indexes, self._indexes = list(self._indexes.values()), {}
        for index in indexes:
            await index.close()

    def _path(self, project_id: str) -> Path:
        return self._services.paths.home / "search" / f"{project_id}.db"

    async def _close_idle(self, newest: Index) -> None:
        """Close the indexes that were not used for the longest, past a number that are open."""
        by_use = sorted(self._indexes.values(), key=lambda index: index.used)
        for index in by_use[: max(len(by_use) - MOST_OPEN, 0)]:
            if index is not newest and not index.busy:
                del self._indexes[index.project.id]
                await index.close()
