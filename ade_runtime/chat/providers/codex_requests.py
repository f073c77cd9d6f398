"""What Codex asks while a turn runs: tools of ADE to be called, approvals, and questions to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.chat.providers import codex_forms, codex_tools
from ade_runtime.chat.providers.base import Approval, Choice, Question
from ade_runtime.chat.providers.peer import UnknownRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ade_runtime.chat.providers.base import Desk
    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.contracts import JsonObject
    from ade_runtime.tooling.toolbox import Toolbox

AT_ONCE = 4
"""Questions that are put to a user together, as many as can be answered together."""

REFUSED = "About what was just refused:"
SHOWN = 200
"""Characters of a command or a reason in the line that a person judges by."""


class Requests:
    """``item`` looks up an item of the running turn by its id, since questions about a change do not hold the change;
    ``say(text)`` says something into the turn: Codex has no other way to give its model the reason of a refusal."""

    def __init__(
        self,
        desk: Desk,
        toolbox: Toolbox,
        mode: PermissionMode,
        *,
        item: Callable[[str], JsonObject | None],
        say: Callable[[str], Awaitable[object]],
    ) -> None:
        self._desk = desk
        self._toolbox = toolbox
        self._mode = mode
        self._item = item
        self._say = say
        self._handlers: Mapping[str, Callable[[JsonObject], Awaitable[JsonObject]]] = {
            "item/tool/call": self._call,
            "item/commandExecution/requestApproval": self._command,
            "item/fileChange/requestApproval": self._change,
            "item/permissions/requestApproval": self._permissions,
            "item/tool/requestUserInput": self._questions,
            "mcpServer/elicitation/request": self._elicitation,
        }

    async def answer(self, method: str, params: JsonObject) -> JsonObject:
        """The result of a request; raises :class:`UnknownRequest`."""
        handler = self._handlers.get(method)
        if handler is None:
            raise UnknownRequest(method)
        return await handler(params)

    async def _call(self, params: JsonObject) -> JsonObject:
        return await codex_tools.called(self._toolbox, self._mode, params)

    # -- approvals

    async def _command(self, params: JsonObject) -> JsonObject:
        command = params.get("command") or ""
        host = (params.get("networkApprovalContext") or {}).get("host")
        what = f"connect to {host}" if host else f"run {_line(command)}"
        details = _without_nulls(
            {
                "command": command,
                "cwd": params.get("cwd"),
                "reason": params.get("reason"),
                "host": host,
                "permissions": params.get("additionalPermissions"),
            }
        )
        allowed = await self._approved(params["itemId"], "shell", f"Codex wants to {what}", details)
        return _decision(allowed)

    async def _change(self, params: JsonObject) -> JsonObject:
        changes = (self._item(params["itemId"]) or {}).get("changes") or []
        paths = ", ".join(str(change.get("path")) for change in changes) or "files"
        details = _without_nulls(
            {"changes": changes, "reason": params.get("reason"), "folder": params.get("grantRoot")}
        )
        summary = f"Codex wants to change {_line(paths)}"
        allowed = await self._approved(params["itemId"], "apply_patch", summary, details)
        return _decision(allowed)

    async def _permissions(self, params: JsonObject) -> JsonObject:
        wanted = params.get("permissions") or {}
        details = _without_nulls({"permissions": wanted, "reason": params.get("reason")})
        summary = f"Codex wants to do more in this turn: {_line(params.get('reason') or 'no reason given')}"
        allowed = await self._approved(params["itemId"], "permissions", summary, details)
        return {"permissions": wanted if allowed else {}, "scope": "turn"}

    async def _approved(self, call_id: str, tool: str, summary: str, details: JsonObject) -> bool:
        verdict = await self._desk.approve(Approval(call_id, tool, summary, details))
        if not verdict.allowed and verdict.message:
            await self._say(f"{REFUSED} {verdict.message}")
        return verdict.allowed

    # -- questions

    async def _questions(self, params: JsonObject) -> JsonObject:
        """A secret is not asked for: what is answered here is kept in the chat's transcript."""
        asked = [one for one in params["questions"] if not one.get("isSecret")]
        answers = await self._asked(tuple(_question(one) for one in asked))
        return {"answers": {name: {"answers": list(given)} for name, given in (answers or {}).items()}}

    async def _asked(self, questions: tuple[Question, ...]) -> dict[str, tuple[str, ...]] | None:
        """The answers to all, asked a few at a time; ``None`` as soon as some are dismissed."""
        found: dict[str, tuple[str, ...]] = {}
        for place in range(0, len(questions), AT_ONCE):
            answers = await self._desk.ask(questions[place : place + AT_ONCE])
            if answers is None:
                return None
            found |= answers
        return found

    async def _elicitation(self, params: JsonObject) -> JsonObject:
        """A question of one of the user's own tool servers; also how Codex asks whether their tools may run."""
        server, message = str(params.get("serverName") or "a tool server"), str(params.get("message") or "")
        form = params.get("requestedSchema")
        if params.get("mode") == "url":
            return await self._yes_or_no(server, f"{message} {params.get('url')}", params)
        if params.get("mode") != "form" or not isinstance(form, dict):
            return {"action": "cancel"}
        if not form.get("properties"):
            return await self._yes_or_no(server, message, params)
        answers = await self._asked(codex_forms.questions(message, form))
        content = None if answers is None else codex_forms.content(form, answers)
        return {"action": "decline"} if content is None else {"action": "accept", "content": content}

    async def _yes_or_no(self, server: str, message: str, params: JsonObject) -> JsonObject:
        details = _without_nulls({"message": message, "url": params.get("url"), "about": params.get("_meta")})
        call = str(params.get("elicitationId") or params.get("turnId") or server)
        verdict = await self._desk.approve(Approval(call, server, f"{server}: {_line(message)}", details))
        return {"action": "accept", "content": {}} if verdict.allowed else {"action": "decline"}


def _question(one: JsonObject) -> Question:
    choices = tuple(
        Choice(str(choice.get("label", "")), str(choice.get("description", "")))
        for choice in one.get("options") or []
    )
    return Question(
        id=str(one["id"]),
        title=str(one.get("header") or one["question"]),
        text=str(one["question"]),
        choices=choices,
        free=not choices or bool(one.get("isOther")),
    )


def _decision(allowed: bool) -> JsonObject:
    """Never ``cancel``, which ends the turn, although that alone may stand among the ``availableDecisions``: those are what
    Codex's own screen offers."""
    return {"decision": "accept" if allowed else "decline"}


def _line(text: str) -> str:
    return " ".join(text.split())[:SHOWN]


def _without_nulls(document: JsonObject) -> JsonObject:
    return {name: value for name, value in document.items() if value is not None}
