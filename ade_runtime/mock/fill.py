"""From the part of an answer that an example names to a whole one, by the schema of the action's output."""

from __future__ import annotations

import re
from typing import Any

ABSENT: Any = object()
"""Stands for a value that the example does not name."""

MOMENT = "2026-01-01T00:00:00Z"
DAY = "2026-01-01"
WORD = "example"
PAGE = 20
"""Most elements that are made up for a list."""
TEXTS = (WORD, "0123abc", "octo/shop", "octo/shop#1", "ENG-123")
"""What a text may look like that has to follow a pattern, the likeliest first."""


def fill(schema: dict[str, Any], given: Any = ABSENT) -> Any:
    """``given`` with everything that the schema wants besides: null where it may be, else the plainest value."""
    if given is ABSENT:
        return plainest(schema)
    if "anyOf" in schema:
        return given if given is None else fill(_branch(schema["anyOf"], given), given)
    if isinstance(given, list) and isinstance(schema.get("items"), dict):
        return [fill(schema["items"], item) for item in given]
    if isinstance(given, dict):
        return _object(schema, given)
    return given


def plainest(schema: dict[str, Any]) -> Any:
    """The plainest value that a schema allows."""
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return None if {"type": "null"} in schema["anyOf"] else plainest(schema["anyOf"][0])
    kind = schema.get("type")
    if isinstance(kind, list):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    match kind:
        case "string":
            return _text(schema)
        case "integer" | "number":
            return min(max(0, schema.get("minimum", 0)), schema.get("maximum", 0))
        case "boolean":
            return False
        case "array":
            return [plainest(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case _:
            return _object(schema, {})


def _object(schema: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = schema.get("properties", {})
    more = schema.get("additionalProperties")
    made = {
        name: fill(part, given.get(name, ABSENT))
        for name, part in properties.items()
        if name in given or name in schema.get("required", ())
    }
    for name in given.keys() - properties.keys():
        made[name] = fill(more, given[name]) if isinstance(more, dict) else given[name]
    if isinstance(made.get("items"), list) and "total" in made:
        if "total" not in given:
            made["total"] = len(made["items"])
        elif "items" not in given:
            made["items"] = _so_many(properties["items"], given["total"])
    return made


def _so_many(schema: dict[str, Any], total: int) -> list[Any]:
    """The elements of a list of which only the number is named, as many of them as a page shows."""
    return [plainest(schema["items"]) for _ in range(min(total, PAGE, schema.get("maxItems", PAGE)))]


def _branch(branches: list[dict[str, Any]], given: Any) -> dict[str, Any]:
    """The branch whose tags are those of the value."""
    for branch in branches:
        tags = {name: part["const"] for name, part in branch.get("properties", {}).items() if "const" in part}
        if branch.get("type") != "null" and (
            not isinstance(given, dict) or all(given.get(name) == tag for name, tag in tags.items())
        ):
            return branch
    return branches[0]


def _text(schema: dict[str, Any]) -> str:
    if schema.get("format") == "date-time":
        return MOMENT
    if schema.get("format") == "date":
        return DAY
    if "pattern" in schema:
        return next((text for text in TEXTS if re.search(schema["pattern"], text)), WORD)
    return WORD.ljust(schema.get("minLength", 0), ".")[: schema.get("maxLength", len(WORD) + 1000)]
