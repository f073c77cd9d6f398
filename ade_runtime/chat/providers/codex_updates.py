"""Codex's notifications as updates."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.chat.providers.base import Notice, Text, TextPart, ToolEnded, ToolStarted, TurnEnded, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ade_runtime.chat.providers.base import Update
    from ade_runtime.contracts import JsonObject

HEARD = frozenset(
    [
        "item/started",
        "item/completed",
        "item/agentMessage/delta",
        "thread/tokenUsage/updated",
        "model/rerouted",
        "warning",
        "error",
        "turn/completed",
    ]
)
"""What a turn is read from; everything else is dropped where it comes in."""

RATE_LIMITS = "account/rateLimits/updated"
USED_UP = frozenset(["usageLimitExceeded", "sessionBudgetExceeded", "rateLimitExceeded"])
NOT_SIGNED_IN = "unauthorized"
_BY_STATUS = {429: "rateLimitExceeded", 401: NOT_SIGNED_IN}
FAILED = frozenset(["failed", "declined"])


class Reader:
    """Reads the turns of one thread. ``hint`` is what to do where nobody is signed in."""

    def __init__(self, hint: str) -> None:
        self.retry_at: int | None = None
        self._hint = hint
        self._used = [0, 0]
        self._fill: float | None = None
        self._warned: set[str] = set()

    def begin(self) -> None:
        """A turn begins."""
        self._used = [0, 0]

    def limits(self, params: JsonObject) -> None:
        """Remember until when a quota is used up, in seconds of the epoch."""
        windows = [(params.get("rateLimits") or {}).get(name) or {} for name in ("primary", "secondary")]
        ends = [one.get("resetsAt") for one in windows if (one.get("usedPercent") or 0) >= 100]
        self.retry_at = max((end for end in ends if end), default=None)

    def updates(self, method: str, params: JsonObject) -> Iterator[Update]:
        match method:
            case "item/agentMessage/delta":
                yield TextPart(params["delta"])
            case "item/started":
                yield from _started(params["item"])
            case "item/completed":
                yield from _completed(params["item"])
            case "thread/tokenUsage/updated":
                last = params["tokenUsage"]["last"]
                self._used[0] += last["inputTokens"]
                self._used[1] += last["outputTokens"]
                window = params["tokenUsage"].get("modelContextWindow")
                self._fill = (last["inputTokens"] + last["outputTokens"]) / window if window else None
            case "model/rerouted":
                yield Notice(f"The model was changed from {params['fromModel']} to {params['toModel']}.")
            case "warning":
                yield from self._warning(str(params["message"]))
            case "error":
                if params["willRetry"]:
                    yield Notice(_retried(params["error"]))
            case "turn/completed":
                yield from self._ended(params["turn"])

    def _warning(self, text: str) -> Iterator[Update]:
        """Once each: the program repeats itself in every turn."""
        if text not in self._warned:
            self._warned.add(text)
            yield Notice(text)

    def _ended(self, turn: JsonObject) -> Iterator[Update]:
        if any(self._used):
            yield Usage(self._used[0], self._used[1], fill=self._fill)
        status, error = turn["status"], turn.get("error") or {}
        if status == "completed":
            yield TurnEnded("completed")
        elif status == "interrupted":
            yield TurnEnded("interrupted")
        elif _kind(error) in USED_UP:
            yield TurnEnded("exhausted", _reason(error), self._wait())
        else:
            told = f"{_reason(error)} {self._hint}" if _kind(error) == NOT_SIGNED_IN else _reason(error)
            yield TurnEnded("failed", told)

    def _wait(self) -> int | None:
        return None if self.retry_at is None else max(0, int((self.retry_at - time.time()) * 1000))


def _kind(error: JsonObject) -> str | None:
    """Codex's word for what went wrong: a word, or an object with that one key."""
    info = error.get("codexErrorInfo")
    if isinstance(info, dict):
        status = next(iter(info.values()), None)
        code = status.get("httpStatusCode") if isinstance(status, dict) else None
        return _BY_STATUS.get(code or 0) or next(iter(info), None)
    return info if isinstance(info, str) else None


def _reason(error: JsonObject) -> str:
    return str(error.get("message") or "The turn failed.")


def _retried(error: JsonObject) -> str:
    """What goes wrong and is tried again, with the cause where the program says it."""
    details = error.get("additionalDetails")
    return f"{_reason(error)} ({details})" if details else _reason(error)


# -- items


def _started(item: JsonObject) -> Iterator[Update]:
    tool = _TOOLS.get(item["type"])
    if tool is not None:
        name, arguments, _ = tool(item)
        yield ToolStarted(item["id"], name, arguments)


def _completed(item: JsonObject) -> Iterator[Update]:
    kind = item["type"]
    if kind in ("agentMessage", "plan"):
        asked = [_asked(question) for question in item.get("questions") or []]
        text = "\n\n".join(part for part in (item["text"], *asked) if part)
        if text:
            yield Text(text)
    elif kind == "reasoning":
        said = "\n\n".join(item.get("summary") or item.get("content") or [])
        if said:
            yield Text(said, thinking=True)
    elif kind == "contextCompaction":
        yield Notice("The program made its memory of the conversation shorter.")
    elif kind in _TOOLS:
        _, _, text = _TOOLS[kind](item)
        yield ToolEnded(
            item["id"], text, item.get("status") in FAILED or item.get("exitCode", 0) not in (0, None)
        )


def _asked(question: JsonObject) -> str:
    """A question that the model does not wait for: whatever is said next may answer it."""
    options = question.get("options") or []
    return "\n".join([str(question["title"]), *(f"- {option}" for option in options)])


def _command(item: JsonObject) -> tuple[str, JsonObject, str]:
    output = item.get("aggregatedOutput") or ""
    code = item.get("exitCode")
    told = "It was refused." if item["status"] == "declined" else output
    return "shell", {"command": item["command"]}, f"{told}\n[exit {code}]" if code else told


def _change(item: JsonObject) -> tuple[str, JsonObject, str]:
    changes = item["changes"]
    words = {"completed": "Changed.", "failed": "It failed.", "declined": "It was refused."}
    return "apply_patch", {"changes": changes}, words.get(item["status"], "")


def _dynamic(item: JsonObject) -> tuple[str, JsonObject, str]:
    name = "__".join(part for part in (item.get("namespace"), item["tool"]) if part)
    return name, _arguments(item), _joined(item.get("contentItems"))


def _mcp(item: JsonObject) -> tuple[str, JsonObject, str]:
    result = item.get("result") or {}
    text = (item.get("error") or {}).get("message") or _joined(result.get("content"))
    if not text and result.get("structuredContent") is not None:
        text = orjson.dumps(result["structuredContent"]).decode()
    return f"mcp__{item['server']}__{item['tool']}", _arguments(item), text


def _search(item: JsonObject) -> tuple[str, JsonObject, str]:
    return "web_search", {"query": item["query"]}, ""


def _agents(item: JsonObject) -> tuple[str, JsonObject, str]:
    return str(item["tool"]), {"prompt": item.get("prompt") or ""}, ""


_TOOLS: Mapping[str, Callable[[JsonObject], tuple[str, JsonObject, str]]] = {
    "commandExecution": _command,
    "fileChange": _change,
    "dynamicToolCall": _dynamic,
    "mcpToolCall": _mcp,
    "webSearch": _search,
    "collabAgentToolCall": _agents,
}
"""Kinds of items that are tools of the model: each with its name, its arguments and what it gave back so far."""


def _arguments(item: JsonObject) -> JsonObject:
    given: Any = item.get("arguments")
    return given if isinstance(given, dict) else {"arguments": given}


def _joined(content: list[Any] | None) -> str:
    return "\n".join(part.get("text") or f"[{part.get('type')}]" for part in content or [])
