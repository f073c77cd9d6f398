"""The official JSON-Schema-Test-Suite, keyword by keyword: model, exported schema and suite give one verdict.

The suite is not part of this project: ``ADE_TEST_DATA`` names a folder that holds it as ``json-schema-test-suite``.
``test_keywords.py`` proves the same keywords with cases of our own, without it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.diagnostics import CODES, SpecErrors
from codegen.keywords import KEYWORDS
from tests.unit.codegen import made, toy
from tests.unit.codegen.json_schema_suite import Case, Outside, cases, narrowed
from tests.unit.codegen.verdicts import verdicts

DATA = os.environ.get("ADE_TEST_DATA")
SUITE = Path(DATA or ".", "json-schema-test-suite")
pytestmark = pytest.mark.skipif(
    not (DATA and SUITE.is_dir()),
    reason="ADE_TEST_DATA names no folder with json-schema-test-suite, which is not part of the project",
)
STRICTER = {
    "invalid date string is only an annotation by default": "a format is always asserted",
    "invalid date-time string is only an annotation by default": "a format is always asserted",
    "a valid date-time with a leap second, UTC": "no clock of Python can hold one",
    "a valid date-time with a leap second, with minus offset": "no clock of Python can hold one",
    "a second fraction of fifteen nines is valid": "nine digits after the second at most",
}
"""Titles of cases that the suite accepts and we refuse, in schema and model alike, and why."""
CONCEPTS = {
    "anchor": "$anchor",
    "boolean_schema": "true / false",
    "content": "contentMediaType",
    "defs": "$defs",
    "dynamicRef": "$dynamicRef",
    "if-then-else": "if",
    "infinite-loop-detection": "$ref",
    "ref": "$ref",
    "refRemote": "$ref",
    "vocabulary": "$vocabulary",
    "format-date": "format",
    "format-date-time": "format",
}
"""Files of the suite that are not called like their keyword."""
ELSEWHERE = {"$ref", "oneOf"}
"""The suite says these in ways that specs do not have; ``cases/keywords.json`` has ours."""


def said() -> tuple[dict[str, list[Case]], Counter[str]]:
    """Cases by their schema in our words, and how many cannot be said, by reason."""
    found: dict[str, list[Case]] = {}
    outside: Counter[str] = Counter()
    for case in cases(SUITE):
        try:
            found.setdefault(json.dumps(narrowed(case.schema, case.document)), []).append(case)
        except Outside as reason:
            outside[str(reason)] += 1
    return found, outside


def taken(
    folder: Path, texts: dict[str, list[Case]]
) -> tuple[dict[str, tuple[Any, list[Case]]], Counter[str]]:
    """What the loader takes, by the name of an action for it, and the codes of what it refuses."""
    held: dict[str, tuple[Any, list[Case]]] = {}
    refused: Counter[str] = Counter()
    for number, (text, found) in enumerate(texts.items()):
        schema = json.loads(text)
        field = {**schema, "optional": True} if isinstance(schema, dict) else schema
        action = toy.action(input={"value": field})
        try:
            toy.specs(folder, toy.domain(actions={"play": action}))
        except SpecErrors as errors:
            refused.update([errors.diagnostics[0].code])
        else:
            held[f"play_{number}"] = (action, found)
    return held, refused


def differences(specs: ir.Specs, package: made.Package, held: dict[str, tuple[Any, list[Case]]]) -> list[str]:
    wrong = []
    for action in specs.actions:
        for case in held[action.name][1]:
            exported, model = verdicts(specs, package, action, {"value": case.document})
            expected = case.valid and case.title not in STRICTER
            if (exported, model) != (expected, expected):
                wrong.append(f"{case.name}: suite {case.valid}, schema {exported}, model {model}")
    return wrong


def test_every_verdict_is_that_of_the_suite(tmp_path: Path) -> None:
    """What the loader takes is judged as the suite judges it, twice; the rest it refuses with a reason."""
    texts, outside = said()
    held, refused = taken(tmp_path / "one", texts)
    specs = toy.specs(
        tmp_path / "all", toy.domain(actions={name: action for name, (action, _) in held.items()})
    )
    package = made.package(tmp_path, specs)
    assert differences(specs, package, held) == []
    compared = Counter(case.file for _, found in held.values() for case in found)
    print(f"compared {compared.total()}; cannot be said {outside.total()}; refused schemas {refused.total()}")
    proved = {CONCEPTS.get(file, file) for file in compared}
    wanted = {name for name, keyword in KEYWORDS.items() if keyword.judged and keyword.supported != "no"}
    assert wanted - proved <= ELSEWHERE
    assert refused.keys() <= CODES.keys()
    assert compared.total() >= 220


def test_the_table_knows_every_keyword_of_the_suite() -> None:
    names = {path.stem for path in (SUITE / "tests" / "draft2020-12").glob("*.json")}
    assert {CONCEPTS.get(name, name) for name in names} <= KEYWORDS.keys()
