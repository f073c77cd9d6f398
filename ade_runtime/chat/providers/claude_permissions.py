"""Claude Code's questions before it uses a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import claude_agent_sdk as sdk

from ade_runtime.chat.providers.base import Approval, Choice, Question
from ade_runtime.chat.providers.plan_mode import IN_PLAN_MODE, refused
from ade_runtime.tooling.definitions import all_tools

if TYPE_CHECKING:
    from ade_runtime.chat.providers.base import Desk
    from ade_runtime.chat.records import PermissionMode

ASKING = "AskUserQuestion"
DISMISSED = "The user dismissed the question. Go on without an answer, or ask another way."
SHOWN = 200


class Permissions:
    """ADE's own tools are allowed, since the pipeline judges each call; in plan mode only those that read. Everything else is
    put to the desk."""

    def __init__(self, desk: Desk, mode: PermissionMode) -> None:
        self._desk = desk
        self._mode = mode
        self._own = {f"mcp__{tool.server}__{tool.name}": tool.name for tool in all_tools()}

    async def decide(
        self, name: str, arguments: dict[str, Any], context: sdk.ToolPermissionContext
    ) -> sdk.PermissionResult:
        if name in self._own:
            if self._mode == "plan" and refused(self._own[name], arguments):
                return sdk.PermissionResultDeny(message=IN_PLAN_MODE)
            return sdk.PermissionResultAllow()
        if name == ASKING:
            return await self._ask(arguments)
        summary = context.title or f"{name}: {_shown(arguments)}"
        verdict = await self._desk.approve(Approval(context.tool_use_id or "", name, summary, arguments))
        if verdict.allowed:
            return sdk.PermissionResultAllow()
        return sdk.PermissionResultDeny(message=verdict.message)

    async def _ask(self, arguments: dict[str, Any]) -> sdk.PermissionResult:
        asked = arguments.get("questions") or []
        questions = tuple(_question(str(place), one) for place, one in enumerate(asked))
        answers = await self._desk.ask(questions)
        if answers is None:
            return sdk.PermissionResultDeny(message=DISMISSED)
        given = {one["question"]: ", ".join(answers[str(place)]) for place, one in enumerate(asked)}
        return sdk.PermissionResultAllow(updated_input={**arguments, "answers": given})


def _question(identifier: str, one: dict[str, Any]) -> Question:
    return Question(
        id=identifier,
        title=str(one.get("header") or one.get("question") or "Question"),
        text=str(one.get("question") or ""),
        choices=tuple(
            Choice(str(choice.get("label", "")), str(choice.get("description", "")))
            for choice in one.get("options") or []
        ),
        multiple=bool(one.get("multiSelect")),
    )


def _shown(arguments: dict[str, Any]) -> str:
    """The argument a person judges by, in one line."""
    for key in ("command", "file_path", "url", "pattern", "description"):
        if isinstance(arguments.get(key), str):
            return " ".join(arguments[key].split())[:SHOWN]
    return ", ".join(arguments)[:SHOWN]
