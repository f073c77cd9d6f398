"""Forms that tool servers ask a user to fill in, as questions, and the answers as what the form wants.

The forms are those of MCP's elicitation: one level of texts, numbers, yes or no, and choices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_runtime.chat.providers.base import Choice, Question

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.contracts import JsonObject

YES, NO = "yes", "no"


def questions(message: str, form: JsonObject) -> tuple[Question, ...]:
    """A question for each field; the message of the form stands before the first."""
    found = []
    for place, (name, field) in enumerate(form["properties"].items()):
        title = str(field.get("title") or name)
        text = str(field.get("description") or title)
        choices = tuple(Choice(value, label if label != value else "") for value, label in _choices(field))
        found.append(
            Question(
                id=name,
                title=title,
                text=f"{message}\n{text}" if message and place == 0 else text,
                choices=choices,
                multiple=field.get("type") == "array",
                free=not choices,
            )
        )
    return tuple(found)


def content(form: JsonObject, answers: Mapping[str, tuple[str, ...]]) -> JsonObject | None:
    """The filled form; ``None`` where an answer is not what its field takes, or one that is required is missing."""
    found: JsonObject = {}
    try:
        for name, field in form["properties"].items():
            given = [value for value in answers.get(name, ()) if value]
            if given:
                found[name] = _value(field, given)
            elif name in (form.get("required") or []):
                return None
    except ValueError:
        return None
    return found


def _value(field: JsonObject, given: list[str]) -> Any:
    match field.get("type"):
        case "boolean":
            return given[0].lower() == YES
        case "integer":
            return int(given[0])
        case "number":
            return float(given[0])
        case "array":
            return given
        case _:
            return given[0]


def _choices(field: JsonObject) -> list[tuple[str, str]]:
    """Each value with what people read."""
    if field.get("type") == "boolean":
        return [(YES, YES), (NO, NO)]
    source = field.get("items") or {} if field.get("type") == "array" else field
    titled = source.get("oneOf") or source.get("anyOf") or []
    if titled:
        return [(str(one.get("const")), str(one.get("title") or one.get("const"))) for one in titled]
    names = source.get("enumNames") or source.get("enum") or []
    return [(str(value), str(name)) for value, name in zip(source.get("enum") or [], names, strict=False)]
