"""Fields that are secrets: what they may be, and what of them reaches the products."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen import ir
from codegen.emitters import cli, contract, dispatch, models
from tests.unit.codegen.specs_on_disk import NOTE, faults, load

SECRET = NOTE.replace(
    "text: {type: string, minLength: 1, maxLength: 500, description: What to remember.}",
    "text: {type: string, minLength: 1, maxLength: 500, secret: true, description: What to remember.}",
).replace(
    "    effect: write\n    idempotency: request_id\n", "    effect: secret\n    idempotency: natural\n"
)


def secret(tmp_path: Path) -> ir.Specs:
    return load(tmp_path, {"domains/note.yaml": SECRET})


def product(emitter: object, specs: ir.Specs, name: str) -> str:
    [file] = [file for file in emitter.emit(specs) if file.path.name == name]  # type: ignore[attr-defined]
    return str(file.content)


def test_it_reaches_the_command_the_model_and_the_dispatch_table(tmp_path: Path) -> None:
    specs = secret(tmp_path)
    assert "secret=True" in product(cli, specs, "note.py")
    assert '__secret__: ClassVar[frozenset[str]] = frozenset(["text"])' in product(models, specs, "note.py")
    assert 'secrets=("text",)' in product(dispatch, specs, "dispatch.py").replace("'", '"')


def test_no_line_of_an_example_holds_it(tmp_path: Path) -> None:
    specs = secret(tmp_path)
    assert "hello" not in product(cli, specs, "note.py")
    [first, *_] = json.loads(product(contract, specs, "note.json"))["cases"]
    assert first["argv"] is None and first["input"] == {"text": "hello"}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("effect: secret", "effect: write", "misplaced-key"),
        ("idempotency: natural", "idempotency: request_id", "misplaced-key"),
        ("secret: true,", "secret: true, cli: {positional: true},", "misplaced-key"),
        ("secret: true,", "secret: true, cli: {short: -t},", "misplaced-key"),
        ("secret: true,", "secret: yes please,", "wrong-type"),
        ("type: integer,", "type: integer, secret: true,", "misplaced-key"),
        ("enum: [low, high],", "enum: [low, high], secret: true,", "misplaced-key"),
        ("properties: {id: {type: string}}", "properties: {id: {type: string, secret: true}}", "unknown-key"),
    ],
)
def test_what_a_secret_cannot_be(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert SECRET.count(old) >= 1
    found = faults(tmp_path, {"domains/note.yaml": SECRET.replace(old, new, 1)})
    assert code in {fault.code for fault in found}, [fault.code for fault in found]


def test_the_role_of_an_examples_caller(tmp_path: Path) -> None:
    text = NOTE.replace("title: A plain note\n", "title: A plain note\n        role: external\n")
    specs = load(tmp_path, {"domains/note.yaml": text})
    [first, *_] = json.loads(product(contract, specs, "note.json"))["cases"]
    assert first["role"] == "external"
    assert "--role external" in product(cli, specs, "note.py")
    unknown = text.replace("role: external", "role: king")
    assert {fault.code for fault in faults(tmp_path, {"domains/note.yaml": unknown})} == {"unknown-role"}
