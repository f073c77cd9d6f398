"""How faults are printed: place, code, message, source line, caret, what to do; and the program's exit code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.diagnostics import CODES, Diagnostic, Sink, SpecErrors, did_you_mean
from codegen.ir import Span
from codegen.wording import closest
from tests.unit.codegen.specs_on_disk import NOTE, edited, write

ROOT = Path(__file__).resolve().parents[3]
SOURCES = {"f.yaml": "a: 1\r\nbb: 修正 x\n" + "c" * 200 + "!\n"}


def test_a_fault_shows_its_place() -> None:
    found = Diagnostic(Span("f.yaml", 1, 4), "wrong-type", "it is wrong", "write 2")
    assert found.render(SOURCES).split("\n") == [
        "f.yaml:1:4: wrong-type: it is wrong",
        "    a: 1",
        "       ^",
        "    = write 2",
    ]


def test_the_caret_stands_below_wide_letters() -> None:
    lines = Diagnostic(Span("f.yaml", 2, 8), "wrong-type", "no").render(SOURCES).split("\n")
    assert lines[1:] == ["    bb: 修正 x", "             ^"]


def test_long_lines_are_cut_around_the_place() -> None:
    lines = Diagnostic(Span("f.yaml", 3, 201), "wrong-type", "no").render(SOURCES).split("\n")
    assert lines[1] == "    …" + "c" * 60 + "!"
    assert lines[2].index("^") == lines[1].index("!")


def test_nothing_printed_can_steer_a_terminal() -> None:
    found = Diagnostic(Span("a\nb\x1b.yaml", 1, 3), "wrong-type", "bad \x1b[2J \u202e \U000e0001", "")
    report = found.render({"a\nb\x1b.yaml": "\x1b]0;x\x07y\u202e\n"})
    assert "\x1b" not in report
    assert "\u202e" not in report
    assert report.startswith("a\\u000ab\\u001b.yaml:1:3: wrong-type: bad \\u001b[2J \\u202e \\U000e0001\n")


def test_a_place_outside_the_text_prints_without_its_line() -> None:
    assert (
        Diagnostic(Span("f.yaml", 99, 1), "wrong-type", "no").render(SOURCES) == "f.yaml:99:1: wrong-type: no"
    )


def test_faults_are_sorted_and_counted_once() -> None:
    sink = Sink()
    for line in (2, 1, 2):
        sink.add(Span("f.yaml", line, 1), "wrong-type", "no")
    errors = SpecErrors(sink.items, SOURCES)
    assert [one.span.line for one in errors.diagnostics] == [1, 2]
    assert errors.render().endswith("2 problems; nothing was written")
    assert str(errors) == errors.render()


def test_codes_are_known_said_in_a_sentence_and_used() -> None:
    with pytest.raises(AssertionError):
        Sink().add(Span("f", 1, 1), "no-such-code", "")
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in (ROOT / "codegen", ROOT / "ade_runtime" / "strict_yaml")
        for path in folder.rglob("*.py")
        if path.name != "diagnostics.py"
    )
    for code, sentence in CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", code)
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
        assert f'"{code}"' in source, f"{code} is never reported"


def test_suggestions() -> None:
    assert closest("efect", ["effect", "errors"]) == "effect"
    assert closest("FOO-BAR", ["foo_bar"]) == "foo_bar"
    assert closest("zzz", ["effect"]) is None
    assert closest("x" * 100_000, ["effect"]) is None
    assert did_you_mean("lane", ["lanes"]) == "did you mean lanes?"
    assert did_you_mean("zzz", ["a", "b"]) == "known: a, b"
    assert did_you_mean("zzz", []) == ""


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "codegen", "--root", str(root), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_the_program_lists_actions(tmp_path: Path) -> None:
    done = run(write(tmp_path), "list")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].split()[:4] == ["note.add", "note_add", "write", "base"]


@pytest.mark.parametrize("command", ["list", "gen", "check"])
def test_faulty_specs_end_the_program_with_two_and_nothing_written(command: str, tmp_path: Path) -> None:
    text = edited(("effect: write", "efect: write"), ("toolset: base", "toolset: bsae"), text=NOTE)
    write(tmp_path, {"domains/note.yaml": text})
    done = run(tmp_path, command)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == (
        'specs/domains/note.yaml:8:5: unknown-key: unknown key "efect"; did you mean "effect"?'
    )
    assert "2 problems; nothing was written" in done.stderr
    assert not (tmp_path / "ade_generated").exists()


def test_starting_the_program_imports_nothing_heavy() -> None:
    code = "import sys, codegen.__main__; print(sorted({'jsonschema', 'yaml', 'pydantic', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
