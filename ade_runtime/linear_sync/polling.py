"""Asking Linear again and again, for projects whose configuration says how often: what no webhook brought comes in so."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from ade_runtime.contracts import AdeError
from ade_runtime.linear_sync import store
from ade_runtime.linear_sync.poll import poll
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

SELDOM = 10
"""While a webhook brings what happens, only every so many intervals is looked for what it did not bring."""

LOOK_SECONDS = 60.0
"""How often the configurations are read again."""

log = logging.getLogger("ade.linear")


class Polling:
    """One task for all projects, and none where no project wants it."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._task: asyncio.Task[None] | None = None
        self._not_before: dict[str, datetime] = {}
        services.expecting.append(lambda: self._task is not None)

    def attend(self) -> None:
        """Ask from now on, where this process is the runtime and a project wants it."""
        if self._task is None and self._services.settings.listening:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        task = self._task
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def look(self) -> float | None:
        """Ask for every project that is due; gives the seconds until the next one is, ``None`` where none wants it."""
        waits = []
        for project in await self._services.projects.all():
            wait = await self._look_for(project)
            if wait is not None:
                waits.append(wait)
        return min(waits, default=None)

    async def _look_for(self, project: Project) -> float | None:
        standing = await self._services.database.read(lambda db: store.standing(db, project.id))
        every = await self._wanted(project)
        if every is None:
            return None
        now = self._services.clock.now()
        moment = max(due(standing, every, now), self._not_before.get(project.id, now))
        if moment > now:
            return (moment - now).total_seconds()
        try:
            await poll(self._services, project.id)
        except AdeError as problem:  # it is written down, and tried again
            log.info("Linear could not be asked for %s: %s", project.name, problem.code)
            after = timedelta(milliseconds=problem.retry_after_ms or 0)
            self._not_before[project.id] = now + max(every, after)
        return every.total_seconds()

    async def _wanted(self, project: Project) -> timedelta | None:
        try:
            config = (await self._services.config.load(project)).config
        except AdeError:  # a file that is broken says nothing; `ade config validate` tells
            return None
        seconds = None if config.linear is None else config.linear.poll
        return None if seconds is None else timedelta(seconds=float(seconds))

    async def _run(self) -> None:
        try:
            while True:
                wait: float | None = LOOK_SECONDS
                try:
                    wait = await self.look()
                except Exception:
                    log.exception("Linear could not be asked")
                if wait is None:
                    return
                await asyncio.sleep(min(wait, LOOK_SECONDS))
        finally:
            self._task = None


def due(standing: dict[str, Any], every: timedelta, now: datetime) -> datetime:
    """When to ask next: an interval after something last came in, and now and then however much a webhook brings."""
    polled, delivered = standing["polled_at"], standing["delivered_at"]
    if polled is None:
        return now
    asked = from_ms(polled)
    heard = asked if delivered is None else max(asked, from_ms(delivered))
    return min(heard + every, asked + SELDOM * every)
