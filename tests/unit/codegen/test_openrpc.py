"""The description of the socket for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ade_runtime.server.methods import Methods
from codegen import ir
from codegen.diagnostics import SpecErrors
from codegen.emitters import openrpc, schemas
from codegen.load import load_specs
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]
METHODS: dict[str, Any] = {
    "toys/list": {"summary": "As the action.", "action": "toy.play"},
    "toys/ping": {
        "summary": "Answer.",
        "params": {
            "type": "object",
            "properties": {"n": {"type": "integer", "description": "x"}},
            "required": ["n"],
        },
        "result": {"type": "object", "additionalProperties": True, "description": "Anything."},
    },
    "$/note": {"summary": "A note.", "kind": "notification", "sent_by": "server"},
}


def specs(root: Path, methods: dict[str, Any] = METHODS) -> ir.Specs:
    return toy.specs(root, toy.domain(actions={"play": PLAY, "rest": toy.action()}), methods=methods)


def document(found: ir.Specs) -> dict[str, Any]:
    (file,) = openrpc.emit(found)
    made: dict[str, Any] = json.loads(file.content)
    return made


def test_methods(tmp_path: Path) -> None:
    made = document(specs(tmp_path))
    note, list_, ping = made["methods"]
    assert made["openrpc"] == "1.3.2"
    assert "result" not in note and note["x-sent-by"] == "server"
    assert [one["name"] for one in list_["params"]][:2] == ["name", "class"]
    assert list_["result"]["schema"]["properties"]["done"]["type"] == "boolean"
    assert ping["params"] == [
        {"name": "n", "required": True, "schema": {"type": "integer", **ping["params"][0]["schema"]}}
    ]
    assert made["components"]["errors"]["toy_broken"]["code"] == -32005


@pytest.mark.parametrize(
    ("method", "code"),
    [
        ({"summary": "x", "action": "toy.plai"}, "unknown-action"),
        (
            {"summary": "x", "action": "toy.play", "result": {"type": "object", "properties": {}}},
            "misplaced-key",
        ),
        ({"summary": "x", "kind": "notification", "action": "toy.play"}, "misplaced-key"),
        ({"summary": "x", "params": {"type": "string"}}, "schema-root"),
        ({"summary": "x", "params": {"$ref": "Nothing"}}, "unknown-ref"),
        ({"summary": "x", "kind": "notice"}, "wrong-value"),
        ({"summary": "x", "params": {"type": "strin"}}, "wrong-value"),
    ],
)
def test_mistakes(tmp_path: Path, method: dict[str, Any], code: str) -> None:
    with pytest.raises(SpecErrors) as caught:
        specs(tmp_path, {"toys/list": method})
    assert [one.code for one in caught.value.diagnostics] == [code]
    assert caught.value.diagnostics[0].span.file == "specs/methods.yaml"


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_hostile_text_is_data(tmp_path: Path, text: str) -> None:
    (file,) = openrpc.emit(toy.poisoned(specs(tmp_path), text))
    assert file.content.isascii()
    assert len(json.loads(file.content)["methods"]) == 3


def test_the_project_document() -> None:
    project = load_specs(ROOT)
    made = document(project)
    beside = {f"schemas/{file.path.name}": json.loads(file.content) for file in schemas.emit(project)}
    for method in made["methods"]:
        for schema in [one["schema"] for one in method["params"]] + [
            method.get("result", {}).get("schema", {})
        ]:
            Draft202012Validator.check_schema(schema)
        for error in method.get("errors", []):
            assert error["$ref"].removeprefix("#/components/errors/") in made["components"]["errors"]
    for action in made["x-actions"]:
        file, _, pointer = action["input"]["$ref"].partition("#/actions/")
        assert beside[file]["actions"][pointer.removesuffix("/input")]["input"]["type"] == "object"


def test_the_document_and_the_server_know_the_same_methods() -> None:
    described = {name for name, method in load_specs(ROOT).methods.items() if method.sent_by == "client"}
    own = {"ping", "exit", "$/cancelRequest"}
    assert described == set(Methods()._table) | own
