"""Why a document was refused, in words for the person or agent that sent it.

Pydantic's errors become :class:`Problem`: a dotted path by wire names (``labels.0``), and a message that says
what is wanted. Values are shown only when they are short.
"""

from __future__ import annotations

import difflib
import json
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

VALUE_SHOWN = 80
NAMES_SHOWN = 20
_TYPES = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "finite_number": "must be a finite number",
    "string_unicode": "must be valid Unicode text",
    "missing": "is required",
}
_UNSHOWN = ("missing", "string_unicode")


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason. ``path`` is dotted, empty for the whole document; ``kind`` is stable."""

    path: str
    message: str
    kind: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class WireError(ValueError):
    """A document that does not fit its model, with every problem, in the order of the fields."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Place:
    """Where pydantic's location leads: the path without union tags, the field names known in its container,
    and whether what is there may be shown.
    """

    path: tuple[str | int, ...]
    siblings: tuple[str, ...]
    secret: bool = False


def problems(
    refusal: WireError | ValidationError, model: type[BaseModel] | None = None
) -> list[dict[str, str]]:
    """The problems as JSON objects ``{path, message}``.

    ``model`` names the fields when pydantic itself raised.
    """
    found = refusal.problems if isinstance(refusal, WireError) else describe(refusal, model)
    return [{"path": problem.path, "message": problem.message} for problem in found]


def describe(refusal: ValidationError, model: type[BaseModel] | None) -> list[Problem]:
    return [_problem(error, model) for error in refusal.errors(include_url=False)]


def locate(model: type[BaseModel] | None, location: Iterable[str | int]) -> Place:
    """Follow a location through the annotations, dropping the tags pydantic adds for a union's branch."""
    here: Any = model
    path: list[str | int] = []
    siblings: tuple[str, ...] = ()
    secret = False
    for step in location:
        if step == "[key]":  # of a map; the key itself came before
            continue
        here, siblings = _plain(here), ()
        origin = get_origin(here)
        if isinstance(here, type) and issubclass(here, BaseModel):
            fields = {field.alias or name: field for name, field in here.model_fields.items()}
            siblings = tuple(fields)
            field = fields.get(str(step)) or here.model_fields.get(str(step))
            hidden: frozenset[str] = getattr(here, "__secret__", frozenset())
            secret = secret or any(here.model_fields[name] is field for name in hidden)
            here = field.annotation if field else None
        elif origin is list:
            here = get_args(here)[0]
        elif origin is dict:
            here = get_args(here)[1]
        elif origin in (Union, types.UnionType):
            here = next((branch for branch in get_args(here) if _has_tag(branch, step)), None)
            if here is not None:
                continue
        path.append(step)
    return Place(tuple(path), siblings, secret)


def shown(value: Any) -> str:
    """`` (given: …)`` for a short scalar, else nothing."""
    if value is None or isinstance(value, dict | list):
        return ""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError):
        return ""
    return f" (given: {text})" if len(text) <= VALUE_SHOWN else ""


def _plain(annotation: Any) -> Any:
    """The annotation without ``Annotated`` and without ``None``."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
            continue
        if get_origin(annotation) in (Union, types.UnionType):
            rest = [part for part in get_args(annotation) if part is not type(None)]
            if len(rest) == 1:
                annotation = rest[0]
                continue
        return annotation


def _has_tag(branch: Any, tag: str | int) -> bool:
    branch = _plain(branch)
    if not (isinstance(branch, type) and issubclass(branch, BaseModel)):
        return False
    literals = [_plain(field.annotation) for field in branch.model_fields.values()]
    return any(get_origin(literal) is Literal and get_args(literal) == (tag,) for literal in literals)


def _problem(error: Any, model: type[BaseModel] | None) -> Problem:
    kind = str(error["type"])
    context = error.get("ctx", {})
    place = locate(model, error["loc"])
    path = place.path
    given = "" if place.secret else shown(error["input"])
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        path = (*path, str(context["discriminator"]).split(" | ")[-1].strip("'"))
        message = (
            "is required"
            if kind == "union_tag_not_found"
            else _one_of(context["expected_tags"], context["tag"])
        )
    elif kind == "extra_forbidden":
        message = _unknown(str(path[-1]), place.siblings)
    elif kind == "literal_error":
        message = _one_of(context["expected"], error["input"])
    elif kind in _TYPES:
        message = _TYPES[kind] + ("" if kind in _UNSHOWN else given)
    else:
        message = _limit(kind, context, error) + (given if error["input"] != "" else "")
    return Problem(".".join(map(str, path)), message, kind.removeprefix("wire_"))


def _limit(kind: str, context: Mapping[str, Any], error: Any) -> str:
    match kind:
        case "string_too_short":
            least = context["min_length"]
            return "must not be empty" if least == 1 else f"must have at least {least} characters"
        case "string_too_long":
            return f"must have at most {context['max_length']} characters"
        case "string_pattern_mismatch":
            return f"must match {context['pattern']}"
        case "too_short":
            return f"must have at least {_items(context['min_length'])}"
        case "too_long":
            return f"must have at most {_items(context['max_length'])}"
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "greater_than":
            return f"must be more than {context['gt']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case "less_than":
            return f"must be less than {context['lt']}"
    message = str(error["msg"])
    return message if kind.startswith("wire_") else message[:1].lower() + message[1:]


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def _one_of(expected: str, given: Any) -> str:
    names = expected.replace("'", "").replace(" or ", ", ").split(", ")
    if len(names) == 1:
        return f"must be {names[0]}{shown(given)}"
    text = f"must be one of {', '.join(names[:NAMES_SHOWN])}{shown(given)}"
    close = (
        difflib.get_close_matches(given, names, n=1) if isinstance(given, str) and len(given) <= 80 else []
    )
    return f"{text}; did you mean {close[0]}?" if close else text


def _unknown(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1) if len(name) <= 80 else []
    close = close or [
        other for other in known if other.replace("_", "").lower() == name.replace("-", "").lower()
    ]
    if close:
        return f"there is no such field; did you mean {close[0]}?"
    if not known:
        return "there is no such field"
    more = ", …" if len(known) > NAMES_SHOWN else ""
    return f"there is no such field; fields: {', '.join(known[:NAMES_SHOWN])}{more}"
