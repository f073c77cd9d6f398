"""The tools of a session as who holds a lease gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.chat.providers.plan_mode import IN_PLAN_MODE, refused
from ade_runtime.pipeline.call import no_progress
from ade_runtime.tooling.results import ToolResult, dumped
from ade_runtime.tooling.toolbox import Toolbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Progress
    from ade_runtime.services import Services
    from ade_runtime.tooling.definitions import Tool


class LeaseToolbox(Toolbox):
    """A client of the endpoint does not hold a chat's permission mode itself, so the mode is looked up: nothing is changed for
    a chat that plans, whoever asked for its lease."""

    def __init__(self, services: Services, session: str, env: Mapping[str, str] | None) -> None:
        super().__init__(services, session, env=env, transport="mcp")
        self._chats = services.chats
        self._of = session
        self.given = False
        """Whether the client was given its tools: one that merely connects has none."""

    async def tools(self) -> list[Tool]:
        found = await super().tools()
        self.given = True
        return found

    async def call(
        self,
        name: str,
        arguments: JsonObject,
        *,
        call_id: str | None = None,
        progress: Progress = no_progress,
    ) -> ToolResult:
        if refused(name, arguments) and await self._plans():
            told = dumped({"error": {"code": "plan_mode", "message": IN_PLAN_MODE}})
            return ToolResult(told, None, is_error=True)
        return await super().call(name, arguments, call_id=call_id, progress=progress)

    async def _plans(self) -> bool:
        try:
            return (await self._chats.find(self._of)).permission_mode == "plan"
        except errors.ChatNotFound:
            return False
