"""The schemas in specs/schema are what editors use and what the loader enforces: one description, two readers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from ade_runtime.strict_yaml.reader import plain, read
from codegen.diagnostics import Sink
from codegen.load import SCHEMAS
from codegen.load.files import FOLDERS, SINGLE
from codegen.load.schemas import ANNOTATIONS, HANDLED, SchemaFolder
from codegen.load.structure import Walker
from tests.unit.codegen.mutate import broken_data
from tests.unit.codegen.specs_on_disk import ERRORS, NOTE, ROLES, TOOLSETS

ROOT = Path(__file__).resolve().parents[3]
FOLDER = SchemaFolder(SCHEMAS)
FILES = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(SCHEMAS.glob("*.json"))}
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in FILES.items()
)
GOOD: dict[str, list[str]] = {
    "domain": [
        NOTE,
        *(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("specs/domains/*.yaml"))),
    ],
    "types": [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("specs/types/*.yaml"))],
    **{kind: [(ROOT / "specs" / f"{kind}.yaml").read_text(encoding="utf-8")] for kind in SINGLE},
}
GOOD["roles"].append(ROLES)
GOOD["toolsets"].append(TOOLSETS)
GOOD["errors"].append(ERRORS)
SMALL = {
    "domain": NOTE,
    "roles": ROLES,
    "types": """\
types:
  Note:
    type: object
    properties:
      id: {type: string, const: note}
      size: {type: [integer, "null"], minimum: 0}
      tags: {type: array, items: {type: string, enum: [a, b]}, uniqueItems: true}
      extra: {type: object, additionalProperties: {type: number}}
      other: {oneOf: [{$ref: A}, {$ref: B}], discriminator: kind, nullable: true}
    required: [id, size]
""",
    "fixtures": """\
fixtures:
  some:
    summary: Some.
    steps:
      - {write: {a: b}, in: lane}
      - {commit: c}
      - {git: [status]}
      - {call: note.add, input: {text: x}, save: {id: id}}
      - {use: other}
      - {remote: origin}
""",
    "text_layouts": """\
layouts:
  one: {kind: card, headline: "{a}", columns: [{field: a, label: A}]}
  two: {kind: table, rows: items, empty: None., columns: [{field: a.b, label: B, format: time}]}
  three: {kind: block, body: text}
""",
}


def walker_fits(kind: str, text: str) -> bool:
    sink = Sink()
    node = read(text, "f.yaml", sink)
    if node is None or sink.items:
        return False
    fits = Walker(FOLDER, sink).check(node, FOLDER.file(kind))
    assert fits == (not sink.items)
    return fits


def jsonschema_fits(kind: str, text: str) -> bool:
    node = read(text, "f.yaml", Sink())
    judge = Draft202012Validator(FILES[f"{kind}.schema.json"], registry=REGISTRY)
    return node is not None and judge.is_valid(plain(node))


def keywords(schema: Any) -> Iterator[str]:
    """The keywords of a schema and of all schemas in it, but not the names of properties."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        yield key
        if key in ("properties", "$defs"):
            for inner in value.values():
                yield from keywords(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from keywords(inner)
        else:
            yield from keywords(value)


@pytest.mark.parametrize("name", FILES)
def test_schema_is_one_and_uses_only_keywords_the_loader_knows(name: str) -> None:
    Draft202012Validator.check_schema(FILES[name])
    assert set(keywords(FILES[name])) <= HANDLED | ANNOTATIONS


def test_every_kind_of_file_has_its_schema() -> None:
    assert {f"{kind}.schema.json" for kind in (*SINGLE, *FOLDERS.values(), "value")} <= set(FILES)


def undescribed(schema: Any, path: str) -> Iterator[str]:
    """Paths of properties that an editor could not explain; conditional parts only narrow what stands elsewhere."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            for name, inner in value.items():
                if key == "properties" and "description" not in inner:
                    yield f"{path}.{name}"
                yield from undescribed(inner, f"{path}.{name}")
        elif key not in ("if", "then", "else", "allOf", "oneOf"):
            yield from undescribed(value, f"{path}.{key}")


@pytest.mark.parametrize("name", FILES)
def test_every_key_is_described_for_editors(name: str) -> None:
    assert list(undescribed(FILES[name], name)) == []


SPECS = [path for path in sorted(ROOT.glob("specs/**/*.yaml")) if path.parent.name != "released"]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_every_spec_names_its_schema_for_editors(path: Path) -> None:
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    prefix = "# yaml-language-server: $schema="
    assert first.startswith(prefix)
    assert (path.parent / first.removeprefix(prefix)).resolve().is_file()


@pytest.mark.parametrize("kind", GOOD)
def test_good_files_fit_for_both(kind: str) -> None:
    for text in [*GOOD[kind], *([SMALL[kind]] if kind in SMALL else [])]:
        assert walker_fits(kind, text)
        assert jsonschema_fits(kind, text)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_loader_and_jsonschema_accept_the_same(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(SMALL)))
    node = read(SMALL[kind], "f.yaml", Sink())
    assert node is not None
    text = json.dumps(data.draw(broken_data(plain(node))))
    assert walker_fits(kind, text) == jsonschema_fits(kind, text), text
