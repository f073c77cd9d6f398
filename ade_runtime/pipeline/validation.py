"""Stage 4: arguments become the action's input model, or every problem with them is told at once."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ade_generated import errors
from ade_runtime.contracts import ActionEntry, JsonObject
from ade_runtime.wire import WireModel

PROBLEMS_TOLD = 20
VALUE_SHOWN = 80


def read_input(entry: ActionEntry, arguments: JsonObject) -> WireModel:
    """The validated input. Raises ``invalid_arguments`` with ``details.problems``: a list of ``{path, problem}``."""
    try:
        return entry.input_model.model_validate(arguments)
    except ValidationError as refusal:
        raise invalid(entry, refusal) from None


def invalid(entry: ActionEntry, refusal: ValidationError) -> errors.InvalidArguments:
    """All problems of one refusal as an error: the message is the first, the details hold them all."""
    known = [field.alias or name for name, field in entry.input_model.model_fields.items()]
    found = refusal.errors(include_url=False, include_context=False)
    problems = [_problem(error, known) for error in found[:PROBLEMS_TOLD]]
    first = problems[0]
    text = f"{first['path']}: {first['problem']}" if first["path"] else first["problem"]
    if len(found) > 1:
        text += f" (and {len(found) - 1} more)"
    return errors.InvalidArguments(problem=text, action=entry.id, details={"problems": problems})


def _problem(error: Any, known: list[str]) -> JsonObject:
    path = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return {"path": path, "problem": _unknown_field(str(error["loc"][-1]), known if len(error["loc"]) == 1 else [])}
    if error["type"] == "missing":
        return {"path": path, "problem": "is required"}
    message = str(error["msg"]).removeprefix("Value error, ")
    return {"path": path, "problem": message[:1].lower() + message[1:] + _given(error)}


def _unknown_field(name: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"there is no such field; did you mean {close[0]}?"
    return "there is no such field" + (f"; fields: {', '.join(known)}" if known else "")


def _given(error: Any) -> str:
    """The refused value, when it is small enough to help."""
    value = error.get("input")
    if not error["loc"] or isinstance(value, dict | list) or value is None:
        return ""
    shown = repr(value)
    return f" (given: {shown})" if len(shown) <= VALUE_SHOWN else ""
