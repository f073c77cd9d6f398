"""Keyword by keyword: what the language takes is judged alike by model and exported schema, the rest is refused.

``cases/keywords.json`` holds documents with their verdicts for each supported keyword, and a schema for each way in which
a keyword is not supported. The table in the reference says the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.keywords import KEYWORDS, OWN
from codegen.load.advice import INSTEAD
from tests.unit.codegen import made, toy
from tests.unit.codegen.specs_on_disk import faults
from tests.unit.codegen.verdicts import verdicts

ROOT = Path(__file__).parents[3]
FILE: dict[str, Any] = json.loads(Path(__file__).with_name("cases").joinpath("keywords.json").read_text())
CASES: list[dict[str, Any]] = FILE["cases"]
REFUSED: list[tuple[str, Any]] = FILE["refused"]
NOT_OF_VALUES = {"rules", "optional", "secret", "cli"}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[ir.Specs, made.Package]:
    """All cases in one package, an action each."""
    folder = tmp_path_factory.mktemp("keywords")
    actions = {
        f"play_{number}": toy.action(input={"value": {**case["schema"], "optional": True}})
        for number, case in enumerate(CASES)
    }
    specs = toy.specs(folder, toy.domain(actions=actions), types=FILE["types"])
    return specs, made.package(folder, specs)


@pytest.mark.parametrize(
    "number", range(len(CASES)), ids=[f"{one['keyword']}-{n}" for n, one in enumerate(CASES)]
)
def test_a_keyword_is_judged_alike_and_rightly(number: int, generated: tuple[ir.Specs, made.Package]) -> None:
    specs, package = generated
    [action] = [action for action in specs.actions if action.name == f"play_{number}"]
    for verdict in ("valid", "invalid"):
        for value in CASES[number][verdict]:
            expected = verdict == "valid"
            found = verdicts(specs, package, action, {"value": value})
            assert found == (expected, expected), value


@pytest.mark.parametrize(("keyword", "schema"), REFUSED, ids=[f"{k}-{n}" for n, (k, _) in enumerate(REFUSED)])
def test_what_is_not_supported_is_refused_where_it_stands(keyword: str, schema: Any, tmp_path: Path) -> None:
    field = {**schema, "optional": True} if isinstance(schema, dict) and "default" not in schema else schema
    domain = json.dumps(toy.domain("note", actions={"play": toy.action(input={"value": field})}))
    types = json.dumps({"types": FILE["types"]})
    found = faults(tmp_path, {"domains/note.yaml": domain, "types/all.yaml": types})
    assert found
    assert all(one.span.file == "specs/domains/note.yaml" for one in found)
    if keyword in INSTEAD:
        assert INSTEAD[keyword] in [one.help for one in found]


def test_the_table_is_complete_and_true() -> None:
    """Judged and supported keywords have cases, the others are refused, and the schema of the spec files agrees."""
    cases, refused = {case["keyword"] for case in CASES}, {keyword for keyword, _ in REFUSED}
    for name, keyword in KEYWORDS.items():
        if keyword.supported != "no":
            assert not keyword.judged or name in cases, name
            assert keyword.supported == "yes" or name in refused, name
        elif name not in ("deprecated", "true / false"):
            assert name in refused, name
    parts = json.loads((ROOT / "specs/schema/value.schema.json").read_text())["$defs"]["field"]["allOf"]
    known = set(parts[0]["propertyNames"]["enum"])
    supported = {name for name, keyword in KEYWORDS.items() if keyword.supported != "no"}
    assert supported | (OWN.keys() - {"rules"}) == known
    assert INSTEAD.keys() & supported == {"deprecated"}, "it is said of fields, not of values inside them"


def test_the_table_stands_in_the_reference() -> None:
    page = (ROOT / "docs/reference/json-schema.md").read_text()
    assert all(f"| `{name}` |" in page for name in KEYWORDS)
