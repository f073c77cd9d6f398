"""The three ways in which agent programs ask a model, as little of each as one tool call and one closing text need."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]
TOOL = "ade_probe"
CALL_ID = "call_probe"
ARGUMENTS = {"word": "probe"}
CLOSING = "done"


def offered(body: Body) -> Body | None:
    """The probing tool as it reached the model: ``{name, namespace?, …}``."""
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":
            for inner in tool.get("tools") or []:
                if TOOL in str(inner.get("name")):
                    return {**inner, "namespace": tool.get("name")}
        found = tool.get("function", tool)
        if TOOL in str(found.get("name")):
            return dict(found)
    return None


def answered(body: Body) -> bool:
    """Whether the request holds a tool's result."""
    return any(
        item.get("role") == "tool"
        or item.get("type") == "function_call_output"
        or any(_is_result(block) for block in _list(item.get("content")))
        for item in [*_list(body.get("messages")), *_list(body.get("input"))]
        if isinstance(item, dict)
    )


def events(path: str, body: Body, tool: Body | None) -> bytes:
    """The answer as server-sent events: a call of ``tool``, or without one a text that ends the turn."""
    ways = {"/v1/messages": _messages, "/v1/responses": _responses, "/v1/chat/completions": _completions}
    data = b"".join(
        (f"event: {event['type']}\n" if "type" in event else "").encode()
        + f"data: {json.dumps(event)}\n\n".encode()
        for event in ways[path](body, tool)
    )
    return data + (b"data: [DONE]\n\n" if path == "/v1/chat/completions" else b"")


def _messages(body: Body, tool: Body | None) -> Iterator[Body]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: Body = {
        "id": "msg_probe",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    block: Body = {"type": "text", "text": ""}
    delta: Body = {"type": "text_delta", "text": CLOSING}
    if tool is not None:
        block = {"type": "tool_use", "id": "toolu_probe", "name": tool["name"], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": "end_turn" if tool is None else "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": usage}
    yield {"type": "message_stop"}


def _responses(body: Body, tool: Body | None) -> Iterator[Body]:
    part = {"type": "output_text", "text": CLOSING, "annotations": []}
    item: Body = {"type": "message", "id": "msg_probe", "role": "assistant", "content": [part]}
    if tool is not None:
        item = {"type": "function_call", "id": "fc_probe", "call_id": CALL_ID}
        item |= {"name": tool["name"], "arguments": json.dumps(ARGUMENTS)}
        item |= {"namespace": tool["namespace"]} if tool.get("namespace") else {}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield {"type": "response.created", "response": {"id": "resp_probe"}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": {"id": "resp_probe", "usage": usage}}


def _completions(body: Body, tool: Body | None) -> Iterator[Body]:
    base = {
        "id": "chatcmpl-probe",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body.get("model"),
    }
    delta: Body = {"role": "assistant", "content": CLOSING}
    if tool is not None:
        function = {"name": tool["name"], "arguments": json.dumps(ARGUMENTS)}
        call = {"index": 0, "id": CALL_ID, "type": "function", "function": function}
        delta = {"role": "assistant", "tool_calls": [call]}
    yield base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    reason = "stop" if tool is None else "tool_calls"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"
