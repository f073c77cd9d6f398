"""A golden file of what is said of each faulty spec: file, line, column, code, message, source line, caret and hint.

``ADE_WRITE_GOLDEN=1`` writes it anew; read the difference. An unclear message counts as a fault.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegen import generate
from codegen.__main__ import main
from codegen.diagnostics import CODES, SpecErrors
from tests.unit.codegen.faulty import CASES, Files
from tests.unit.codegen.specs_on_disk import write

GOLDEN = Path(__file__).with_name("cases") / "faulty.golden"


def report(root: Path, files: Files) -> SpecErrors:
    """What `make gen-check` finds, without writing anything."""
    write(root, files)
    with pytest.raises(SpecErrors) as caught:
        specs = generate.read_specs(root)
        generate.breaks(root, specs)
        generate.build(specs, None)
    return caught.value


def golden() -> dict[str, str]:
    parts = GOLDEN.read_text(encoding="utf-8").split("\n## ")[1:] if GOLDEN.exists() else []
    return {name: body.rstrip("\n") for name, _, body in (part.partition("\n") for part in parts)}


def test_every_diagnostic_has_a_faulty_spec() -> None:
    assert {name.partition(":")[0] for name in CASES} == CODES.keys()
    assert len(CASES) >= 60


@pytest.mark.skipif(
    "ADE_WRITE_GOLDEN" not in os.environ, reason="ADE_WRITE_GOLDEN=1 writes the golden file anew"
)
def test_write_the_golden_file(tmp_path: Path) -> None:
    found = [
        f"## {name}\n{report(tmp_path / str(index), files).render()}\n"
        for index, (name, files) in enumerate(CASES.items())
    ]
    GOLDEN.write_text("What is said of each spec in faulty.py.\n\n" + "\n".join(found), encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_one_fault_is_told_once_where_it_stands(name: str, tmp_path: Path) -> None:
    found = report(tmp_path, CASES[name])
    assert [one.code for one in found.diagnostics] == [name.partition(":")[0]]
    assert found.render() == golden()[name]
    [one] = found.diagnostics
    assert one.span.line >= 1
    assert one.span.column >= 1
    assert one.message
    assert "Traceback" not in found.render()


def test_a_mistake_in_one_file_hides_none_in_the_others(tmp_path: Path) -> None:
    """Faults of structure, of meaning and of plain YAML, each in a file of its own, come in one run, in the order of files."""
    files: Files = {
        **CASES["wrong-value"],
        "domains/other.yaml": str(CASES["unknown-toolset"]["domains/note.yaml"])
        .replace("domain: note", "domain: other")
        .replace("group: notes", "group: others"),
        **CASES["recursive-ref"],
        **CASES["bad-slot"],
        "rate_limits.yaml": "rate_limits:\n\ta: {}\n",
        "environment.yaml": "environment: {ADE_A: {summary: 3}}\n",
    }
    found = report(tmp_path, files).diagnostics
    assert [(one.span.file.removeprefix("specs/"), one.code) for one in found] == [
        ("domains/note.yaml", "wrong-value"),
        ("domains/other.yaml", "unknown-toolset"),
        ("environment.yaml", "wrong-type"),
        ("errors.yaml", "bad-slot"),
        ("rate_limits.yaml", "yaml-tab"),
        ("types/all.yaml", "recursive-ref"),
    ]


@pytest.mark.parametrize("name", ["yaml-syntax", "unreadable-file", "too-long", "unknown-rule"])
def test_the_program_ends_with_two_and_no_traceback(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, CASES[name])
    assert main(["--root", str(tmp_path), "check"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.rstrip("\n") == golden()[name]
