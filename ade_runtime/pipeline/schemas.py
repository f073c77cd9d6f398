"""The JSON Schemas that the generator exported for each action, read when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.contracts import JsonObject
from ade_runtime.packs.records import PackEntry

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry


def input_schema(entry: ActionEntry) -> JsonObject:
    """The provider-safe schema of an action's input."""
    schema: JsonObject = _of(entry)["input"]
    return schema


def output_schema(entry: ActionEntry) -> JsonObject:
    """The schema of an action's output."""
    schema: JsonObject = _of(entry)["output"]
    return schema


def _of(entry: ActionEntry) -> Mapping[str, Any]:
    if isinstance(entry, PackEntry):
        return entry.schemas
    found: dict[str, Any] = _of_domain(entry.domain)["actions"][entry.id]
    return found


@cache
def _names(domain: str) -> dict[str, str]:
    return {action: _signature(schemas["input"]) for action, schemas in _of_domain(domain)["actions"].items()}


def argument_names(entry: ActionEntry) -> str:
    """``name base? parent?``: the fields of an action's input, ``?`` after those that may be left out."""
    if isinstance(entry, PackEntry):
        return _signature(entry.schemas["input"])
    return _names(entry.domain)[entry.id]


def _signature(schema: JsonObject) -> str:
    required = schema.get("required", ())
    return " ".join(name if name in required else f"{name}?" for name in schema.get("properties", {}))


@cache
def _of_domain(domain: str) -> dict[str, Any]:
    text = (files("ade_generated") / "schemas" / f"{domain}.json").read_bytes()
    found: dict[str, Any] = orjson.loads(text)
    return found
