"""Generated models: names on the wire, what may be left out, and what a person reads when a document is
refused.
"""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.wire import WireError, WireModel, problems
from codegen import ir
from codegen.emitters import models
from codegen.failure import GenerationError
from codegen.modelgen.bundle import bundle
from codegen.modelgen.classes import TYPES, ModelClass
from codegen.modelgen.rewrite import class_sources
from codegen.naming import ClassName
from tests.unit.codegen import made, torture, toy

TEXT = {"type": "string", "optional": True}
NAMES = [
    "schema", "json", "copy", "register", "dict", "fields", "construct", "validate", "model_config", "model_dump",
    "model_x", "_id", "__typename", "date", "datetime", "int", "str", "list", "type", "Any", "Field", "Literal",
    "Optional", "from", "import", "class", "lambda", "None", "async", "match", "self", "bool", "float", "frozenset",
    "WireModel", "Rule", "Annotated", "parse_date", "to_wire", "model_fields", "ToyPlayInput", "ToyPlayOutput",
]  # fmt: skip
"""Rows 8, 9 and 10 of the generator reports."""


def play(folder: Path, types: dict[str, Any] | None = None, **parts: Any) -> tuple[ir.Action, made.Package]:
    specs = toy.specs(folder, toy.domain(actions={"play": toy.action(**parts)}), types=types)
    return specs.actions[0], made.package(folder, specs)


def model(folder: Path, types: dict[str, Any] | None = None, **parts: Any) -> type[WireModel]:
    action, package = play(folder, types, **parts)
    return package.input(action)


NO_OBJECTS: tuple[Any, ...] = (None, [], "x", 1, True)
NO_INSTANTS: tuple[Any, ...] = (
    *("2020-01-01T00:00:00", "2020-01-01", "2020-02-30T00:00:00Z", "2020-01-01 00:00:00Z", 1, True, [], {}),
)


def refused(model: type[WireModel], document: Any) -> list[str]:
    with pytest.raises(WireError) as caught:
        model.from_wire(document)
    return [str(problem) for problem in caught.value.problems]


def test_generator_8_9_wire_names_stay_whatever_they_mean_to_python(tmp_path: Path) -> None:
    fields: dict[str, Any] = {name: TEXT for name in NAMES if name not in ("date", "list", "int")}
    fields["date"] = {"type": "string", "format": "date", "optional": True, "default": "2020-01-01"}
    fields["list"] = {"type": "array", "items": {"type": "string"}, "optional": True}
    fields["int"] = {"type": "integer", "optional": True}
    fields["mode"] = {"type": "string", "enum": ["ToyPlayInputMode", "mode"], "optional": True}
    del fields["date"]["optional"]
    made_model = model(tmp_path, input=fields)
    document = dict.fromkeys(NAMES, "x") | {"date": "2020-02-29", "list": ["a"], "int": 7, "mode": "mode"}
    read = made_model.from_wire(document)
    assert read.to_wire() == document
    assert json.loads(read.to_wire_json()) == document
    assert refused(made_model, {"class_": "x"}) == ["class_: there is no such field; did you mean class?"]


TRUTH = {
    "required_nullable": {"type": ["string", "null"]},
    "optional_nullable": {"type": ["string", "null"], "optional": True},
    "optional": {"type": "string", "optional": True},
    "defaulted": {"type": "string", "default": "d"},
}
ABSENT = object()


@pytest.mark.parametrize(
    ("field", "sent", "read", "written"),
    [
        ("required_nullable", ABSENT, None, "required_nullable: is required"),
        ("required_nullable", None, None, None),
        ("required_nullable", "v", "v", "v"),
        ("optional_nullable", ABSENT, None, ABSENT),
        ("optional_nullable", None, None, None),
        ("optional_nullable", "v", "v", "v"),
        ("optional", ABSENT, None, ABSENT),
        ("optional", None, None, "optional: may be left out but not null"),
        ("optional", "v", "v", "v"),
        ("defaulted", ABSENT, "d", ABSENT),
        ("defaulted", None, None, "defaulted: must be text"),
        ("defaulted", "v", "v", "v"),
    ],
)
def test_generator_13_absent_null_and_value(
    field: str, sent: Any, read: Any, written: Any, tmp_path: Path
) -> None:
    """The truth table of row 13: ``written`` is what comes back, or the refusal."""
    schema = TRUTH[field]
    needed: dict[str, Any] = {"input": {field: "x"}} if field == "required_nullable" else {}
    examples = [
        {"title": "Works", "output": {}, **({"input": {}} | needed)},
        {
            "title": "Fails",
            "input": {**needed.get("input", {}), "no_such": 1},
            "error": {"code": "invalid_arguments"},
        },
    ]
    made_model = model(tmp_path, input={field: schema}, examples=examples)
    document = {} if sent is ABSENT else {field: sent}
    if isinstance(written, str) and ": " in written:
        assert refused(made_model, document) == [written]
        return
    found = made_model.from_wire(document)
    assert getattr(found, field) == read
    assert found.to_wire() == ({} if written is ABSENT else {field: written})
    assert json.loads(found.to_wire_json()) == found.to_wire()


def test_generator_3_dates_are_typed_and_round_trip(tmp_path: Path) -> None:
    made_model = model(
        tmp_path,
        input={
            "day": {"type": "string", "format": "date", "default": "2020-01-01"},
            "at": {"type": "string", "format": "date-time", "optional": True},
        },
    )
    assert made_model.from_wire({}).day == date(2020, 1, 1)  # type: ignore[attr-defined]
    read = made_model.from_wire({"day": "2024-02-29", "at": "2001-12-14t21:59:43.10-05:00"})
    assert read.at == datetime(2001, 12, 14, 21, 59, 43, 100000, timezone(-timedelta(hours=5)))  # type: ignore[attr-defined]
    assert read.to_wire() == {"day": "2024-02-29", "at": "2001-12-14T21:59:43.100000-05:00"}
    assert made_model.from_wire({"at": "2020-01-01T00:00:00Z"}).to_wire() == {"at": "2020-01-01T00:00:00Z"}
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert made_model(**{"at": now, "day": date(2026, 1, 2)}).to_wire() == {
        "at": "2026-01-01T00:00:00Z",
        "day": "2026-01-02",
    }
    for wrong in NO_INSTANTS:
        assert refused(made_model, {"at": wrong})
    for wrong in ("2020-01-01T00:00:00", "20200101", "2020-1-1", "2023-02-29", 20200101, "２０２０-01-01"):
        assert refused(made_model, {"day": wrong})


@pytest.mark.parametrize(
    ("schema", "document", "message"),
    [
        ({"type": "integer"}, "1", 'v: must be a whole number (given: "1")'),
        ({"type": "integer"}, True, "v: must be a whole number (given: true)"),
        ({"type": "integer"}, 1.5, "v: must be a whole number (given: 1.5)"),
        ({"type": "integer"}, 2**63, "v: must be at most 9223372036854775807 (given: 9223372036854775808)"),
        ({"type": "integer", "minimum": 3}, 2.0, "v: must be at least 3 (given: 2)"),
        ({"type": "number"}, float("nan"), "v: must be a finite number (given: NaN)"),
        ({"type": "number"}, float("inf"), "v: must be a finite number (given: Infinity)"),
        ({"type": "number"}, "1.5", 'v: must be a number (given: "1.5")'),
        ({"type": "number", "exclusiveMinimum": 0}, 0, "v: must be more than 0.0 (given: 0)"),
        ({"type": "boolean"}, 1, "v: must be true or false (given: 1)"),
        ({"type": "boolean"}, "true", 'v: must be true or false (given: "true")'),
        ({"type": "string"}, 1, "v: must be text (given: 1)"),
        ({"type": "string"}, "\ud800", "v: must be valid Unicode text"),
        ({"type": "string", "minLength": 1}, "", "v: must not be empty"),
        ({"type": "string", "minLength": 3}, "ab", 'v: must have at least 3 characters (given: "ab")'),
        ({"type": "string", "maxLength": 2}, "abc", 'v: must have at most 2 characters (given: "abc")'),
        ({"type": "string", "pattern": "^[0-9]+$"}, "1\n", 'v: must match ^[0-9]+$ (given: "1\\n")'),
        (
            {"type": "string", "enum": ["red", "green"]},
            "rad",
            'v: must be one of red, green (given: "rad"); did you mean red?',
        ),
        ({"type": "string", "const": "yes"}, "no", 'v: must be yes (given: "no")'),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, [], "v: must have at least 1 item"),
        ({"type": "array", "items": {"type": "string"}}, "abc", 'v: must be a list (given: "abc")'),
        (
            {"type": "array", "items": {"type": "integer"}},
            [1, "2"],
            'v.1: must be a whole number (given: "2")',
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
            [1, 2, 1.0],
            "v: items 0 and 2 are the same",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "boolean"}},
            {"a": 1},
            "v.a: must be true or false (given: 1)",
        ),
        (
            {"type": "object", "additionalProperties": True},
            {"a": [2**64]},
            "v: must hold numbers of at most 64 bits",
        ),
        ({"type": "object", "additionalProperties": True}, {"a": "\udfff"}, "v: must be valid Unicode text"),
        ({"$ref": "Point"}, {}, "v.x: is required"),
        ({"$ref": "Point"}, 5, "v: must be an object (given: 5)"),
        ({"$ref": "Point"}, {"x": 1, "dept": 2}, "v.dept: there is no such field; did you mean depth?"),
        (torture.SHAPE, {"class": "circle", "radius": -1}, "v.radius: must be more than 0.0 (given: -1)"),
        (
            torture.SHAPE,
            {"class": "circel"},
            'v.class: must be one of circle, square (given: "circel"); did you mean circle?',
        ),
        (torture.SHAPE, {"radius": 1}, "v.class: is required"),
        (
            torture.SHAPE,
            {"class": "square", "side": 1, "label": None, "lable": 1},
            "v.lable: there is no such field; did you mean label?",
        ),
    ],
)
def test_refusals_say_what_is_wanted(schema: Any, document: Any, message: str, tmp_path: Path) -> None:
    made_model = model(tmp_path, torture.TYPES, input={"v": {**schema, "optional": True}})
    assert refused(made_model, {"v": document}) == [message]


def test_whole_floats_are_integers_everywhere(tmp_path: Path) -> None:
    specs = toy.specs(tmp_path, torture.domain(), types=torture.TYPES)
    read = made.package(tmp_path, specs).input(specs.actions[1]).from_wire(
        {
            "text": "a", "nothing": None, "count": 2.0, "maybe": 0.0, "matrix": [[1.0, -0.0], [2]], "counts": {"a": 3.0},
            "shape": {"class": "square", "side": 4.0, "label": None},
            "shapes": [{"class": "square", "side": 5.0, "label": None}], "unique": [1.0, 2], "point": {"x": 1.0},
        }
    )  # fmt: skip
    written = read.to_wire_json().decode()
    assert ".0" not in written
    assert read.to_wire()["matrix"] == [[1, 0], [2]]


def test_every_problem_is_told_at_once_and_long_values_are_not_shown(tmp_path: Path) -> None:
    specs = toy.specs(tmp_path, torture.domain(), types=torture.TYPES)
    play = specs.actions[1]
    found = refused(
        made.package(tmp_path, specs).input(play),
        {
            "text": 1,
            "nothing": "x" * 4000,
            "cron": "a",
            "run_at": "b",
            "optoins": {},
            "named": ["a", "B", 3],
            "options": {"schema": 1},
        },
    )
    assert found == [
        "text: must be text (given: 1)",
        "nothing: must have at most 3 characters",
        'named.1: must match ^[a-z"\'\\\\]+$ (given: "B")',
        "named.2: must be text (given: 3)",
        "options.schema: must be text (given: 1)",
        "optoins: there is no such field; did you mean options?",
        "give only one of cron, run_at, delay; cron and run_at are given",
    ]


def test_problems_are_json(tmp_path: Path) -> None:
    made_model = model(tmp_path, input={"v": {"type": "integer"}}, examples=[
        {"title": "Works", "input": {"v": 1}, "output": {}},
        {"title": "Fails", "input": {}, "error": {"code": "invalid_arguments", "path": "v"}},
    ])  # fmt: skip
    with pytest.raises(WireError) as caught:
        made_model.from_wire({})
    assert problems(caught.value) == [{"path": "v", "message": "is required"}]
    for document in NO_OBJECTS:
        assert refused(made_model, document)[0].startswith("must be an object")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give exactly one of one, two"),
        ({"one": "x", "two": "y"}, "give only one of one, two; one and two are given"),
        ({"one": "x"}, "give at least one of two, three"),
    ],
)
def test_rules_across_fields(given: dict[str, str], message: str, tmp_path: Path) -> None:
    specs = toy.specs(tmp_path, torture.domain(), types=torture.TYPES)
    found = refused(made.package(tmp_path, specs).input(specs.actions[0]), given)
    assert message in found


@pytest.mark.parametrize(
    "text",
    [
        '{"v": 1, "v": 2}',
        '{"v": NaN}',
        '{"v": Infinity}',
        '{"v": 18446744073709551616}',
        '{"v": 1e999}',
        '{"v": 1',
        "[" * 100000,
        "",
    ],
)
def test_json_text_is_read_strictly(text: str, tmp_path: Path) -> None:
    made_model = model(tmp_path, input={"v": {"type": "number", "optional": True}})
    with pytest.raises(ValueError):
        made_model.from_wire_json(text)
    assert made_model.from_wire_json(b'{"v": 1.5}').to_wire() == {"v": 1.5}


def test_generator_12_a_new_action_that_sorts_first_renames_nothing(tmp_path: Path) -> None:
    """Row 12: only lines of the new action are added."""
    inline = {"mode": {"type": "string", "enum": ["a", "b"], "default": "a"}}
    nested: dict[str, Any] = {
        "options": {
            "type": "object",
            "properties": {"mode": TEXT | {"optional": False}},
            "required": ["mode"],
            "optional": True,
        }
    }
    nested["options"]["properties"]["mode"] = {"type": "string"}
    zed = toy.action(input={**inline, **nested})
    before = made.contents(toy.specs(tmp_path / "a", toy.domain(actions={"zed": zed})), models.emit)
    after = made.contents(
        toy.specs(tmp_path / "b", toy.domain(actions={"add": zed, "zed": zed})), models.emit
    )
    old, new = (files["ade_generated/models/toy.py"].splitlines() for files in (before, after))
    assert before.keys() == after.keys()
    remaining = iter(new)
    assert all(line in remaining for line in old), "a line of the old module is gone or moved"
    assert "class ToyZedInputOptions(WireModel):" in old


def test_two_owners_of_one_class_name_are_refused(tmp_path: Path) -> None:
    """The loader refuses it with a place; the generator does not rely on that."""
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action()}))
    [toys] = specs.domains
    twice = replace(specs, domains=(toys, replace(toys, name="other", file="specs/domains/other.yaml")))
    with pytest.raises(GenerationError, match="ToyPlayInput"):
        list(models.emit(twice))


WRITTEN = """\
class A(WireModel):
    x: str
"""


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("class B(WireModel):\n    x: str\n", "lost or invented classes: A, B"),
        (WRITTEN + "class A1(WireModel):\n    x: str\n", "A1"),
        ("class A(WireModel):\n    x: Any\n", "x was read as Any instead of str"),
        ("class A(WireModel):\n    x: str | None = None\n", "instead of str"),
        ("class A(RootModel[str]):\n    root: str\n", "not a plain wire model"),
        ("class A(WireModel):\n    y: str\n", "has fields y instead of x"),
        ("class A(WireModel):\n    x: str = 'a'\n", "x is optional"),
        ("class A(WireModel):\n    x: str\n    def f(self): ...\n", "more than fields"),
        (WRITTEN + "print(1)\n", "unexpected"),
        (WRITTEN + "B = A\n", "unexpected"),
    ],
)
def test_a_misreading_of_the_model_generator_is_found(written: str, complaint: str, tmp_path: Path) -> None:
    span = ir.Span("specs/types/a.yaml", 1, 1)
    schema = ir.ObjectSchema(span=span, properties={"x": ir.StringSchema(span=span)}, required=("x",))
    one = ModelClass(name=ClassName("A"), module=TYPES, source=span.file, schema=schema)
    with pytest.raises(GenerationError, match=complaint):
        class_sources(written, bundle([one], {}), [one], {})


def test_modules_hold_no_any_and_no_wrapper(tmp_path: Path) -> None:
    files = made.contents(toy.specs(tmp_path, torture.domain(), types=torture.TYPES), models.emit)
    for path, content in files.items():
        names = {node.id for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Name)}
        assert not names & {"Any", "RootModel", "object", "BaseModel", "ConfigDict"}, path
        assert content.startswith("# Generated by `make gen`") and "do not edit" in content.splitlines()[0]


def test_models_do_not_change(tmp_path: Path) -> None:
    read = model(tmp_path, input={"v": TEXT}).from_wire({"v": "a"})
    with pytest.raises(ValueError, match="frozen"):
        read.v = "b"  # type: ignore[attr-defined]
    assert read.model_copy(update={"v": "b"}).to_wire() == {"v": "b"}
