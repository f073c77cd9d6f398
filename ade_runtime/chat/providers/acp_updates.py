"""What an agent tells over the Agent Client Protocol, as updates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.chat.providers.base import Text, TextPart, ToolEnded, ToolStarted, TurnEnded, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ade_runtime.chat.providers.base import Update
    from ade_runtime.chat.providers.peer import RpcError
    from ade_runtime.contracts import JsonObject

LONGEST_NAME = 100
"""Characters of what a program calls a tool: some give a whole sentence."""

_OVER = ("completed", "failed")
_USED_UP = re.compile(
    r"\b429\b|rate.?limit|quota|usage.?limit|too many requests|insufficient.{0,20}(credit|balance)", re.I
)
_UNFINISHED = {
    "max_tokens": "The model's answer became too long.",
    "max_turn_requests": "The program made as many requests as it may in one turn.",
    "refusal": "The model refused to go on.",
}


class Reader:
    """Reads the turns of one session. Texts come in pieces; the whole passage is told when something else begins."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A turn begins."""
        self._passage = ""
        self._kind: tuple[bool, Any] = (False, None)
        self._tools: dict[str, JsonObject] = {}
        self._told: set[str] = set()

    def name_of(self, call: str) -> str | None:
        """What the program called the tool of a call when it began."""
        known = self._tools.get(call)
        return None if known is None else str(known["name"])

    def updates(self, update: JsonObject) -> Iterator[Update]:
        match update.get("sessionUpdate"):
            case "agent_message_chunk":
                yield from self._piece(update, thinking=False)
            case "agent_thought_chunk":
                yield from self._piece(update, thinking=True)
            case "tool_call" | "tool_call_update":
                yield from self._tool(update)

    def rest(self) -> Iterator[Update]:
        """The passage that nothing ended."""
        passage, self._passage = self._passage, ""
        if passage.strip():
            yield Text(passage, thinking=self._kind[0])

    def ended(self, result: JsonObject, *, stop_asked: bool) -> list[Update]:
        """What the answer to a prompt says of the turn."""
        found: list[Update] = []
        usage = result.get("usage") or {}
        if usage:
            found.append(Usage(int(usage.get("inputTokens") or 0), int(usage.get("outputTokens") or 0)))
        reason = str(result.get("stopReason"))
        if reason == "cancelled" or (stop_asked and reason != "end_turn"):
            return [*found, TurnEnded("interrupted")]
        if reason == "end_turn":
            return [*found, TurnEnded("completed")]
        return [*found, TurnEnded("failed", _UNFINISHED.get(reason, f"The turn ended with {reason}."))]

    def _piece(self, update: JsonObject, *, thinking: bool) -> Iterator[Update]:
        kind = (thinking, update.get("messageId"))
        if kind != self._kind:
            yield from self.rest()
        self._kind = kind
        content = update.get("content") or {}
        text = str(content.get("text") or "") if content.get("type") == "text" else f"[{content.get('type')}]"
        self._passage += text
        if text and not thinking:
            yield TextPart(text)

    def _tool(self, update: JsonObject) -> Iterator[Update]:
        """A call is told once its arguments are whole, which is when it is no longer pending."""
        call = str(update["toolCallId"])
        known = self._tools.setdefault(call, {"name": str(update.get("title") or "tool")[:LONGEST_NAME]})
        known |= {name: value for name, value in update.items() if value is not None}
        status = known.get("status", "pending")
        if status == "pending":
            return
        yield from self.rest()
        if call not in self._told:
            self._told.add(call)
            yield ToolStarted(call, known["name"], _arguments(known))
        if status in _OVER:
            yield ToolEnded(call, _given_back(known), status == "failed")
            del self._tools[call]


def failure(problem: RpcError, hint: str) -> TurnEnded:
    """The end of a turn that the program answered with an error."""
    said = account(problem)
    return TurnEnded("exhausted" if _USED_UP.search(said) else "failed", f"{said} {hint}".strip())


def account(problem: RpcError) -> str:
    """What the program said of an error; many say what matters beside the message."""
    if problem.data in (None, {}):
        return problem.message
    details = problem.data if isinstance(problem.data, str) else orjson.dumps(problem.data).decode()
    return f"{problem.message} ({details[:500]})"


def _arguments(call: JsonObject) -> JsonObject:
    given: Any = call.get("rawInput")
    return given if isinstance(given, dict) else {} if given is None else {"arguments": given}


def _given_back(call: JsonObject) -> str:
    parts = [_content(part) for part in call.get("content") or []]
    if any(parts):
        return "\n".join(part for part in parts if part)
    output = call.get("rawOutput")
    if isinstance(output, dict):
        output = output.get("output") or output.get("error") or output
    return output if isinstance(output, str) else "" if output is None else orjson.dumps(output).decode()


def _content(part: JsonObject) -> str:
    match part.get("type"):
        case "content":
            inner = part.get("content") or {}
            return str(inner.get("text") or f"[{inner.get('type')}]")
        case "diff":
            return f"Changed {part.get('path')}"
    return ""
