"""Every row of the bank of spec mistakes: refused at its line, in words that name the mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import SpecErrors
from tests.unit.codegen.specs_on_disk import NOTE, edited, load

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "yaml_mistakes.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def text_of(row: dict[str, Any]) -> str:
    return row["yaml"] if "yaml" in row else edited(*map(tuple, row["edit"]), text=NOTE)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["severity"] == "error"], ids=lambda row: row["id"]
)
def test_mistake_is_refused_where_it_stands(row: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SpecErrors) as caught:
        load(tmp_path, {"domains/note.yaml": text_of(row)})
    report = caught.value.render()
    here = [found for found in caught.value.diagnostics if found.span.line == row["line"]]
    assert here, report
    assert f"{row['file']}:{row['line']}:" in report
    for word in row["mentions"]:
        assert word in report, report
    if "also_line" in row:
        assert f"line {row['also_line']}" in report


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["severity"] != "error"], ids=lambda row: row["id"]
)
def test_accepted_names_stay_as_written(row: dict[str, Any], tmp_path: Path) -> None:
    specs = load(tmp_path, {"domains/note.yaml": text_of(row)})
    assert row["mentions"][0] in [field.name for field in specs.actions[0].fields]


def test_one_mistake_is_one_diagnostic(tmp_path: Path) -> None:
    """Nothing a mistake drags along is reported beside it."""
    for row in ROWS:
        if row["severity"] != "error" or row["id"] in ("y10", "y17", "y46"):
            continue
        with pytest.raises(SpecErrors) as caught:
            load(tmp_path / row["id"], {"domains/note.yaml": text_of(row)})
        assert len(caught.value.diagnostics) == 1, (row["id"], caught.value.render())
