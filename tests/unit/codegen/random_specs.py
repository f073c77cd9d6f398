"""Specs nobody thought of: random inputs over the whole subset of JSON Schema, by seed."""

from __future__ import annotations

import random
from typing import Any

NAMES = [
    "a",
    "id",
    "class",
    "schema",
    "items",
    "list",
    "date",
    "str",
    "_x",
    "no-w",
    "d.t",
    "Any",
    "copy",
    "self",
    "of",
    "at",
]
WORDS = ["x", "no", "true", "1", 'q"', "it's", "\\", "é"]
PATTERNS = ["^[a-c]*$", "x", "^.{0,2}$", "(a|b)+", "^[^0-9]*$", '"']


def fields(seed: int) -> dict[str, Any]:
    """Up to six input fields."""
    dice = random.Random(seed)
    names = dice.sample(NAMES, dice.randint(1, 6))
    return {name: _field(dice) for name in names}


def _field(dice: random.Random) -> dict[str, Any]:
    return {**value(dice, 0), "optional": True}


def value(dice: random.Random, depth: int) -> dict[str, Any]:
    kinds = [_string, _number, _boolean, _date]
    if depth < 3:
        kinds += [_array, _object, _map]
    schema = dice.choice(kinds)(dice, depth)
    if dice.random() < 0.25 and "const" not in schema:
        schema["type"] = [schema["type"], "null"]
    return schema


def _string(dice: random.Random, depth: int) -> dict[str, Any]:
    kind = dice.randrange(4)
    if kind == 0:
        return {"type": "string", "enum": dice.sample(WORDS, dice.randint(1, 4))}
    if kind == 1:
        return {"type": "string", "const": dice.choice(WORDS)}
    schema: dict[str, Any] = {"type": "string"}
    if dice.random() < 0.4:
        schema["minLength"] = dice.randint(0, 2)
    if dice.random() < 0.4:
        schema["maxLength"] = dice.randint(2, 5)
    if kind == 2:
        schema["pattern"] = dice.choice(PATTERNS)
    return schema


def _number(dice: random.Random, depth: int) -> dict[str, Any]:
    whole = dice.random() < 0.6
    schema: dict[str, Any] = {"type": "integer" if whole else "number"}
    low = dice.choice([-(2**63), -5, 0, 1]) if whole else dice.choice([-2.5, 0, 0.1])
    high = dice.choice([2**63 - 1, 7, 2]) if whole else dice.choice([2.5, 1e9])
    if dice.random() < 0.5:
        schema[dice.choice(["minimum", "exclusiveMinimum"])] = low
    if dice.random() < 0.5:
        schema[dice.choice(["maximum", "exclusiveMaximum"])] = high
    return schema


def _boolean(dice: random.Random, depth: int) -> dict[str, Any]:
    return {"type": "boolean"}


def _date(dice: random.Random, depth: int) -> dict[str, Any]:
    return {"type": "string", "format": dice.choice(["date", "date-time"])}


def _array(dice: random.Random, depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": value(dice, depth + 1)}
    if dice.random() < 0.4:
        schema["minItems"] = dice.randint(0, 1)
    if dice.random() < 0.4:
        schema["maxItems"] = dice.randint(1, 3)
    scalar = schema["items"]["type"] in ("string", "integer", "number", "boolean")
    if scalar and dice.random() < 0.4:
        schema["uniqueItems"] = True
    return schema


def _object(dice: random.Random, depth: int) -> dict[str, Any]:
    names = dice.sample(NAMES, dice.randint(1, 3))
    required = [name for name in names if dice.random() < 0.5]
    return {
        "type": "object",
        "properties": {name: value(dice, depth + 1) for name in names},
        "required": required,
    }


def _map(dice: random.Random, depth: int) -> dict[str, Any]:
    free = dice.random() < 0.3
    return {"type": "object", "additionalProperties": True if free else value(dice, depth + 1)}
