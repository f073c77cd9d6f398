# ruff: noqa: E501 (a change is one row)
"""Linting: each rule finds its fault where it stands, says nothing of what is waived, and mends without touching the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.failure import GenerationError
from codegen.lint.command import explain, run
from codegen.lint.rules import RULES
from tests.unit.codegen.specs_on_disk import BASE, edited, write

ROOT = Path(__file__).resolve().parents[3]
LINE = "# yaml-language-server: $schema="
NOTE = f"""\
{LINE}../schema/domain.schema.json
domain: note
title: Notes
summary: Short notes.
cli: {{group: notes}}
actions:
  add:  # a note
    summary: Add a note.
    effect: write
    toolset: base
    input:
      text: {{type: string, minLength: 1, maxLength: 500, description: What to remember.}}
      level: {{type: string, enum: [low, high], default: low, description: How much it matters.}}
    output: {{$ref: Note}}
    errors: [full]
    text: card
    examples:
      - title: A plain note
        given: [shelf]
        input: {{text: hello}}
        output: {{id: n1}}
      - title: Empty text
        input: {{text: ""}}
        error: {{code: invalid_arguments}}
      - title: A full shelf
        input: {{text: hello}}
        error: {{code: full}}
"""
TYPES = (
    LINE
    + "../schema/types.schema.json\ntypes:\n  Note: {type: object, properties: {id: {type: string}}, required: [id]}\n"
)
FULL = "  full: {summary: Full., message: Full., hint: Drop one., exit: conflict}\n"
FILES = {
    "domains/note.yaml": NOTE,
    "types/all.yaml": TYPES,
    "roles.yaml": f"{LINE}schema/roles.schema.json\n" + BASE["roles.yaml"],
    "toolsets.yaml": f"{LINE}schema/toolsets.schema.json\n" + BASE["toolsets.yaml"],
    "errors.yaml": f"{LINE}schema/errors.schema.json\n" + BASE["errors.yaml"] + FULL,
    "text_layouts.yaml": f"{LINE}schema/text_layouts.schema.json\nlayouts:\n  card: {{kind: card, columns: [{{field: id, label: Id}}]}}\n",
    "fixtures.yaml": f"{LINE}schema/fixtures.schema.json\nfixtures:\n  shelf: {{summary: A shelf., steps: [{{write: {{a: b}}}}]}}\n",
}
TEXT = "maxLength: 500, description: What to remember."
LONG = "words and more " * 250 + "."
CASES: list[tuple[str, str, str, str, int]] = [
    ("read-that-writes", "domains/note.yaml", "effect: write", "effect: read", 9),
    ("unguarded-destructive", "domains/note.yaml", "effect: write", "effect: destructive", 7),
    ("missing-description", "domains/note.yaml", ", description: How much it matters.", "", 13),
    ("vague-description", "domains/note.yaml", "How much it matters", "The level", 13),
    (
        "over-budget",
        "domains/note.yaml",
        "What to remember.}",
        LONG + "}\n      more: {type: string, maxLength: 9, optional: true, description: " + LONG + "}",
        7,
    ),
    (
        "repeated-example",
        "domains/note.yaml",
        "      - title: A full shelf\n",
        "      - title: A full shelf\n        given: [shelf]\n",
        25,
    ),
    ("untried-error", "domains/note.yaml", "errors: [full]", "errors: [full, late]", 15),
    ("unbounded-string", "domains/note.yaml", TEXT, "description: What to remember.", 12),
    (
        "unbounded-array",
        "domains/note.yaml",
        "    output: {$ref",
        "      tags: {type: array, items: {type: string, maxLength: 9}, optional: true, description: Words to find it by.}\n    output: {$ref",
        14,
    ),
    (
        "negative-name",
        "domains/note.yaml",
        "    output: {$ref",
        "      no_copy: {type: boolean, default: false, description: Whether to keep none.}\n    output: {$ref",
        14,
    ),
    ("sentence", "domains/note.yaml", "summary: Add a note.", "summary: add a note", 8),
    (
        "says-the-default",
        "domains/note.yaml",
        "    toolset: base\n",
        "    idempotency: none\n    toolset: base\n",
        10,
    ),
    ("unused-type", "types/all.yaml", "types:\n", "types:\n  word: {type: string}\n", 3),
    (
        "unused-layout",
        "text_layouts.yaml",
        "layouts:\n",
        "layouts:\n  other: {kind: card, columns: [{field: id, label: Id}]}\n",
        3,
    ),
    (
        "unused-fixture",
        "fixtures.yaml",
        "fixtures:\n",
        "fixtures:\n  box: {summary: A box., steps: [{write: {a: b}}]}\n",
        3,
    ),
    (
        "unused-completer",
        "completions.yaml",
        "",
        f"{LINE}schema/completions.schema.json\ncompleters:\n  notes: {{action: note.all, items: items, value: id}}\n",
        3,
    ),
    ("schema-line", "types/all.yaml", LINE + "../schema/types.schema.json\n", "", 1),
    ("blanks", "domains/note.yaml", "title: Notes\n", "title: Notes  \n", 3),
    (
        "unused-waiver",
        "domains/note.yaml",
        "effect: write\n",
        "effect: write  # lint: allow sentence: it is short\n",
        9,
    ),
    (
        "unknown-waiver",
        "domains/note.yaml",
        "effect: write\n",
        "effect: write  # lint: allow everything: I can\n",
        9,
    ),
    (
        "waiver-without-reason",
        "domains/note.yaml",
        "summary: Add a note.\n",
        "summary: add a note  # lint: allow sentence\n",
        8,
    ),
]
"""Rule, file, what stood there, what stands there now, and the line of the finding."""
ALL = """\
  all:
    summary: All notes.
    effect: read
    toolset: base
    input: {}
    output: {type: object, properties: {items: {type: array, items: {$ref: Note}}}, required: [items]}
    examples:
      - {title: Some, input: {}, output: {}}
      - {title: Wrong, input: {zz: 1}, error: {code: invalid_arguments, path: zz}}
"""
LATE = "  late: {summary: Late., message: Late., hint: Wait., exit: failed}\n"


def project(root: Path, file: str = "", old: str = "", new: str = "") -> Path:
    files = dict(FILES)
    if file == "completions.yaml":
        files |= {"domains/note.yaml": NOTE + ALL, file: new}
    elif file:
        files[file] = edited((old, new), text=FILES[file])
    files["errors.yaml"] += LATE if "late" in new else ""
    return write(root, files)


def rows(root: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(root, least="note", as_json=True)[0])
    return found


def test_good_specs_are_passed_over_in_silence(tmp_path: Path) -> None:
    assert run(project(tmp_path), least="note") == ("0 errors, 0 warnings, 0 notes\n", 0)


@pytest.mark.parametrize(("rule", "file", "old", "new", "line"), CASES, ids=[case[0] for case in CASES])
def test_each_rule_finds_its_fault(
    rule: str, file: str, old: str, new: str, line: int, tmp_path: Path
) -> None:
    root = project(tmp_path, file, old, new)
    [found] = [row for row in rows(root) if row["rule"] == rule]
    assert (found["file"], found["line"], found["severity"]) == (f"specs/{file}", line, RULES[rule].severity)
    text, code = run(root, least="note")
    assert (
        f"specs/{file}:{line}:{found['column']}: {found['severity']}: {rule}: {found['message']}\n    = {RULES[rule].todo}"
        in text
    )
    assert code == (found["severity"] == "error")


def test_every_rule_has_a_case_and_explains_itself() -> None:
    assert {case[0] for case in CASES} == RULES.keys()
    for rule, about in RULES.items():
        assert explain(rule).startswith(f"{rule} ({about.severity})\n{about.purpose}\n")
        assert rule in explain("all")
    with pytest.raises(GenerationError, match="no rule nonsense"):
        explain("nonsense")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("effect: write", "effect: destructive"),
        (
            "    output: {$ref",
            "      force: {type: boolean, default: false, description: Whether to drop it.}\n    output: {$ref",
        ),
    ],
)
def test_a_guard_is_enough(old: str, new: str, tmp_path: Path) -> None:
    text = edited(("effect: write", "effect: destructive"), text=NOTE)
    if "force" in new:
        text = edited((old, new), text=text)
    found = rows(write(tmp_path, {**FILES, "domains/note.yaml": text}))
    assert [row["rule"] for row in found] == ([] if "force" in new else ["unguarded-destructive"])


@pytest.mark.parametrize(
    "waiver",
    [
        ("    effect: write\n", "    effect: read  # lint: allow read-that-writes: it only looks\n"),
        ("    effect: write\n", "    # lint: allow read-that-writes: it only looks\n    effect: read\n"),
        ("domain: note\n", "# lint: allow-in-file read-that-writes: they only look\ndomain: note\n"),
    ],
)
def test_a_waiver_with_its_reason_holds_where_it_stands(waiver: tuple[str, str], tmp_path: Path) -> None:
    text = edited(waiver, text=NOTE)
    if "effect: write" in text:
        text = edited(("effect: write", "effect: read"), text=text)
    assert rows(write(tmp_path, {**FILES, "domains/note.yaml": text})) == []


def test_a_waiver_in_a_text_is_none(tmp_path: Path) -> None:
    text = edited(("title: A plain note", 'title: "A plain note#lint: allow sentence: no"'), text=NOTE)
    assert rows(write(tmp_path, {**FILES, "domains/note.yaml": text})) == []


def test_fixing_mends_what_it_can_and_keeps_the_rest(tmp_path: Path) -> None:
    text = NOTE.replace("summary: Add a note.", "summary: add a note  # short")
    text = text.replace(
        "    toolset: base\n", "    idempotency: none\n    toolset: base\n    timeout: 60s  # as ever\n"
    )
    text = text.replace("title: Notes\n", "title: Notes   \n").replace(
        f"{LINE}../schema/domain.schema.json", f"{LINE}../domain.json"
    )
    text = text.replace("effect: write\n", "effect: write  # lint: allow sentence: it is short\n").rstrip(
        "\n"
    )
    root = write(tmp_path, {**FILES, "domains/note.yaml": text})
    told, code = run(root, fix=True, least="note")
    assert told.splitlines()[0] == "mended: specs/domains/note.yaml (6)"
    mended = (root / "specs/domains/note.yaml").read_text()
    expected = NOTE.replace("summary: Add a note.", "summary: Add a note.  # short")
    assert mended == expected.replace(
        "    toolset: base\n", "    toolset: base\n    timeout: 60s  # as ever\n"
    )
    assert (code, [row["rule"] for row in rows(root)]) == (0, ["says-the-default"])
    assert run(root, fix=True)[0].startswith("0 errors")


def test_the_program_and_the_project(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "codegen", "--root", str(project(tmp_path, *CASES[0][1:4])), "lint"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "")
    assert "specs/domains/note.yaml:9:5: error: read-that-writes: " in done.stdout
    assert run(ROOT, least="error")[1] == 0
