"""Exported schemas are provider safe and say their constraints; the validator judges as the models do."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ade_runtime.rfc3339 import is_date, is_date_time
from codegen.jsonschema_export import input_schema, output_schema, type_schema
from codegen.load import load_specs
from codegen.validate import PatternError, compile_pattern, problems, rule_problems, validator
from tests.unit.codegen.specs_on_disk import edited, load

ROOT = Path(__file__).resolve().parents[3]
COUNT = "count: {type: integer, minimum: 1, maximum: 9, optional: true}"
TYPES = """\
types:
  lane_ref: {type: string, minLength: 1, description: A lane.}
  Circle: {type: object, properties: {kind: {type: string, const: circle}, r: {type: number}}, required: [kind, r]}
  Square: {type: object, properties: {kind: {type: string, const: square}, a: {type: integer}}, required: [kind, a]}
"""
UNION = "{oneOf: [{$ref: Circle}, {$ref: Square}], discriminator: kind, optional: true, nullable: true}"


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(value, dict):
        return
    yield value
    for name in value.get("properties", {}):
        yield from schemas(value["properties"][name])
    for key in ("items", "additionalProperties"):
        yield from schemas(value.get(key))
    for branch in value.get("anyOf", ()):
        yield from schemas(branch)


def exported(tmp_path: Path, field: str) -> dict[str, Any]:
    text = edited((COUNT, f"x: {field}"))
    specs = load(tmp_path, {"domains/note.yaml": text, "types/all.yaml": TYPES})
    found: dict[str, Any] = input_schema(specs.actions[0], specs)["properties"]["x"]
    return found


def test_agents_1_every_exported_schema_of_the_project_is_provider_safe() -> None:
    specs = load_specs(ROOT)
    for action in specs.actions:
        for root in (input_schema(action, specs), output_schema(action, specs)):
            Draft202012Validator.check_schema(root)
            assert root["type"] == "object"
            assert root["additionalProperties"] is False
            assert not {"anyOf", "oneOf", "allOf", "not", "$ref", "$defs"} & set(root)
            for schema in schemas(root):
                assert "$ref" not in schema
                assert "oneOf" not in schema
                assert "type" in schema or "anyOf" in schema
            json.dumps(root, allow_nan=False)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (
            "{type: string, minLength: 1, maxLength: 120, description: The name., optional: true}",
            "The name (1 to 120 characters).",
        ),
        ("{type: string, maxLength: 1, optional: true}", "At most 1 character."),
        ("{type: string, minLength: 2, maxLength: 2, optional: true}", "Exactly 2 characters."),
        ("{type: string, pattern: ^a$, description: Name, optional: true}", "Name (matches ^a$)"),
        ("{type: integer, minimum: 1, default: 3, description: N.}", "N (at least 1; default 3)."),
        (
            "{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1.5, optional: true}",
            "More than 0.0, less than 1.5.",
        ),
        ("{type: boolean, default: false}", "Default false."),
        ("{type: string, format: date, optional: true}", "A date like 2026-01-31."),
        (
            "{type: array, items: {type: string}, maxItems: 9, uniqueItems: true, optional: true}",
            "At most 9 items, no two alike.",
        ),
        ("{$ref: lane_ref, optional: true}", "A lane (at least 1 character)."),
        ("{$ref: lane_ref, description: Mine., optional: true}", "Mine (at least 1 character)."),
        ("{type: integer, description: Free., optional: true}", "Free."),
    ],
)
def test_constraints_are_said_in_the_description(field: str, words: str, tmp_path: Path) -> None:
    assert exported(tmp_path, field)["description"] == words


@pytest.mark.parametrize(
    ("field", "schema"),
    [
        ("{type: integer, optional: true}", {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}),
        (
            '{type: [string, "null"], enum: [a, b], optional: true}',
            {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]},
        ),
        (
            "{type: object, additionalProperties: true, optional: true}",
            {"type": "object", "additionalProperties": True},
        ),
        (
            "{type: object, additionalProperties: {type: boolean}, optional: true}",
            {"type": "object", "additionalProperties": {"type": "boolean"}},
        ),
        ("{type: string, const: a, optional: true}", {"type": "string", "const": "a"}),
    ],
)
def test_keywords(field: str, schema: dict[str, Any], tmp_path: Path) -> None:
    assert exported(tmp_path, field) == schema


def test_agents_2_rules_stand_in_the_roots_description(tmp_path: Path) -> None:
    text = edited(
        (COUNT, f"{COUNT}\n      a: {{type: string, optional: true}}"),
        (
            "    output: {type",
            "    rules: [{exactly_one_of: [a, count]}, {requires: {field: a, fields: [count]}}]\n    output: {type",
        ),
        ("input: {text: hello}", "input: {text: hello, count: 1}"),
        ('input: {text: ""}', 'input: {text: "", count: 1}'),
    )
    specs = load(tmp_path, {"domains/note.yaml": text})
    action = specs.actions[0]
    assert input_schema(action, specs)["description"] == "Give exactly one of a, count. a needs count too."
    assert [one.message for one in rule_problems(action, {})] == ["exactly one of a, count must be given"]
    assert len(rule_problems(action, {"a": 1})) == 1
    assert rule_problems(action, {"count": 1}) == []


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ({"kind": "circle", "r": 1}, []),
        (None, []),
        ({"kind": "circle", "r": "x"}, [("x.r", "is not of type number")]),
        (
            {"kind": "circle", "a": 1},
            [("x.a", "there is no field a; known are: kind, r"), ("x.r", "r is missing")],
        ),
        ({"kind": "oval"}, [("x.kind", "is not one of circle, square")]),
        ({}, [("x.kind", "kind is missing; it is one of circle, square")]),
        ({"kind": 5}, [("x.kind", "is not one of circle, square")]),
        (5, [("x", "is not of type object")]),
    ],
)
def test_unions_are_judged_by_their_tag_first(
    document: Any, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    root = {"type": "object", "properties": {"x": exported(tmp_path, UNION)}}
    assert [(one.path, one.message) for one in problems(validator(root), {"x": document})] == found


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [1, 1.0, -0.0, 2**63], [True, 1.5, "1", None, math.nan, math.inf]),
        ({"type": "number"}, [1, 1.5], [True, "1", math.nan, math.inf, -math.inf]),
        ({"type": "string"}, ["", "1"], [1, None, b"x"]),
        ({"type": "boolean"}, [True, False], [0, 1, "true"]),
        ({"type": "string", "pattern": "^[0-9]+$"}, ["1", "10"], ["1\n", "٣", "", "x"]),
        (
            {"type": "string", "format": "date"},
            ["2024-02-29"],
            ["2023-02-29", "2024-2-9", "24-02-29", "2024-02-29 "],
        ),
        ({"type": "array", "uniqueItems": True}, [[1, 2], [True, 1]], [[1, 1], [1, 1.0], ["a", "a"]]),
        ({"type": "string", "maxLength": 1}, ["🚀", "é"], ["e\u0301"]),
    ],
)
def test_values_are_judged_strictly(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    judge = validator(schema)
    assert [value for value in good if problems(judge, value)] == []
    assert [value for value in bad if not problems(judge, value)] == []


def test_every_problem_has_its_path() -> None:
    schema = {
        "type": "object",
        "properties": {
            "labels": {"type": "array", "items": {"type": "string", "minLength": 1}},
            "id": {"type": "string"},
        },
        "required": ["id"],
        "additionalProperties": False,
    }
    found = problems(validator(schema), {"labels": ["a", ""], "lables": 1})
    assert [(one.path, one.message) for one in found] == [
        ("id", "id is missing"),
        ("labels.1", "is shorter than 1 character"),
        ("lables", 'there is no field lables; did you mean "labels"?'),
    ]


def test_generator_14_patterns_run_on_the_engine_of_record() -> None:
    with pytest.raises(PatternError):
        compile_pattern("(?!x)")
    assert compile_pattern("^(a+)+$").isinstance_python("a" * 5_000 + "b") is False


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("2026-01-31T09:30:00Z", True),
        ("2001-12-14t21:59:43.10-05:00", True),
        ("2026-01-31t09:30:00.123456789z", True),
        ("2026-01-31T09:30:00-00:00", True),
        ("0001-01-01T00:00:00Z", True),
        ("2026-01-31 09:30:00Z", False),
        ("2026-01-31T09:30:00", False),
        ("2026-01-31T09:30Z", False),
        ("2026-01-31T24:00:00Z", False),
        ("2026-01-31T09:30:60Z", False),
        ("2026-01-31T09:30:00.Z", False),
        ("2026-01-31T09:30:00+24:00", False),
        ("2026-02-30T09:30:00Z", False),
        ("0000-01-01T00:00:00Z", False),
        ("٢٠٢٦-01-31T09:30:00Z", False),
        ("2026-01-31T09:30:00Z\n", False),
    ],
)
def test_date_times_by_rfc_3339(text: str, fits: bool) -> None:
    assert is_date_time(text) == fits
    assert is_date(text[:10]) == (text[:10] not in ("2026-02-30", "0000-01-01", "٢٠٢٦-01-31"))


def test_type_schema_inlines_what_is_named(tmp_path: Path) -> None:
    specs = load(tmp_path, {"types/all.yaml": TYPES})
    circle = type_schema(specs.types["Circle"].schema, specs)
    assert circle["properties"]["kind"] == {"type": "string", "const": "circle"}
    assert circle["required"] == ["kind", "r"]
