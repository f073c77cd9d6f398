"""OpenAI's chat completions, as OpenCode and most other programs use them."""

from __future__ import annotations

import itertools
import json
from typing import Any

from tests.support.model.script import Answer, Call, Fail

PATH = "/v1/chat/completions"
COUNT_PATH = ""
END = b"data: [DONE]\n\n"
_numbers = itertools.count(1)
_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def wants_the_script(body: dict[str, Any]) -> bool:
    """Programs also ask small things on the side, such as a title; those come without tools."""
    return bool(body.get("tools"))


def events(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    """The answer as server-sent events."""
    if not isinstance(answer, Call):
        return said(body, answer.text)  # type: ignore[union-attr]
    arguments = answer.arguments(body) if callable(answer.arguments) else answer.arguments
    named = [name for name in tools(body) if answer.tool in name]
    call = {
        "index": 0,
        "id": f"call_{next(_numbers)}",
        "type": "function",
        "function": {"name": named[0] if named else answer.tool, "arguments": json.dumps(arguments)},
    }
    words = [{"content": answer.text}] if answer.text else []
    return _chunks(body, [*words, {"tool_calls": [call]}], "tool_calls")


def said(body: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """A text that ends the turn."""
    return _chunks(body, [{"content": text}], "stop")


def failure(answer: Fail) -> dict[str, Any]:
    return {"error": {"type": answer.kind, "message": answer.message, "code": answer.kind}}


def tools(body: dict[str, Any]) -> list[str]:
    """Names of the tools that a request offers."""
    return [str(tool["function"]["name"]) for tool in body.get("tools") or []]


def results(body: dict[str, Any]) -> list[str]:
    """Texts of the tool results that a request holds, in order."""
    return [_text(message["content"]) for message in body["messages"] if message["role"] == "tool"]


def _chunks(body: dict[str, Any], deltas: list[dict[str, Any]], reason: str) -> list[dict[str, Any]]:
    base = {
        "id": f"chatcmpl-{next(_numbers)}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body.get("model"),
    }
    steps = [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None} for delta in deltas]
    last = {"index": 0, "delta": {}, "finish_reason": reason}
    return [*(base | {"choices": [step]} for step in steps), base | {"choices": [last], "usage": _USAGE}]


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)
