"""Anthropic's Messages API, as Claude Code uses it."""

from __future__ import annotations

import itertools
import json
from typing import Any

from tests.support.model.script import Answer, Call, Fail

PATH = "/v1/messages"
COUNT_PATH = "/v1/messages/count_tokens"
_numbers = itertools.count(1)


def wants_the_script(body: dict[str, Any]) -> bool:
    """Programs also ask small things on the side, such as a title; those come without tools."""
    return bool(body.get("tools"))


def events(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    """The answer as server-sent events."""
    if not isinstance(answer, Call):
        return said(body, answer.text)  # type: ignore[union-attr]
    arguments = answer.arguments(body) if callable(answer.arguments) else answer.arguments
    names = [tool["name"] for tool in body["tools"]]
    name = next((name for name in names if answer.tool in name), answer.tool)
    number = next(_numbers)
    blocks: list[tuple[dict[str, Any], dict[str, Any]]] = []
    if answer.text:
        blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": answer.text}))
    start = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
    blocks.append((start, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}))
    return _message(body, blocks, "tool_use")


def said(body: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """A text that ends the turn."""
    return _message(body, [({"type": "text", "text": ""}, {"type": "text_delta", "text": text})], "end_turn")


def failure(answer: Fail) -> dict[str, Any]:
    return {"type": "error", "error": {"type": answer.kind, "message": answer.message}}


def results(body: dict[str, Any]) -> list[str]:
    """Texts of the tool results that a request holds, in order."""
    found = []
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_result":
                content = block.get("content") or ""
                parts = content if isinstance(content, list) else [{"text": content}]
                found.append("".join(part.get("text", "") for part in parts))
    return found


def _message(
    body: dict[str, Any], blocks: list[tuple[dict[str, Any], dict[str, Any]]], reason: str
) -> list[dict[str, Any]]:
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {
        "id": f"msg_{next(_numbers)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    found: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, (start, delta) in enumerate(blocks):
        found.append({"type": "content_block_start", "index": index, "content_block": start})
        found.append({"type": "content_block_delta", "index": index, "delta": delta})
        found.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": reason, "stop_sequence": None}
    found.append({"type": "message_delta", "delta": end, "usage": usage})
    found.append({"type": "message_stop"})
    return found
