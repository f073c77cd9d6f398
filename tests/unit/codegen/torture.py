"""Specs that use every keyword in every position it may stand in."""

from __future__ import annotations

from typing import Any

from tests.unit.codegen import toy

TYPES: dict[str, Any] = {
    "word": {
        "type": "string",
        "minLength": 1,
        "maxLength": 8,
        "pattern": "^[a-z\"'\\\\]+$",
        "description": "A word.",
    },
    "small": {"type": "integer", "minimum": -3, "maximum": 3},
    "words": {"type": "array", "items": {"$ref": "word"}, "uniqueItems": True, "maxItems": 3},
    "Circle": {
        "type": "object",
        "description": "Round.",
        "properties": {
            "class": {"type": "string", "const": "circle"},
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e6},
        },
        "required": ["class", "radius"],
    },
    "Square": {
        "type": "object",
        "properties": {
            "class": {"type": "string", "const": "square"},
            "side": {"type": "integer"},
            "label": {"type": ["string", "null"]},
        },
        "required": ["class", "side", "label"],
    },
    "Point": {
        "type": "object",
        "properties": {
            "x": {"type": "integer", "exclusiveMinimum": -5, "exclusiveMaximum": 5},
            "y": {"type": "number", "minimum": -1.5, "exclusiveMaximum": 1.5},
            "note": {"type": "string"},
            "seen": {"type": ["string", "null"], "format": "date"},
            "depth": {"$ref": "small"},
        },
        "required": ["x"],
    },
    "Loose": {
        "type": "object",
        "properties": {
            "tight": {"$ref": "Tight", "default": {}},
            "near": {"$ref": "Point"},
            "far": {"type": "integer", "default": 7},
        },
    },
    "Tight": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}, "required": []},
    "Spot": {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "seen": {"type": ["string", "null"], "format": "date"}},
        "required": ["x", "seen"],
    },
}
SHAPE = {"oneOf": [{"$ref": "Circle"}, {"$ref": "Square"}], "discriminator": "class"}
INPUT: dict[str, Any] = {
    "text": {"type": "string"},
    "limited": {"$ref": "word", "optional": True},
    "nothing": {"type": ["string", "null"], "maxLength": 3},
    "maybe": {"type": ["integer", "null"], "minimum": 0, "optional": True},
    "level": {"type": "string", "enum": ["low", "high", 'it\'s "odd" \\'], "default": "low"},
    "mode": {"type": ["string", "null"], "enum": ["a", "b"], "optional": True},
    "only": {"type": "string", "const": "yes", "optional": True},
    "count": {"type": "integer", "default": 3, "minimum": 1, "maximum": 9},
    "any_integer": {"type": "integer", "optional": True},
    "ratio": {"type": "number", "default": 0.5},
    "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "optional": True},
    "flag": {"type": "boolean", "optional": True},
    "on_by_default": {"type": "boolean", "default": True},
    "tri": {"type": ["boolean", "null"], "optional": True},
    "day": {"type": "string", "format": "date", "default": "2020-01-01"},
    "at": {"type": "string", "format": "date-time", "optional": True},
    "maybe_at": {"type": ["string", "null"], "format": "date-time", "optional": True},
    "list": {"type": "array", "items": {"type": "string"}, "optional": True},
    "named": {"type": "array", "items": {"$ref": "word"}, "default": [], "maxItems": 3},
    "tally": {"type": "object", "additionalProperties": {"type": "integer"}, "default": {}},
    "loose": {"$ref": "Loose", "default": {}},
    "unique": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "uniqueItems": True,
        "optional": True,
    },
    "unique_numbers": {"type": "array", "items": {"type": "number"}, "uniqueItems": True, "optional": True},
    "unique_flags": {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "optional": True},
    "unique_words": {"$ref": "words", "optional": True},
    "matrix": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}, "optional": True},
    "days": {"type": ["array", "null"], "items": {"type": "string", "format": "date"}, "optional": True},
    "holes": {"type": "array", "items": {"type": ["string", "null"]}, "optional": True},
    "free": {"type": "object", "additionalProperties": True, "optional": True},
    "maybe_free": {"type": ["object", "null"], "additionalProperties": True, "optional": True},
    "counts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}, "optional": True},
    "flags": {"type": "object", "additionalProperties": {"type": "boolean"}, "optional": True},
    "points": {"type": "object", "additionalProperties": {"$ref": "Point"}, "optional": True},
    "shapes": {"type": "array", "items": SHAPE, "optional": True},
    "shape_by_name": {"type": "object", "additionalProperties": SHAPE, "optional": True},
    "shape": {**SHAPE, "optional": True},
    "maybe_shape": {**SHAPE, "nullable": True, "optional": True},
    "point": {"$ref": "Point", "optional": True},
    "maybe_point": {"$ref": "Point", "nullable": True, "optional": True},
    "options": {
        "type": "object",
        "properties": {
            "schema": {"type": "string"},
            "deep": {"type": "object", "properties": {"copy": {"type": "boolean"}}, "required": ["copy"]},
            "rows": {
                "type": "array",
                "items": {"type": "object", "properties": {"q": {"$ref": "small"}}, "required": ["q"]},
            },
            "table": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {"v": {"type": "string"}},
                    "required": [],
                },
            },
        },
        "required": ["schema"],
        "optional": True,
    },
    **{
        name: {"type": "string", "optional": True}
        for name in (
            "cron",
            "run_at",
            "delay",
            "zone",
            "offset",
            "_id",
            "__typename",
            "a.b-c",
            "model_config",
            "Field",
        )
    },
}
RULES = [
    {"at_most_one_of": ["cron", "run_at", "delay"]},
    {"requires": {"field": "offset", "fields": ["zone", "cron"]}},
]
OUTPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"$ref": "Spot"}},
        "total": {"type": "integer", "minimum": 0},
        "next": {"type": ["string", "null"]},
        "best": {**SHAPE, "nullable": True},
        "at": {"type": "string", "format": "date-time"},
        "extra": {"type": "object", "additionalProperties": True},
    },
    "required": ["items", "total", "next", "best", "at", "extra"],
}
EXAMPLES = [
    {"title": "Works", "input": {"text": "a", "nothing": None}, "output": {}},
    {"title": "Fails", "input": {"no_such": 1}, "error": {"code": "invalid_arguments", "path": "no_such"}},
]


def domain() -> dict[str, Any]:
    play = toy.action(input=INPUT, output=OUTPUT, rules=RULES, examples=EXAMPLES)
    one_of = toy.action(
        input={name: {"type": "string", "optional": True} for name in ("one", "two", "three")},
        rules=[{"exactly_one_of": ["one", "two"]}, {"at_least_one_of": ["two", "three"]}],
        examples=[{**EXAMPLES[0], "input": {"two": "x"}}, EXAMPLES[1]],
    )
    return toy.domain(actions={"play": play, "choose": one_of})
