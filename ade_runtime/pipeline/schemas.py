"""The JSON Schemas that the generator exported for each action, read when first asked for."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.contracts import JsonObject

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry


def input_schema(entry: ActionEntry) -> JsonObject:
    """The provider-safe schema of an action's input."""
    schema: JsonObject = _of_domain(entry.domain)["actions"][entry.id]["input"]
    return schema


def output_schema(entry: ActionEntry) -> JsonObject:
    """The schema of an action's output."""
    schema: JsonObject = _of_domain(entry.domain)["actions"][entry.id]["output"]
    return schema


@cache
def _names(domain: str) -> dict[str, str]:
    return {action: _signature(schemas["input"]) for action, schemas in _of_domain(domain)["actions"].items()}


def argument_names(entry: ActionEntry) -> str:
    """``name base? parent?``: the fields of an action's input, ``?`` after those that may be left out."""
    return _names(entry.domain)[entry.id]


def _signature(schema: JsonObject) -> str:
    required = schema.get("required", ())
    return " ".join(name if name in required else f"{name}?" for name in schema.get("properties", {}))


@cache
def _of_domain(domain: str) -> dict[str, Any]:
    text = (files("ade_generated") / "schemas" / f"{domain}.json").read_bytes()
    found: dict[str, Any] = orjson.loads(text)
    return found
