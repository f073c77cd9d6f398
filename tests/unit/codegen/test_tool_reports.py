"""Faults reported in public for tools that models call: no spec can make a definition that a client or provider drops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ade_runtime.tooling.definitions import all_tools
from ade_runtime.wire import WireError
from codegen.emitters import tools
from codegen.emitters.provider_safe import provider_safe
from codegen.jsonschema_export import input_schema
from codegen.load import load_specs
from tests.unit.codegen import made, toy
from tests.unit.codegen.specs_on_disk import edited, faults, load, note

ROOT = Path(__file__).parents[3]
COUNT = "count: {type: integer, minimum: 1, maximum: 9, optional: true}"
OUTPUT = "output: {type: object, properties: {id: {type: string}}, required: [id]}"


def every_schema(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from every_schema(item)
    elif isinstance(value, dict):
        yield value
        for key, item in value.items():
            inner = item.values() if key == "properties" and isinstance(item, dict) else [item]
            for one in inner:
                yield from every_schema(one)


@pytest.mark.parametrize("name", ["Spot", "spot"])
def test_public_2_a_field_named_like_a_type_and_optional_validates_as_declared(
    name: str, tmp_path: Path
) -> None:
    types = {"Spot": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}
    fields = {
        name: {"$ref": "Spot", "optional": True},
        "ToyPlayInput": {"type": "string", "optional": True},
        "other": {"$ref": "Spot", "nullable": True, "optional": True},
    }
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=fields)}), types=types)
    model = made.package(tmp_path, specs).input(specs.actions[0])
    for document in ({}, {name: {"x": 1}, "other": None}, {"other": {"x": 2}, "ToyPlayInput": "t"}):
        assert model.from_wire(document).to_wire() == document
    for wrong in ({name: "x"}, {name: {}}, {name: None}, {"other": {"x": "1"}}):
        with pytest.raises(WireError):
            model.from_wire(wrong)


@pytest.mark.parametrize(
    "root",
    ["anyOf: [{type: object}]", "oneOf: [{type: object}]", "allOf: [{type: object}]", "if: {}", "$ref: X"],
)
def test_agents_1_a_combinator_at_the_root_of_an_input_is_no_spec(root: str, tmp_path: Path) -> None:
    """Keywords of the input's root would have to stand among its fields, where they are names of fields."""
    assert note(tmp_path, (COUNT, root))


def test_agents_2_rules_across_fields_are_prose_and_a_check(tmp_path: Path) -> None:
    rules = "rules: [{exactly_one_of: [level, count]}]\n    output:"
    text = edited(("default: low,", "optional: true,"), ("output: {type: object,", rules + " {type: object,"))
    text = edited(("input: {text: hello}", "input: {text: hello, count: 1}"), text=text)
    text = edited(('input: {text: ""}', 'input: {text: "", count: 1}'), text=text)
    specs = load(tmp_path, {"domains/note.yaml": text})
    schema = input_schema(specs.actions[0], specs)
    assert not {"allOf", "anyOf", "oneOf", "if", "then", "dependentRequired"} & schema.keys()
    assert "exactly one of level, count" in schema["description"]
    model = made.package(tmp_path, specs).input(specs.actions[0])
    assert model.from_wire({"text": "x", "count": 1})
    for wrong in ({"text": "x"}, {"text": "x", "count": 1, "level": "low"}):
        with pytest.raises(WireError):
            model.from_wire(wrong)


def test_agents_4_null_is_a_branch_without_enum_and_enums_stand_on_items(tmp_path: Path) -> None:
    fields = (
        "mode: {type: [string, 'null'], enum: [A, B], optional: true}\n"
        "      modes: {type: array, items: {type: string, enum: [A, B]}, optional: true}"
    )
    specs = load(tmp_path, {"domains/note.yaml": edited((COUNT, fields))})
    properties = input_schema(specs.actions[0], specs)["properties"]
    assert properties["modes"]["items"]["enum"] == ["A", "B"] and "enum" not in properties["modes"]
    whole = [properties]
    for document in (ROOT / "ade_generated" / "schemas").glob("*.json"):
        text = json.loads(document.read_text())
        whole.append(text.get("actions", text))
    for schema in every_schema(whole):
        if isinstance(schema.get("enum"), list):
            assert schema["type"] == "string", schema
            assert all(isinstance(value, str) for value in schema["enum"]), schema
        if schema.get("type") == "null":
            assert not schema.keys() & {"enum", "const"}, schema
    validator = Draft202012Validator(properties["mode"])
    assert [validator.is_valid(value) for value in ("A", None, "C", 1)] == [True, True, False, False]


def test_agents_3_what_gemini_refuses_is_in_no_input(tmp_path: Path) -> None:
    fields = (
        "ratio: {type: number, exclusiveMinimum: 0, exclusiveMaximum: 1, optional: true}\n"
        "      day: {type: string, format: date, optional: true}\n"
        "      whole: {type: array, items: {type: integer, exclusiveMinimum: 0, maximum: 5}, optional: true}\n"
        "      format: {type: string, optional: true}"
    )
    specs = load(tmp_path, {"domains/note.yaml": edited((COUNT, fields))})
    (one,) = [file for file in tools.emit(specs) if file.path.suffix == ".json"]
    properties = json.loads(one.content)["tools"][0]["inputSchema"]["properties"]
    assert (properties["ratio"]["minimum"], properties["ratio"]["maximum"]) == (0, 1)
    assert "More than 0" in properties["ratio"]["description"]
    assert (properties["whole"]["items"]["minimum"], properties["whole"]["items"]["maximum"]) == (1, 5)
    assert "2026-01-31" in properties["day"]["description"] and "format" in properties
    catalogue = [tool.input_schema for tool in all_tools()]
    for schema in every_schema([properties, catalogue]):
        assert not schema.keys() & {"exclusiveMinimum", "exclusiveMaximum"}, schema
        if schema.get("type") == "string":
            assert schema.get("format") in (None, "date-time"), schema
        for value in schema.get("enum") or ():
            assert isinstance(value, str), schema


def test_agents_3_a_schema_that_is_safe_accepts_what_it_accepted() -> None:
    exact = {"type": "object", "properties": {"n": {"type": "integer", "exclusiveMinimum": 2, "minimum": 1}}}
    safe = Draft202012Validator(provider_safe(exact))
    assert [safe.is_valid({"n": value}) for value in (1, 2, 3)] == [False, False, True]
    assert provider_safe({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}) == {
        "anyOf": [{"type": "string"}, {"type": "null"}]
    }


@pytest.mark.parametrize(
    "output",
    ["{type: array, items: {type: string}}", "{type: string}", "{type: [object, 'null']}", "{type: integer}"],
)
def test_agents_5_public_4_an_output_is_an_object(output: str, tmp_path: Path) -> None:
    assert faults(tmp_path, {"domains/note.yaml": edited((OUTPUT, f"output: {output}"))})


def test_agents_5_public_4_every_list_is_a_page() -> None:
    """An object with ``type``, in every definition; one that holds ``items`` tells how many there are and where it goes on."""
    specs = load_specs(ROOT)
    for file in tools.emit(specs):
        if file.path.suffix != ".json":
            continue
        for tool in json.loads(file.content)["tools"]:
            output = tool["outputSchema"]
            assert output["type"] == "object" and output["properties"], tool["name"]
            if "items" in output["properties"]:
                assert {"items", "total", "next"} <= set(output["required"]), tool["name"]
