"""Faults reported in public for generators from specs, by their row: what no other test here is named after.

``tests/unit/test_reports.py`` says which test closes which row.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.cli.parse import HelpText, Invocation, parse
from ade_runtime.wire import WireError
from codegen.emitters import cli, models
from tests.unit.codegen import made, toy
from tests.unit.codegen.specs_on_disk import codes, edited, load, note, only

COUNT = "count: {type: integer, minimum: 1, maximum: 9, optional: true}"
LONG = "A long line. " * 307
TEXTS = ['He said "yes"', 'a """ b', "C:\\new\\N{x} \\", "\\", LONG.strip(), "Don't", "one\n\n  two's\n"]


def test_generator_1_fields_named_on_and_no_keep_their_names(tmp_path: Path) -> None:
    text = edited((COUNT, "on: {type: string, optional: true}\n      no: {type: boolean, optional: true}"))
    specs = load(tmp_path, {"domains/note.yaml": text})
    assert [field.name for field in specs.actions[0].fields][2:] == ["on", "no"]
    model = made.package(tmp_path, specs).input(specs.actions[0])
    document = {"text": "x", "on": "true", "no": False}
    assert model.from_wire(document).to_wire() == document


def test_generator_2_a_version_that_reads_as_a_number_is_refused_as_written(tmp_path: Path) -> None:
    only(
        note(tmp_path, (COUNT, "version: {type: string, default: 1.10}")),
        "schema-default",
        "1.10",
        "quote it",
    )
    fields = "ratio: {type: number, minimum: -1e3, maximum: 1e3, default: 1e-5}"
    specs = load(tmp_path / "more", {"domains/note.yaml": edited((COUNT, fields))})
    assert made.package(tmp_path, specs).input(specs.actions[0]).from_wire({"text": "x"}).ratio == 1e-5  # type: ignore[attr-defined]


def test_generator_3_an_unquoted_date_is_text_in_the_spec(tmp_path: Path) -> None:
    fields = (
        "day: {type: string, format: date, default: 2020-01-01}\n"
        "      at: {type: string, format: date-time, optional: true}"
    )
    example = ("input: {text: hello}", "input: {text: hello, at: 2001-12-14t21:59:43.10-05:00}")
    specs = load(tmp_path, {"domains/note.yaml": edited((COUNT, fields), example)})
    assert specs.actions[0].fields[2].schema.default == "2020-01-01"
    given = specs.actions[0].examples[0].input
    model = made.package(tmp_path, specs).input(specs.actions[0])
    read = model.from_wire(given)
    assert model.from_wire(json.loads(read.to_wire_json())) == read
    assert read.at.isoformat() == "2001-12-14T21:59:43.100000-05:00"  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_generator_5_docstrings_and_help_equal_the_source(text: str, tmp_path: Path) -> None:
    action = toy.action(summary="Play.", description=text)
    specs = toy.specs(tmp_path, toy.domain(actions={"play": action}))
    page = parse(["toys", "play", "--help"], catalog=toy.catalog(cli.emit(specs)))
    assert isinstance(page, HelpText)
    assert toy.squeezed(text) in toy.squeezed(page.text)
    said = made.package(tmp_path, toy.poisoned(specs, text)).input(specs.actions[0]).__doc__
    assert said == text


def test_generator_5_only_blanks_are_no_description(tmp_path: Path) -> None:
    assert codes(note(tmp_path, ("summary: Add a note.", 'summary: "   "')))


def test_generator_9_types_that_python_uses_cannot_be_shadowed(tmp_path: Path) -> None:
    fields: dict[str, Any] = {
        name: {"type": "string", "optional": True}
        for name in ("datetime", "str", "type", "Any", "Field", "Literal")
    }
    fields |= {
        "int": {"type": "integer", "optional": True},
        "list": {"type": "array", "items": {"type": "integer"}},
    }
    fields["list"]["optional"] = True
    fields["date"] = {"type": "string", "format": "date", "optional": True}
    fields["Optional"] = {"type": "string", "enum": ["Optional", "ToyPlayInputOptional"], "optional": True}
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=fields)}))
    model = made.package(tmp_path, specs, models.emit).input(specs.actions[0])
    document = {
        "date": "2020-02-29",
        "int": 1,
        "list": [2],
        "str": "s",
        "Optional": "Optional",
        "Literal": "x",
    }
    assert model.from_wire(document).to_wire() == document
    for field, wrong in (
        ("int", "1"),
        ("list", ["2"]),
        ("date", "2020-02-30"),
        ("str", 1),
        ("Optional", "x"),
    ):
        with pytest.raises(WireError):
            model.from_wire(document | {field: wrong})


def test_generator_15_absent_never_reaches_the_wire(tmp_path: Path) -> None:
    fields: dict[str, Any] = {
        "by": {
            "type": "integer",
            "minimum": -9,
            "maximum": 9,
            "cli": {"positional": True},
            "description": "x",
        },
        "n": {"type": "integer", "minimum": -9, "maximum": 9, "optional": True, "description": "x"},
        "loud": {"type": "boolean", "optional": True, "description": "x"},
        "label": {"type": "array", "items": {"type": "string"}, "optional": True, "description": "x"},
    }
    examples = [{"title": "Works", "input": {"by": 1}, "output": {}}]
    examples.append(
        {"title": "Fails", "input": {"by": 1, "no_such": 1}, "error": {"code": "invalid_arguments"}}
    )
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=fields, examples=examples)}))
    catalog = toy.catalog(cli.emit(specs))
    for words, wanted in (
        ([], {}),
        (["--n", "-4"], {"n": -4}),
        (["--loud"], {"loud": True}),
        (["--no-loud"], {"loud": False}),
        (["--label", "a"], {"label": ["a"]}),
        (["--label", ""], {"label": [""]}),
        (["--arg-json", "label=[]"], {"label": []}),
    ):
        outcome = parse(["toys", "play", "-4", *words], catalog=catalog)
        assert isinstance(outcome, Invocation), outcome
        assert outcome.arguments == {"by": -4, **wanted}


def test_the_project_s_generated_tree_imports_without_a_warning() -> None:
    code = (
        "import importlib, pkgutil, ade_generated\n"
        "for found in pkgutil.walk_packages(ade_generated.__path__, 'ade_generated.'):\n"
        "    importlib.import_module(found.name)\n"
        "from ade_generated.dispatch import ACTIONS\n"
        "for entry in ACTIONS.values():\n"
        "    entry.input_model, entry.output_model\n"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=root)
