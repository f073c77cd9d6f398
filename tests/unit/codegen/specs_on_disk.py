"""A small project of specs on disk, to be changed one mistake at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen import ir
from codegen.checks.tables import PIPELINE_ERRORS
from codegen.diagnostics import Diagnostic, SpecErrors
from codegen.load import load_specs

NOTE = """\
domain: note
title: Notes
summary: Short notes.
cli: {group: notes}
actions:
  add:
    summary: Add a note.
    effect: write
    idempotency: request_id
    toolset: base
    input:
      text: {type: string, minLength: 1, maxLength: 500, description: What to remember.}
      level: {type: string, enum: [low, high], default: low, cli: {short: -l}}
      count: {type: integer, minimum: 1, maximum: 9, optional: true}
    output: {type: object, properties: {id: {type: string}}, required: [id]}
    errors: [invalid_arguments]
    examples:
      - title: A plain note
        input: {text: hello}
        output: {id: n1}
      - title: Empty text
        input: {text: ""}
        error: {code: invalid_arguments}
"""
"""The rows of ``cases/yaml_mistakes.jsonl`` are edits of this text and name its lines."""

ROLES = """\
roles:
  external: {rank: 0, summary: Anyone., effects: [read]}
  agent: {rank: 1, summary: An agent., effects: [read, write]}
"""
TOOLSETS = """\
toolsets:
  base: {summary: Everyone., roles: [external, agent], server: ade}
"""
ERRORS = "errors:\n" + "".join(
    f"  {code}: {{summary: It is so., message: It is so., hint: Do otherwise., exit: failed}}\n"
    for code in PIPELINE_ERRORS
)
BASE: Mapping[str, str] = {
    "domains/note.yaml": NOTE,
    "roles.yaml": ROLES,
    "toolsets.yaml": TOOLSETS,
    "errors.yaml": ERRORS,
}


def write(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> Path:
    """Write the base specs with some files replaced, added or (``None``) left out."""
    for name, content in {**BASE, **(files or {})}.items():
        path = root / "specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def load(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> ir.Specs:
    return load_specs(write(root, files))


def faults(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with the specs; empty when nothing is."""
    try:
        load(root, files)
    except SpecErrors as errors:
        return errors.diagnostics
    return ()


def edited(*edits: tuple[str, str], text: str = NOTE) -> str:
    """A spec with some of its text replaced; each replaced text must be there."""
    for old, new in edits:
        assert old in text, f"{old!r} is not in the spec"
        text = text.replace(old, new)
    return text


def note(root: Path, *edits: tuple[str, str]) -> tuple[Diagnostic, ...]:
    """The faults of the base domain after some edits."""
    return faults(root, {"domains/note.yaml": edited(*edits)})


def codes(found: Iterable[Diagnostic]) -> list[str]:
    return [diagnostic.code for diagnostic in found]


def only(found: tuple[Diagnostic, ...], code: str, *mentions: str) -> Diagnostic:
    """The one fault there is, of that code, whose report holds each of ``mentions``."""
    assert codes(found) == [code], "\n".join(f"{one.code}: {one.message}" for one in found)
    report = f"{found[0].message}\n{found[0].help}"
    for word in mentions:
        assert word in report, report
    return found[0]
