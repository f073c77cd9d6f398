"""The agents that run in terminals of this ADE_HOME. What they are is in the records of their terminals; here is only who waits
for their ends, so that a token is revoked at once and not when somebody next looks.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.services import Services

log = logging.getLogger("ade.agents")


class Agents:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._following: dict[str, asyncio.Task[None]] = {}

    async def all(
        self, *, project: str | None = None, lane: str | None = None, ended: bool
    ) -> list[HolderRecord]:
        """Records of agents, the newest first; without ``ended`` only those whose end was not seen yet."""
        found = await self._services.holders.all(kind="terminal", project=project, lane=lane, ended=ended)
        return [record for record in found if record.is_agent]

    async def find(self, ref: str) -> HolderRecord | None:
        """The agent with this id, or whose session has it."""
        if ref.startswith("ses_"):
            return next((one for one in await self.all(ended=True) if one.session == ref), None)
        found = await self._services.holders.find(ref, "terminal")
        return found if found is not None and found.is_agent else None

    def follow(self, record: HolderRecord) -> None:
        """Wait for its end, where this process is the runtime. What ends while there is none is seen by the next."""
        if self._services.settings.listening and record.id not in self._following:
            task = self._following[record.id] = asyncio.create_task(self._follow(record))
            task.add_done_callback(lambda _done: self._following.pop(record.id, None))

    async def find_again(self) -> None:
        """At the start of a runtime: follow those that still run, end the sessions of those that do not."""
        records = await self.all(ended=False)
        seen = await self._services.holders.see(records)
        for record in records:
            if seen[record.id].live:
                self.follow(record)

    async def _follow(self, record: HolderRecord) -> None:
        try:
            if await self._services.holders.wait(record, "ended", timeout=None):
                await self._services.holders.seen(record)
        except (AdeError, OSError) as problem:
            log.warning("waiting for the end of %s: %s", record.id, problem)

    async def close(self) -> None:
        tasks = list(self._following.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
