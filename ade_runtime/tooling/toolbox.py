"""The tools of one session, listed and called."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.contracts import AdeError, Effect, JsonObject
from ade_runtime.pipeline.call import Caller, Identity, Progress, no_progress
from ade_runtime.pipeline.execute import inner_fault
from ade_runtime.pipeline.identity import dead_session, session_identity
from ade_runtime.pipeline.notices import notices
from ade_runtime.tooling import results
from ade_runtime.tooling.definitions import Tool, all_tools
from ade_runtime.tooling.results import ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.pipeline.call import Transport
    from ade_runtime.services import Services

SMALLEST_PAGE = 1


class Toolbox:
    """What the model of session ``session`` may use. Made by whoever launched the session, so that no token is needed; that
    the session is still live is checked at every call.

    ``env`` is what programs started on the session's behalf get; ``cwd`` the folder it works in.
    """

    def __init__(
        self,
        services: Services,
        session: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        transport: Transport = "in_process",
    ) -> None:
        self._services = services
        self._session = session
        self._cwd = cwd
        self._env = dict(env or {})
        self._transport: Transport = transport

    async def tools(self) -> list[Tool]:
        """The tools the session may see, in an order that never changes."""
        identity, caller = await self._who()
        self._services.pipeline.renew()
        visible = {entry.id for entry in self._services.pipeline.visibility.visible(identity, caller)}
        return [tool for tool in (*all_tools(), *self._services.packs.tools()) if tool.action in visible]

    async def call(
        self,
        name: str,
        arguments: JsonObject,
        *,
        call_id: str | None = None,
        progress: Progress = no_progress,
    ) -> ToolResult:
        """Call a tool by its name or its action's id. Never raises but when cancelled: a model reads what went wrong.

        ``call_id`` is the client's own name of the call. A write that comes again under it is answered from its receipt.
        """
        try:
            identity, caller = await self._who()
            return await self._perform(name, arguments, identity, caller, call_id, progress)
        except AdeError as problem:
            return results.failure(problem)
        except Exception as problem:
            return results.failure(inner_fault(name[:100], problem))

    async def _perform(
        self,
        name: str,
        arguments: JsonObject,
        identity: Identity,
        caller: Caller,
        call_id: str | None,
        progress: Progress,
    ) -> ToolResult:
        async def once(given: JsonObject) -> JsonObject:
            output = await self._services.pipeline.call(
                name,
                given,
                identity=identity,
                caller=caller,
                request_id=None if call_id is None else f"tool:{call_id}"[:200],
                progress=progress,
            )
            document: JsonObject = orjson.loads(output)
            return document

        document = await once(arguments)
        fewer = self._fewer(name, arguments, document, identity, caller)
        if fewer is not None:
            document = await once({**arguments, "limit": fewer})
        return results.success(document, notices=notices(name, arguments))

    def _fewer(
        self, name: str, arguments: JsonObject, document: JsonObject, identity: Identity, caller: Caller
    ) -> int | None:
        """How many items of a list that is too long would fit: asked for again, the list says itself how to go on."""
        items: Any = document.get("items")
        size = results.size(document)
        if size <= results.BUDGET or not isinstance(items, list) or len(items) <= SMALLEST_PAGE:
            return None
        entry = self._services.pipeline.visibility.find(name, identity, caller)
        if entry.effect is not Effect.READ or "limit" not in entry.input_model.model_fields:
            return None
        return max(SMALLEST_PAGE, len(items) * results.BUDGET * 9 // (size * 10))

    async def _who(self) -> tuple[Identity, Caller]:
        services = self._services
        record = await services.sessions.find(self._session)
        state = record.state(services.clock.now())
        if state != "live":
            raise dead_session(record, state)
        identity = session_identity(
            record, "token", wanted=None, ceiling=services.settings.ceiling, uid=os.getuid()
        )
        caller = Caller(
            transport=self._transport,
            cwd=self._cwd,
            project=record.project,
            lane=record.lane,
            chat=record.chat,
            env=self._env,
        )
        return identity, caller
