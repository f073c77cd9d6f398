"""What an agent asks over the Agent Client Protocol before it does something."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ade_runtime.chat.providers.base import Approval
from ade_runtime.chat.providers.peer import UnknownRequest
from ade_runtime.tooling.definitions import all_tools

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ade_runtime.chat.providers.base import Desk, Opening
    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.contracts import JsonObject, ProviderAcp

METHOD = "session/request_permission"
CANCELLED: JsonObject = {"outcome": {"outcome": "cancelled"}}
SERVER = "ade"
SHOWN = 200
"""Characters in the line that a person judges by."""

_CALLS = (None, "other", "read")
"""Kinds of calls of a tool server, as against the program's own tools that run or change something."""

_EDITS = ("edit", "delete", "move")


class Permissions:
    """Puts what the program asks to the desk, other than what the chat's mode or ADE itself decides: ADE's own tools are
    allowed, since each call is judged where it arrives; edits within ``cwd`` are in mode ``edit``, everything is in
    ``full-auto``. ``ways`` say how the program calls ADE's tools; ``name_of`` is what it called the tool of a call."""

    def __init__(
        self, title: str, ways: ProviderAcp, opening: Opening, name_of: Callable[[str], str | None]
    ) -> None:
        self._title = title
        self._desk: Desk = opening.desk
        self._mode: PermissionMode = opening.permission_mode
        self._cwd: Path = opening.cwd
        self._name_of = name_of
        self._writes_as_edits = ways.writes_as_edits
        self._own = {form.replace("{tool}", tool.name) for form in ways.tool_names for tool in all_tools()}
        self._untold: list[str] = []
        self._cancelled = asyncio.Event()

    def begin(self) -> None:
        """A turn begins."""
        self._cancelled = asyncio.Event()

    def cancel(self) -> None:
        """The turn is to end: what is asked needs no decision any more."""
        self._cancelled.set()

    def untold(self) -> list[str]:
        """Why things were refused, which the protocol has no way to say: to be said with the next message."""
        reasons, self._untold = self._untold, []
        return reasons

    async def answer(self, method: str, params: JsonObject) -> JsonObject:
        """The result of a request; raises :class:`UnknownRequest`."""
        if method != METHOD:
            raise UnknownRequest(method)
        call: JsonObject = params.get("toolCall") or {}
        options = {str(one.get("kind")): one.get("optionId") for one in params.get("options") or []}
        allowed = True if self._settled(call) else await self._asked(call)
        if allowed is None:
            return CANCELLED
        # What is allowed or refused for good would outlive the chat, in settings of the program's own.
        wanted = options.get("allow_once" if allowed else "reject_once")
        return CANCELLED if wanted is None else {"outcome": {"outcome": "selected", "optionId": wanted}}

    def _settled(self, call: JsonObject) -> bool:
        kind = call.get("kind")
        name = self._name_of(str(call.get("toolCallId"))) or call.get("title")
        if name in self._own and (kind in _CALLS or self._is_lent(call)):
            return True
        if self._mode == "full-auto":
            return True
        return self._mode == "edit" and kind in _EDITS and self._within(call)

    def _is_lent(self, call: JsonObject) -> bool:
        """Whether what is called an edit is the call of a tool that writes; the program's own edits say where."""
        return self._writes_as_edits and call.get("kind") == "edit" and not call.get("locations")

    def _within(self, call: JsonObject) -> bool:
        """Whether all that it would change lies in the lane; one that does not say what it changes does not."""
        paths = [str(one.get("path") or "") for one in call.get("locations") or []]
        root = self._cwd.resolve()
        return bool(paths) and all(path and (root / path).resolve().is_relative_to(root) for path in paths)

    async def _asked(self, call: JsonObject) -> bool | None:
        """Whether it is allowed; ``None`` where the turn ends first."""
        name = self._name_of(str(call.get("toolCallId"))) or str(call.get("kind") or "tool")
        title = " ".join(str(call.get("title") or name).split())[:SHOWN]
        details = {
            key: call[key] for key in ("title", "kind", "rawInput", "locations", "content") if call.get(key)
        }
        approval = Approval(
            str(call.get("toolCallId")), name, f"{self._title} wants to use {name}: {title}", details
        )
        asking = asyncio.ensure_future(self._desk.approve(approval))
        stopping = asyncio.ensure_future(self._cancelled.wait())
        try:
            await asyncio.wait([asking, stopping], return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return None
            verdict = asking.result()
        finally:
            asking.cancel()
            stopping.cancel()
        if not verdict.allowed and verdict.message:
            self._untold.append(verdict.message)
        return verdict.allowed
