"""OpenAI's Responses API, as Codex uses it: with tools as such, and with one tool ``exec`` that runs a script of calls."""

from __future__ import annotations

import itertools
import json
from typing import Any

from tests.support.model.script import Answer, Call, Code, Fail

PATH = "/v1/responses"
COUNT_PATH = ""
_numbers = itertools.count(1)
_RESULTS = ("function_call_output", "custom_tool_call_output")


def wants_the_script(body: dict[str, Any]) -> bool:
    """Programs also ask small things on the side; those come without tools."""
    return bool(_functions(body) or _additional(body))


def events(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    """The answer as server-sent events."""
    if isinstance(answer, Code):
        return _response([_script(answer.source)])
    if not isinstance(answer, Call):
        return said(body, answer.text)  # type: ignore[union-attr]
    arguments = answer.arguments(body) if callable(answer.arguments) else answer.arguments
    items = [_message(answer.text)] if answer.text else []
    if _additional(body):
        call = f"await tools[ALL_TOOLS.find((tool) => tool.name.includes({json.dumps(answer.tool)})).name]"
        return _response([*items, _script(f"text({call}({json.dumps(arguments)}))")])
    named = [(space, name) for space, name in _functions(body) if answer.tool in name]
    space, name = named[0] if named else (None, answer.tool)
    item = {
        "type": "function_call",
        "id": f"fc_{next(_numbers)}",
        "call_id": f"call_{next(_numbers)}",
        "name": name,
        "arguments": json.dumps(arguments),
    }
    return _response([*items, item if space is None else item | {"namespace": space}])


def said(body: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """A text that ends the turn."""
    return _response([_message(text)])


def failure(answer: Fail) -> dict[str, Any]:
    return {"error": {"type": answer.kind, "message": answer.message, "code": answer.kind}}


def results(body: dict[str, Any]) -> list[str]:
    """Texts of the tool results that a request holds, in order."""
    return [_text(item["output"]) for item in body["input"] if item.get("type") in _RESULTS]


def tools(body: dict[str, Any]) -> list[str]:
    """Names of the tools that a request offers as such, ``namespace.name`` where they sit in one."""
    return [name if space is None else f"{space}.{name}" for space, name in _functions(body)]


def declarations(body: dict[str, Any]) -> str:
    """What a model that writes scripts is told of its tools."""
    return json.dumps(_additional(body))


def _functions(body: dict[str, Any]) -> list[tuple[str | None, str]]:
    found: list[tuple[str | None, str]] = []
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":
            found.extend((tool["name"], inner["name"]) for inner in tool["tools"])
        else:
            found.append((None, str(tool.get("name") or tool.get("type"))))
    return found


def _additional(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in body["input"] if item.get("type") == "additional_tools"]


def _script(source: str) -> dict[str, Any]:
    number = next(_numbers)
    return {
        "type": "custom_tool_call",
        "id": f"ctc_{number}",
        "call_id": f"call_{number}",
        "name": "exec",
        "input": source,
    }


def _message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": f"msg_{next(_numbers)}", "role": "assistant", "content": [part]}


def _response(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    identifier = f"resp_{next(_numbers)}"
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    done = [
        {"type": "response.output_item.done", "output_index": place, "item": item}
        for place, item in enumerate(items)
    ]
    return [
        {"type": "response.created", "response": {"id": identifier}},
        *done,
        {"type": "response.completed", "response": {"id": identifier, "usage": usage}},
    ]


def _text(output: object) -> str:
    if isinstance(output, list):
        return "".join(str(part.get("text", "")) for part in output if isinstance(part, dict))
    return str(output)
