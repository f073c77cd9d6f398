"""Whatever the specs hold, loading ends with a model or with diagnostics that can be printed, never otherwise."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ade_runtime.strict_yaml.reader import plain, read
from codegen import ir
from codegen.diagnostics import CODES, Sink, SpecErrors
from codegen.jsonschema_export import input_schema, output_schema
from codegen.load import load_specs
from tests.unit.codegen.mutate import broken_data, broken_text
from tests.unit.codegen.specs_on_disk import BASE, write

RICH = """\
domain: rich
title: Rich
summary: Uses all of the language.
cli: {group: riches, aliases: [rich]}
scope: machine
actions:
  list:
    summary: List.
    effect: read
    toolset: base
    min_role: agent
    rate_limit: some
    timeout: 5s
    input:
      lane: {$ref: lane_ref, optional: true, cli: {positional: true, complete: lanes}}
      a: {type: string, pattern: "^[a-z]+$", optional: true}
      b: {type: [integer, "null"], exclusiveMinimum: 0, optional: true}
      c: {type: number, maximum: 1, optional: true}
      day: {type: string, format: date, default: 2026-01-01}
      deep: {type: object, properties: {x: {type: boolean}}, required: [x], optional: true}
      shape: {$ref: Shape, optional: true, nullable: true}
    rules: [{at_most_one_of: [a, c]}, {requires: {field: a, fields: [lane]}}]
    output:
      type: object
      properties:
        items: {type: array, items: {$ref: Item}}
        free: {type: object, additionalProperties: true}
      required: [items, free]
    errors: [gone]
    text: item_table
    examples:
      - title: Some
        given: [one]
        input: {a: x, lane: "${saved}"}
        output: {items: [{name: n}]}
      - title: Wrong
        input: {c: 2}
        error: {code: invalid_arguments, path: c}
"""
FILES = {
    **BASE,
    "domains/rich.yaml": RICH,
    "types/all.yaml": """\
types:
  lane_ref: {type: string, minLength: 1}
  Item: {type: object, properties: {name: {type: string}, at: {type: [string, "null"]}}, required: [name, at]}
  Circle: {type: object, properties: {kind: {type: string, const: circle}}, required: [kind]}
  Square: {type: object, properties: {kind: {type: string, const: square}}, required: [kind]}
  Shape: {oneOf: [{$ref: Circle}, {$ref: Square}], discriminator: kind}
""",
    "text_layouts.yaml": """\
layouts:
  item_table: {kind: table, rows: items, columns: [{field: name, label: Name}]}
""",
    "completions.yaml": "completers: {lanes: {action: rich.list, items: items, value: name}}\n",
    "rate_limits.yaml": "rate_limits: {some: {summary: S., limit: 1, window: 1s, per: session}}\n",
    "fixtures.yaml": """\
fixtures:
  none: {summary: N., steps: []}
  one:
    summary: One.
    steps:
      - {use: none}
      - {call: rich.list, input: {a: x, lane: y}, save: {saved: items.0.name}}
""",
    "errors.yaml": BASE["errors.yaml"]
    + "  gone: {summary: G., message: 'No {x}.', hint: H., exit: failed, params: {x: string}}\n",
}


def try_to_load(root: Path) -> None:
    try:
        specs = load_specs(root)
    except SpecErrors as errors:
        assert errors.diagnostics
        assert errors.diagnostics == tuple(sorted(errors.diagnostics))
        for line in errors.render().splitlines():
            assert line.isprintable()
        for found in errors.diagnostics:
            assert found.code in CODES
            assert found.span.line >= 1
            assert found.span.column >= 1
        return
    assert isinstance(specs, ir.Specs)
    for action in specs.actions:
        json.dumps([input_schema(action, specs), output_schema(action, specs)], allow_nan=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("specs")
    write(root, FILES)
    return root


def test_the_rich_specs_are_good(root: Path) -> None:
    assert {action.id for action in load_specs(write(root, FILES)).actions} == {"note.add", "rich.list"}


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_broken_text_never_crashes_the_loader(root: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    broken = data.draw(broken_text(FILES[name]))
    try_to_load(write(root, {**FILES, name: broken.encode("utf-8", "surrogatepass")}))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_broken_structure_never_crashes_the_loader(root: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    node = read(FILES[name], "f.yaml", Sink())
    assert node is not None
    broken = data.draw(broken_data(plain(node)))
    try_to_load(write(root, {**FILES, name: json.dumps(broken)}))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_never_crash_the_loader(root: Path, data: bytes) -> None:
    try_to_load(write(root, {**FILES, "domains/note.yaml": data}))


def test_a_project_without_specs_says_so(tmp_path: Path) -> None:
    with pytest.raises(SpecErrors, match="unreadable-file: there is no folder specs"):
        load_specs(tmp_path)


def test_a_folder_in_place_of_a_file_says_so(tmp_path: Path) -> None:
    write(tmp_path)
    shutil.rmtree(tmp_path / "specs" / "domains")
    (tmp_path / "specs" / "roles.yaml").unlink()
    (tmp_path / "specs" / "roles.yaml").mkdir()
    with pytest.raises(SpecErrors, match=r"specs/roles\.yaml:1:1: unreadable-file"):
        load_specs(tmp_path)
