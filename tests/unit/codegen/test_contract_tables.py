"""The tables the contract tests run from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.emitters import contract
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

FIXTURES = {"clean": {"summary": "Nothing.", "steps": [{"write": {"a": "b\n"}}, {"commit": "Add a"}]}}


@pytest.fixture
def specs(tmp_path: Path) -> ir.Specs:
    return toy.specs(tmp_path, toy.domain(actions={"play": PLAY, "rest": toy.action()}), fixtures=FIXTURES)


def tables(specs: ir.Specs) -> dict[str, Any]:
    return {file.path.name: json.loads(file.content) for file in contract.emit(specs)}


def test_every_example_is_a_case(specs: ir.Specs) -> None:
    cases = tables(specs)["toy.json"]["cases"]
    assert len(cases) == sum(len(action.examples) for action in specs.actions)
    first = cases[0]
    assert first == {
        "action": "toy.play",
        "tool": "toy_play",
        "title": "Plain",
        "given": [],
        "input": {"name": "x"},
        "argv": ["toys", "play", "x"],
        "output": {},
    }
    refused = next(case for case in cases if case["title"] == "Refused")
    assert refused["error"] == {"code": "invalid_arguments", "path": "name", "rpc": -32602, "exit": 2}
    unknown = next(case for case in cases if case["title"] == "Fails")
    assert unknown["argv"] is None
    assert next(case for case in cases if case["title"] == "Broken")["error"]["exit"] == 5


def test_fixtures_travel_as_they_are(specs: ir.Specs) -> None:
    assert tables(specs)["fixtures.json"] == {"fixtures": {"clean": FIXTURES["clean"]["steps"]}}


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_hostile_titles_are_data(specs: ir.Specs, text: str) -> None:
    poisoned = toy.poisoned(specs, text)
    assert {case["title"] for case in tables(poisoned)["toy.json"]["cases"]} == {text}
    assert all(file.content.isascii() for file in contract.emit(poisoned))
