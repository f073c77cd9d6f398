# ruff: noqa: E501 (a change is one row)
"""Comparing specs: one change a rule, with its level, what it is about and where it stands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from codegen import ir
from codegen.__main__ import main
from codegen.compat.command import diff, explained, release, told
from codegen.compat.compare import compare
from codegen.compat.findings import Finding
from codegen.compat.frozen import releases, unpack
from codegen.compat.released import judge
from codegen.compat.rules import LEVELS, RULES
from codegen.compat.surface import kept, surface
from codegen.diagnostics import SpecErrors
from codegen.failure import GenerationError
from codegen.generate import inputs_digest, tools_digest
from codegen.load import load_specs
from codegen.manifest import Manifest, write_manifest
from tests.unit.codegen.specs_on_disk import BASE, edited, load, write

ROOT = Path(__file__).resolve().parents[3]
NOTE = """\
domain: note
title: Notes
summary: Short notes.
cli: {group: notes, aliases: [note]}
actions:
  add:
    summary: Add a note.
    cli: {aliases: [new]}
    effect: write
    idempotency: request_id
    toolset: base
    scope: machine
    rate_limit: often
    timeout: 60s
    input:
      text: {type: string, minLength: 1, maxLength: 50, cli: {positional: true}}
      word: {type: string, pattern: "^[a-z]+$", optional: true, cli: {positional: true}}
      level: {type: string, enum: [low, high], default: low, cli: {short: -l}}
      count: {type: integer, minimum: 1, maximum: 9, optional: true}
      wait: {type: integer, minimum: 0, optional: true}
      part: {$ref: Part, optional: true}
      at: {type: object, properties: {at: {type: string}}, optional: true}
      tags: {type: array, items: {type: string}, maxItems: 3, optional: true}
      left: {type: boolean, optional: true}
      right: {type: boolean, optional: true}
    rules: [{at_most_one_of: [left, right]}]
    output: {$ref: Note}
    errors: [full, invalid_arguments]
    examples: &none
"""
EXAMPLES = """\
    examples:
      - {title: Works, input: {text: a}, output: {}}
      - {title: Fails, input: {zz: 1}, error: {code: invalid_arguments, path: zz}}
"""
OTHER = """\
  drop:
    summary: Drop a note.
    effect: write
    toolset: base
    scope: machine
    input: {id: {type: string, maxLength: 9}}
    output: {type: object, properties: {done: {type: boolean}}, required: [done]}
    examples:
      - {title: Works, input: {id: a}, output: {}}
      - {title: Fails, input: {zz: 1, id: a}, error: {code: invalid_arguments, path: zz}}
events:
  kept: {summary: A note was kept.}
"""
DOMAIN = NOTE.replace("    examples: &none\n", EXAMPLES) + OTHER
TYPES = """\
types:
  Part:
    type: object
    properties: {size: {type: integer, minimum: 0, maximum: 5}, at: {type: string}, name: {type: string}}
    required: [size]
  Note:
    type: object
    properties:
      id: {type: string, maxLength: 20}
      kind: {type: string, enum: [short, long]}
      size: {type: integer, minimum: 0, maximum: 9}
      seen: {type: [string, "null"], format: date-time}
      shape: {oneOf: [{$ref: Dot}, {$ref: Line}], discriminator: of, nullable: true}
      more: {type: object, additionalProperties: {type: integer}}
    required: [id, kind, size, seen, shape, more]
  Dot: {type: object, properties: {of: {type: string, const: dot}}, required: [of]}
  Line: {type: object, properties: {of: {type: string, const: line}, long: {type: number}}, required: [of, long]}
  Arc: {type: object, properties: {of: {type: string, const: arc}}, required: [of]}
"""
ERRORS = BASE["errors.yaml"] + (
    "  full: {summary: Full., message: 'Full of {what}.', hint: Drop one., exit: conflict, params: {what: string}}\n"
)
LIMITS = "rate_limits:\n  often: {summary: Often., limit: 10, window: 60s, per: session}\n"
ROLES = BASE["roles.yaml"] + "  boss: {rank: 2, summary: A boss., effects: [read, write, destructive]}\n"
VARIABLES = "environment:\n  ADE_A: {summary: A., authorises: false}\n"
METHODS = """\
methods:
  ping: {summary: Ping., kind: request, sent_by: client, result: {type: object, properties: {up: {type: boolean}}, required: [up]}}
"""
FILES: Mapping[str, str] = {
    "domains/note.yaml": DOMAIN,
    "types/all.yaml": TYPES,
    "errors.yaml": ERRORS,
    "rate_limits.yaml": LIMITS,
    "roles.yaml": ROLES,
    "environment.yaml": VARIABLES,
    "methods.yaml": METHODS,
}
DROP = OTHER.partition("events:")[0]
SIZED = TYPES[TYPES.index("      size: ") : TYPES.index("  Dot:")]
NEW = "Drop a note.\n    cli: {aliases: [new]}\n"
MOVED = DOMAIN[
    DOMAIN.index("    cli: {aliases: [new]}") : DOMAIN.index("Drop a note.\n") + len("Drop a note.\n")
]
D, T = "domains/note.yaml", "types/all.yaml"

CASES: list[tuple[str, str, str, str, str]] = [
    ("action-removed", "note.drop", D, DROP, ""),
    ("action-added", "note.hide", D, "events:\n", DROP.replace("drop:", "hide:") + "events:\n"),
    ("tool-renamed", "note.add", D, "    summary: Add a note.\n", "    summary: Add a note.\n    tool: make_note\n"),
    ("command-removed", "note.add", D, "    cli: {aliases: [new]}\n", ""),
    ("command-added", "note.add", D, "{aliases: [new]}\n", "{aliases: [new, make]}\n"),
    ("flag-removed", "note.add.level", D, "short: -l", "short: -x"),
    ("flag-added", "note.add.count", D, "maximum: 9, optional: true", "maximum: 9, optional: true, cli: {short: -c}"),
    ("flag-meaning", "note.add.wait", D, "minimum: 0, optional: true", "minimum: 0, optional: true, cli: {duration: true}"),
    ("positional-moved", "note.add", D, 'optional: true, cli: {positional: true}}', "optional: true}"),
    ("effect-raised", "note.add", D, "effect: write\n    idem", "effect: destructive\n    idem"),
    ("effect-lowered", "note.drop", D, "effect: write\n    toolset", "effect: read\n    toolset"),
    ("visibility-narrowed", "note.drop", D, "note.\n    effect: write\n    tool", "note.\n    min_role: agent\n    effect: write\n    tool"),
    ("visibility-narrowed", "note.add", "toolsets.yaml", "[external, agent]", "[agent]"),
    ("visibility-widened", "note.add", "toolsets.yaml", "[external, agent]", "[external, agent, boss]"),
    ("scope-narrowed", "note.drop", D, "scope: machine\n    input: {id", "scope: project\n    input: {id"),
    ("retry-unsafe", "note.add", D, "    idempotency: request_id\n", ""),
    ("retry-safer", "note.drop", D, "Drop a note.\n", "Drop a note.\n    idempotency: natural\n"),
    ("target-changed", "note.add", D, "    rate_limit: often\n", "    rate_limit: often\n    target: {anyone: true}\n"),
    ("moves-refs-changed", "note.add", D, "    rate_limit: often\n", "    rate_limit: often\n    moves_refs: true\n"),
    ("limit-tightened", "note.add", "rate_limits.yaml", "limit: 10", "limit: 5"),
    ("limit-tightened", "note.drop", D, "Drop a note.\n", "Drop a note.\n    rate_limit: often\n"),
    ("limit-relaxed", "note.add", D, "    rate_limit: often\n", ""),
    ("timeout-shortened", "note.add", D, "60s", "30s"),
    ("timeout-lengthened", "note.add", D, "60s", "2m"),
    ("error-added", "note.add", D, "[full, invalid_arguments]", "[full, invalid_arguments, timed_out]"),
    ("error-removed", "note.add", D, "[full, invalid_arguments]", "[invalid_arguments]"),
    ("error-code-added", "error late", "errors.yaml", "  full:", "  late: {summary: L., message: L., hint: L., exit: failed}\n  full:"),
    ("error-exit-changed", "error full", "errors.yaml", "exit: conflict", "exit: denied"),
    ("error-retry-changed", "error full", "errors.yaml", "exit: conflict", "exit: conflict, retry: true"),
    ("error-detail-removed", "error full", "errors.yaml", "params: {what: string}", "params: {what: integer}"),
    ("field-removed", "note.add.count", D, "      count: {type: integer, minimum: 1, maximum: 9, optional: true}\n", ""),
    ("field-added", "note.add.when", D, "      count:", "      when: {type: string, optional: true}\n      count:"),
    ("field-now-required", "type Part.name", T, "required: [size]", "required: [size, name]"),
    ("field-now-optional", "type Part.size", T, "required: [size]", "required: []"),
    ("field-removed", "type Part.name", T, ", name: {type: string}}", "}"),
    ("default-changed", "note.add.level", D, "default: low", "default: high"),
    ("rule-added", "note.add", D, "{at_most_one_of: [left, right]}", "{at_most_one_of: [left, right]}, {at_most_one_of: [count, wait]}"),
    ("rule-removed", "note.add", D, "    rules: [{at_most_one_of: [left, right]}]\n", ""),
    ("input-type", "note.add.wait", D, "wait: {type: integer, minimum: 0,", "wait: {type: string,"),
    ("input-narrowed", "note.add.text", D, "maxLength: 50", "maxLength: 49"),
    ("input-narrowed", "note.add.level", D, "[low, high]", "[low]"),
    ("input-narrowed", "note.add.word", D, '"^[a-z]+$"', '"^[a-y]+$"'),
    ("input-narrowed", "note.add.count", D, "minimum: 1, maximum: 9", "exclusiveMinimum: 1, maximum: 9"),
    ("input-narrowed", "type Part.size", T, "maximum: 5", "maximum: 4"),
    ("input-narrowed", "note.add.tags", D, "maxItems: 3", "maxItems: 3, uniqueItems: true"),
    ("input-widened", "note.add.level", D, "[low, high]", "[low, high, top]"),
    ("input-widened", "note.add.text", D, "minLength: 1, ", ""),
    ("input-widened", "note.add.word", D, '      word: {type: string, pattern: "^[a-z]+$",', "      word: {type: string,"),
    ("input-widened", "note.add.wait", D, "wait: {type: integer", "wait: {type: number"),
    ("output-type", "type Note.size", T, "size: {type: integer, minimum: 0, maximum: 9}", "size: {type: string}"),
    ("output-field-removed", "type Note.size", T, SIZED, SIZED.replace("      size: {type: integer, minimum: 0, maximum: 9}\n", "").replace("size, ", "")),
    ("output-field-added", "type Note.late", T, "    required: [id, kind,", "      late: {type: boolean}\n    required: [late, id, kind,"),
    ("output-widened", "type Note.kind", T, "[short, long]", "[short, long, odd]"),
    ("output-widened", "type Note.id", T, "id: {type: string,", 'id: {type: [string, "null"],'),
    ("output-widened", "type Note.shape", T, "{$ref: Line}]", "{$ref: Line}, {$ref: Arc}]"),
    ("output-widened", "type Note.seen", T, ", format: date-time", ""),
    ("output-range-widened", "type Note.size", T, "maximum: 9", "maximum: 10"),
    ("output-narrowed", "type Note.kind", T, "[short, long]", "[short]"),
    ("output-narrowed", "type Note.shape", T, ", nullable: true", ""),
    ("output-narrowed", "type Note.more{}", T, "additionalProperties: {type: integer}", "additionalProperties: {type: integer, minimum: 0}"),
    ("event-removed", "event note.kept", D, "events:\n  kept: {summary: A note was kept.}\n", ""),
    ("event-added", "event note.lost", D, "  kept:", "  lost: {summary: Lost.}\n  kept:"),
    ("method-removed", "method ping", "methods.yaml", "ping:", "pong:"),
    ("method-added", "method pong", "methods.yaml", "ping:", "pong:"),
    ("variable-removed", "variable ADE_A", "environment.yaml", "ADE_A", "ADE_B"),
    ("variable-added", "variable ADE_B", "environment.yaml", "ADE_A", "ADE_B"),
    ("role-removed", "role boss", "roles.yaml", "boss:", "chief:"),
    ("role-added", "role chief", "roles.yaml", "boss:", "chief:"),
    ("role-changed", "role boss", "roles.yaml", "[read, write, destructive]", "[read]"),
    ("name-reused", "note.drop", D, MOVED, MOVED.replace(" {aliases: [new]}", " {name: add}").replace("Drop a note.\n", NEW)),
]  # fmt: skip
"""Rule, what it is about, and the change: a file, what stood there, what stands there now."""


def changed(root: Path, file: str, old: str, new: str) -> tuple[Finding, ...]:
    before = load(root / "old", FILES)
    text = edited((old, new), text=FILES.get(file, BASE.get(file, "")))
    return compare(surface(before), surface(load(root / "new", {**FILES, file: text})))


@pytest.mark.parametrize(
    ("rule", "where", "file", "old", "new"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES]
)
def test_one_change_is_told_with_its_place(
    rule: str, where: str, file: str, old: str, new: str, tmp_path: Path
) -> None:
    found = changed(tmp_path, file, old, new)
    hit = next(one for one in found if one.rule == rule and one.where == where)
    name, line, column = hit.at.split(":")
    assert name.startswith("specs/")
    assert int(line) >= 1
    assert int(column) >= 1
    expected = RULES[rule][0]
    assert hit.level == expected
    assert hit.line() == f"{hit.at}: {expected}: {rule}: {where}: {hit.message}"


def test_every_rule_has_a_case_here() -> None:
    elsewhere = {
        "retired-as-announced", "deprecated", "secret-changed", "field-added-required", "scope-widened", "error-code-removed",
    }  # fmt: skip
    assert {case[0] for case in CASES} | elsewhere == RULES.keys()


def test_specs_that_did_not_change_are_no_news(tmp_path: Path) -> None:
    same = surface(load(tmp_path, FILES))
    assert compare(same, same) == ()
    assert compare(json.loads(json.dumps(kept(same, "0.1.0"))), same) == ()


def test_the_worst_comes_first(tmp_path: Path) -> None:
    found = changed(tmp_path, D, "maxLength: 50", "maxLength: 49, description: Other words")
    assert [one.rule for one in found] == ["input-narrowed"]
    levels = [one.level for one in changed(tmp_path, "methods.yaml", "ping:", "pong:")]
    assert levels == sorted(levels, key=LEVELS.index)


def turned(root: Path, *files: tuple[str, str, str]) -> None:
    for file, old, new in files:
        path = root / "specs" / file
        path.write_text(edited((old, new), text=path.read_text()))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose 0.1.0 is released and whose next version is 0.2.0."""
    write(tmp_path, FILES)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    assert "specs/released/0.1.0.json kept; 0 names" in release(tmp_path, "0.1.0")
    return tmp_path


def test_additions_are_never_refused(project: Path) -> None:
    turned(project, (D, "      count:", "      when: {type: string, optional: true}\n      count:"))
    turned(project, (D, "events:\n", DROP.replace("drop:", "hide:") + "events:\n"))
    verdict = judge(project, load_again(project))
    assert verdict is not None
    assert told(verdict) == ""
    assert verdict.findings


def load_again(root: Path) -> ir.Specs:
    return load_specs(root)


def test_a_break_is_refused_until_it_is_announced(project: Path) -> None:
    turned(project, (D, "maxLength: 50", "maxLength: 49"))
    verdict = judge(project, load_again(project))
    assert verdict is not None
    report = told(verdict)
    assert (
        "specs/domains/note.yaml:16:7: breaking: input-narrowed: note.add.text: most characters: 50, now 49"
        in report
    )
    assert "- {rule: input-narrowed, where: note.add.text, why: …}" in report
    announced = project / "specs/released/announced.yaml"
    announced.write_text(
        "announced:\n  - {rule: input-narrowed, where: note.add.text, why: Long notes were lost.}\n"
    )
    verdict = judge(project, load_again(project))
    assert verdict is not None and told(verdict) == ""
    announced.write_text(
        announced.read_text() + "  - {rule: tool-renamed, where: 'note.*', why: It is clearer.}\n"
    )
    verdict = judge(project, load_again(project))
    assert verdict is not None
    assert told(verdict).startswith(
        "specs/released/announced.yaml:3:5: stale-announcement: tool-renamed: note.*: "
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("announced:\n  - {rule: input-narowed, where: a, why: b}\n", "unknown-rule"),
        ("announced:\n  - {rule: input-narrowed, where: a}\n", "wrong-type"),
        ("announced: {a: b}\n", "wrong-type"),
        ("announced: [\n", "yaml-syntax"),
    ],
)
def test_a_faulty_announcement_is_told_with_its_place(text: str, code: str, project: Path) -> None:
    (project / "specs/released/announced.yaml").write_text(text)
    with pytest.raises(SpecErrors) as caught:
        judge(project, load_again(project))
    assert [one.code for one in caught.value.diagnostics] == [code]
    assert caught.value.render().startswith("specs/released/announced.yaml:")


def test_a_released_name_stays_reserved_after_its_removal(project: Path) -> None:
    turned(project, (D, DROP, ""))
    assert "names of former releases" in release(project, "0.2.0")
    kept_names = json.loads((project / "specs/released/0.2.0.json").read_text())["retired"]
    assert (
        kept_names["action note.drop"]
        == kept_names["tool note_drop"]
        == kept_names["command notes drop"]
        == "0.2.0"
    )
    assert kept_names["flag note.drop --id"] == kept_names["field note.drop.id"] == "0.2.0"
    assert release(project, "0.3.0")
    turned(project, (D, "events:\n", DROP.replace("drop:", "hide:\n    tool: note_drop") + "events:\n"))
    verdict = judge(project, load_again(project))
    assert verdict is not None
    assert [(one.rule, one.where) for one in verdict.unannounced] == [("name-reused", "note.hide")]
    assert "the tool note_drop was given up in 0.2.0 and stays reserved" in told(verdict)


def test_a_former_release_is_not_written_over(project: Path) -> None:
    release(project, "0.2.0")
    with pytest.raises(GenerationError, match=r"0\.2\.0 is kept already"):
        release(project, "0.1.0")
    with pytest.raises(GenerationError, match="is no version"):
        release(project, "next")


def test_folders_releases_and_revisions_can_be_compared(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = write(tmp_path_factory.mktemp("other"), {**FILES, D: edited(("60s", "30s"), text=DOMAIN)})
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-C", str(project)]
    for words in (["init", "-q", "-b", "main"], ["add", "specs"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    for old in ("released", "0.1.0", "HEAD", ".", "specs", "specs/released/0.1.0.json"):
        text, code = diff(project, old, str(other))
        assert code == 0
        assert text.splitlines()[-1] == "0 breaking, 1 risky, 0 safe"
        assert "risky: timeout-shortened: note.add: was 60 s, is 30 s" in text
    assert json.loads(diff(project, "HEAD", str(other), as_json=True)[0])[0]["rule"] == "timeout-shortened"
    for wrong in ("no-such", "--upload-pack=x"):
        with pytest.raises(GenerationError, match="no folder, no release"):
            diff(project, wrong, str(other))
    (other / "specs" / D).write_text(DOMAIN + "nonsense: 1\n")
    with pytest.raises(SpecErrors) as caught:
        diff(project, "HEAD", str(other))
    assert caught.value.render().endswith(f"\n1 problem in the specs of {other}; nothing was written")
    with pytest.raises(GenerationError, match="no release of format"):
        (project / "x.json").write_text("{}")
        diff(project, "x.json", ".")


def test_the_program_compares_explains_and_ends_with_one_for_a_break(project: Path) -> None:
    turned(project, (D, DROP, ""))
    command = [sys.executable, "-m", "codegen", "--root", str(project), "diff"]
    done = subprocess.run(
        [*command, "--level", "breaking"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "specs/domains/note.yaml:32:3: breaking: action-removed: note.drop: is gone" in done.stdout
    assert " safe: " not in done.stdout
    done = subprocess.run(
        [*command, "--explain", "name-reused"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == explained("name-reused")
    assert done.stdout.startswith("name-reused (breaking): ")
    every = explained("all").splitlines()
    assert [line.split()[:2] for line in every] == [[name, level] for name, (level, _) in RULES.items()]
    with pytest.raises(GenerationError, match="no rule nonsense"):
        explained("nonsense")


@pytest.mark.parametrize("command", ["gen", "check", "list", "diff", "lint", "site"])
def test_a_folder_that_is_missing_or_holds_no_specs_is_told(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--root", str(tmp_path / "nowhere"), command]) == 2
    assert capsys.readouterr().err == f"error: there is no folder {tmp_path / 'nowhere'}\n"
    assert main(["--root", str(tmp_path), command]) == 2
    assert "specs" in capsys.readouterr().err
    (tmp_path / "specs").write_text("")
    assert main(["--root", str(tmp_path), command]) == 2
    assert "specs" in capsys.readouterr().err


def test_a_release_keeps_all_that_later_ones_are_held_to(project: Path, tmp_path: Path) -> None:
    """The same bytes whenever it is made; refused where what was generated is of other specs."""
    assert not releases(project)
    for path, text in {
        "ade_runtime/__init__.py": "",
        "ade_runtime/contracts.py": "",
        "ade_runtime/client/main.py": "x = 1\n",
        "scripts/ade": "#!\n",
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    manifest = Manifest({}, inputs_digest(project, tools_digest()), tools_digest())
    write_manifest(project, manifest)
    assert "tests/compat/0.2.0/release.tar.xz" in release(project, "0.2.0")
    first = releases(project)["0.2.0"].read_bytes()
    release(project, "0.2.0")
    assert releases(project)["0.2.0"].read_bytes() == first
    unpack(releases(project)["0.2.0"], tmp_path / "then")
    there = {path.relative_to(tmp_path / "then").as_posix() for path in (tmp_path / "then").rglob("*.*")}
    assert {
        "specs/domains/note.yaml",
        "client/ade_runtime/client/main.py",
        "generated/ade_generated/MANIFEST.json",
    } <= there
    assert not any("released" in path for path in there)
    turned(project, (D, "      count:", "      when: {type: string, optional: true}\n      count:"))
    with pytest.raises(GenerationError, match="make gen"):
        release(project, "0.2.0")


def test_a_file_that_users_write_is_given_and_one_that_ade_writes_is_got(tmp_path: Path) -> None:
    """No action has either type, and still somebody relies on it."""
    size = "{type: integer, minimum: 0, maximum: 9}"
    types = f"""\
types:
  ProjectConfig: {{type: object, properties: {{size: {size}}}, required: []}}
  Bundle: {{type: object, properties: {{size: {size}}}, required: [size]}}
"""
    before = surface(load(tmp_path / "old", {**FILES, "types/files.yaml": types}))
    after = surface(
        load(tmp_path / "new", {**FILES, "types/files.yaml": types.replace("maximum: 9", "maximum: 8")})
    )
    assert [(one.rule, one.where) for one in compare(before, after)] == [
        ("input-narrowed", "type ProjectConfig.size"),
        ("output-narrowed", "type Bundle.size"),
    ]
