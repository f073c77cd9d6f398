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
RULES: dict[str, Any] = {
    "exactly_one_of": ["left", "right"],
    "at_most_one_of": ["left", "right"],
    "at_least_one_of": ["left", "right"],
    "requires": {"field": "right", "fields": ["left"]},
}
"""Each is met by ``left`` alone."""
PATTERNS = ["^[a-c]*$", "x", "^.{0,2}$", "(a|b)+", "^[^0-9]*$", '"']


def fields(seed: int) -> dict[str, Any]:
    """Up to six input fields."""
    dice = random.Random(seed)
    names = dice.sample(NAMES, dice.randint(1, 6))
    return {name: _field(dice) for name in names}


def _field(dice: random.Random) -> dict[str, Any]:
    return {**value(dice, 0), "optional": True}


def world(seed: int, actions: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Actions with inputs, rules and outputs, and the types they share: scalars, objects and a tagged union."""
    dice = random.Random(seed)
    types = {f"word_{index}": _plain(dice) for index in range(3)}
    types |= {f"Part{index}": _closed(dice) for index in range(3)}
    types |= {f"Kind{index}": _branch(dice, index) for index in range(2)}
    return {f"play_{index}": _action(dice) for index in range(actions)}, types


def _action(dice: random.Random) -> dict[str, Any]:
    names = dice.sample(NAMES, dice.randint(1, 6))
    free = names[: dice.randint(0, len(names))]
    given = {name: {**_referring(dice), "optional": True} for name in names if name in free}
    given |= {name: _with_default(dice) for name in names if name not in free}
    rule = dice.choice([None, *RULES])
    if rule is not None:
        given |= {name: {"type": "boolean", "optional": True} for name in ("left", "right")}
    produced = dice.sample(NAMES, dice.randint(1, 3))
    output = {
        "type": "object",
        "properties": {name: _referring(dice) for name in produced},
        "required": produced,
    }
    works = {"title": "Works", "input": {"left": True} if rule else {}, "output": {}}
    fails = {"title": "Fails", "input": {"zz": 1}, "error": {"code": "invalid_arguments", "path": "zz"}}
    return {
        "input": given,
        "rules": [{rule: RULES[rule]}] if rule else [],
        "output": output,
        "examples": [works, fails],
    }


def _referring(dice: random.Random) -> dict[str, Any]:
    """A value that may be a shared type."""
    kind = dice.randrange(5)
    if kind == 0:
        return {"$ref": f"word_{dice.randrange(3)}"} | ({"nullable": True} if dice.random() < 0.3 else {})
    if kind == 1:
        return {"$ref": f"Part{dice.randrange(3)}"} | ({"nullable": True} if dice.random() < 0.3 else {})
    if kind == 2:
        union = {"oneOf": [{"$ref": "Kind0"}, {"$ref": "Kind1"}], "discriminator": "kind"}
        return {"type": "array", "items": union} if dice.random() < 0.5 else union
    return _closed(dice) if kind == 3 else _plain(dice)


def _with_default(dice: random.Random) -> dict[str, Any]:
    return dice.choice(
        [
            {"type": "integer", "minimum": -3, "maximum": 9, "default": dice.randint(-3, 9)},
            {"type": "number", "default": dice.choice([0, 0.5, -1e9])},
            {"type": "boolean", "default": dice.random() < 0.5},
            {"type": "string", "maxLength": 9, "default": dice.choice(WORDS)},
            {"type": "array", "items": {"type": "string"}, "default": []},
            {"type": "object", "additionalProperties": {"type": "integer"}, "default": {}},
        ]
    )


def _plain(dice: random.Random) -> dict[str, Any]:
    return dice.choice([_string, _number, _boolean, _date])(dice, 3)


def _closed(dice: random.Random) -> dict[str, Any]:
    """An object all of whose properties are required, as outputs have them."""
    names = dice.sample(NAMES, dice.randint(1, 3))
    inner = {name: _or_null(dice, _plain(dice)) for name in names}
    return {"type": "object", "properties": inner, "required": names}


def _branch(dice: random.Random, index: int) -> dict[str, Any]:
    found = _closed(dice)
    found["properties"] = {"kind": {"type": "string", "const": f"k{index}"}, **found["properties"]}
    return found | {"required": ["kind", *found["required"]]}


def _or_null(dice: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    allowed = dice.random() < 0.3 and "const" not in schema
    return schema | {"type": [schema["type"], "null"]} if allowed else schema


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
