"""Waits for the ends of what runs in holders, so that each is told when it happens and not when somebody next looks: an agent's
token is revoked at once, and an event tells of a terminal or process that has ended.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen
    from ade_runtime.holders.service import Holders
    from ade_runtime.services import Services

log = logging.getLogger("ade.holders")

TOLD = {"terminal": "terminal.ended", "process": "process.ended"}
"""Events by kind; a test run is told by its answer."""


class Following:
    def __init__(self, services: Services, holders: Holders) -> None:
        self._services = services
        self._holders = holders
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def follow(self, record: HolderRecord) -> None:
        """Wait for its end, where this process is the runtime. What ends while there is none is seen by the next."""
        if self._services.settings.listening and record.id not in self._tasks:
            task = self._tasks[record.id] = asyncio.create_task(self._follow(record))
            task.add_done_callback(lambda _done: self._tasks.pop(record.id, None))

    async def find_again(self) -> None:
        """At the start of a runtime: follow those that still run, and note the ends of those that do not."""
        records = await self._holders.all(ended=False)
        seen = await self._holders.see(records)
        for record in records:
            if seen[record.id].live:
                self.follow(record)

    def tell(self, record: HolderRecord, seen: Seen) -> None:
        """Say that it has ended, by itself or on request."""
        if record.kind in TOLD:
            self._services.events.publish(
                TOLD[record.kind],
                project=record.project_id,
                lane=record.lane_id,
                session=record.session,
                subject=record.id,
                data={
                    "name": record.name,
                    "state": seen.phase,
                    "reason": seen.reason,
                    "exit_code": seen.exit_code,
                    "signal": seen.signal,
                },
            )

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, record: HolderRecord) -> None:
        try:
            for until in ("ended", "gone"):
                if await self._holders.wait(record, until, timeout=None):
                    await self._holders.seen(record)
        except (AdeError, OSError) as problem:
            log.warning("waiting for the end of %s: %s", record.id, problem)
