"""Tool definitions and exported schemas: complete, safe for providers, and cheap in their compact form."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codegen import ir
from codegen.emitters import schemas, tools
from codegen.emitters.guidance import tokens
from codegen.load import load_specs
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]


@pytest.fixture
def specs(tmp_path: Path) -> ir.Specs:
    return toy.specs(tmp_path, toy.domain(actions={"play": PLAY, "rest": toy.action(tool="have_a_rest")}))


def made(specs: ir.Specs) -> dict[str, str]:
    return {file.path.name: file.content for file in tools.emit(specs)}


def definitions(specs: ir.Specs) -> dict[str, Any]:
    found = json.loads(made(specs)["base.json"])["tools"]
    return {tool["name"]: tool for tool in found}


def test_a_definition_says_all_in_words(specs: ir.Specs) -> None:
    play = definitions(specs)["toy_play"]
    assert play["action"] == "toy.play"
    assert play["description"] == "Play.\nAll about it.\nPlay fair.\nGive at most one of cron, delay."
    assert play["inputSchema"]["required"] == ["name"]
    assert "1 to 9 characters" in play["inputSchema"]["properties"]["name"]["description"]
    assert play["annotations"]["readOnlyHint"] is False
    assert definitions(specs)["have_a_rest"]["annotations"]["readOnlyHint"] is True


def test_the_compact_list_is_one_line_a_tool(specs: ir.Specs) -> None:
    lines = made(specs)["base.txt"].splitlines()
    assert lines[0] == "have_a_rest(): Play."
    assert lines[1].startswith("toy_play(name, class?, from?, depth?")


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_hostile_text_is_data(specs: ir.Specs, text: str) -> None:
    poisoned = toy.poisoned(specs, text)
    play = definitions(poisoned)["toy_play"]
    assert play["description"].startswith(text.strip())
    document = json.loads(next(file.content for file in schemas.emit(poisoned)))
    stem = re.sub(r"\W+$", "", text.strip())
    assert stem in document["actions"]["toy.play"]["input"]["properties"]["name"]["description"]
    assert len(made(poisoned)["base.txt"].split("\n")) == len(made(specs)["base.txt"].split("\n"))
    assert all(file.content.isascii() for file in schemas.emit(poisoned))


def test_every_tool_of_the_project_is_safe_for_providers() -> None:
    project = load_specs(ROOT)
    names = set()
    for toolset in project.toolsets:
        document = json.loads(made(project)[f"{toolset}.json"])
        for tool in document["tools"]:
            names.add(tool["name"])
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", tool["name"])
            assert tool["description"].strip()
            for schema in (tool["inputSchema"], tool["outputSchema"]):
                Draft202012Validator.check_schema(schema)
                assert schema["type"] == "object"
                assert not schema.keys() & {"oneOf", "anyOf", "allOf", "$ref"}
                assert "$ref" not in json.dumps(schema)
    assert names == {action.tool for action in project.actions}


def test_p12_the_compact_list_costs_little() -> None:
    """At most 15 % of the tokens of the full schemas of the same tools."""
    project = load_specs(ROOT)
    for toolset in project.toolsets:
        files = made(project)
        full = json.dumps(json.loads(files[f"{toolset}.json"])["tools"], separators=(",", ":"))
        assert tokens(files[f"{toolset}.txt"]) <= 0.15 * len(full) / 4
