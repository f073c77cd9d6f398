"""The tables of runs: mistakes are named, and no text in them breaks out of the generated module."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from codegen.emitters import run_rules
from codegen.ir import RunMove, RunRule, Span
from codegen.text import SpecText
from tests.unit.codegen import toy
from tests.unit.codegen.specs_on_disk import faults

RULE = "role: lead, summary: S, ops: [replace], paths: [/tasks/*/title]"
MOVE = "summary: S, from: [intake], to: ready"


def rule(text: str) -> dict[str, str | bytes | None]:
    return {"run_policy.yaml": f"rules: {{toy: {{{text}}}}}\n"}


def move(text: str) -> dict[str, str | bytes | None]:
    return {"run_planning.yaml": f"moves: {{toy: {{{text}}}}}\n"}


@pytest.mark.parametrize("files", [rule(RULE), move(MOVE)])
def test_sound_tables(files: dict[str, str | bytes | None], tmp_path: Path) -> None:
    assert faults(tmp_path, files) == ()


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (rule(RULE.replace("lead", "boss")), "wrong-value"),
        (rule(RULE.replace("[replace]", "[move]")), "wrong-value"),
        (rule(RULE.replace("[replace]", "[]")), "wrong-value"),
        (rule(RULE.replace("/tasks/*/title", "/tasks/0/title")), "bad-name"),
        (rule(RULE.replace("/tasks/*/title", "tasks")), "bad-name"),
        (rule(RULE.replace(", ops: [replace]", "")), "missing-key"),
        (rule(RULE + ", state: planning"), "unknown-key"),
        (move(MOVE.replace("intake", "begin")), "wrong-value"),
        (move(MOVE.replace("ready", "done")), "wrong-value"),
        (move("summary: S, from: [intake]"), "missing-key"),
    ],
)
def test_mistakes_are_named(files: dict[str, str | bytes | None], code: str, tmp_path: Path) -> None:
    found = faults(tmp_path, files)
    assert found
    assert code in str(found)


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_texts_arrive_as_they_are(text: str, tmp_path: Path) -> None:
    span, told = Span("specs/x.yaml", 1, 1), SpecText(text)
    one = RunRule(
        name="toy", span=span, role="lead", summary=told, ops=("add",), paths=(text,), fields=(text,)
    )
    other = RunMove(name="toy", span=span, summary=told, sources=(text,), target="ready")
    specs = replace(toy.specs(tmp_path), run_rules={"toy": one}, run_moves={"toy": other})
    (file,) = run_rules.emit(specs)
    module = ModuleType("made")
    exec(compile(file.content, str(file.path), "exec"), module.__dict__)
    rule, move = module.PATCH_RULES["toy"], module.PLANNING_MOVES["toy"]
    assert (rule.summary, rule.paths, rule.fields) == (text, (text,), (text,))
    assert (move.summary, move.sources) == (text, (text,))


def test_without_rules_there_is_no_module(tmp_path: Path) -> None:
    assert list(run_rules.emit(toy.specs(tmp_path))) == []
