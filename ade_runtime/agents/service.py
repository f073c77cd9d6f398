"""The agents that run in terminals of this ADE_HOME: what they are is in the records of their terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.services import Services


class Agents:
    def __init__(self, services: Services) -> None:
        self._services = services

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
