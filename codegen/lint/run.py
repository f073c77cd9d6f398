"""Runs every rule, takes out what is waived, and mends what can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.checks.context import Context
from codegen.ir import Span
from codegen.lint import checks, writing
from codegen.lint.findings import Edit, Found, Report
from codegen.lint.rules import RULES
from codegen.manifest import write_atomic

_WAIVER = re.compile(r"#\s*lint:\s*allow(?P<file>-in-file)?\s+(?P<rule>[a-z-]+)(?::\s*(?P<why>.*\S))?\s*$")


@dataclass(frozen=True, slots=True)
class Waiver:
    """``# lint: allow RULE: reason`` at a line's end, or alone above the thing; ``allow-in-file`` for all of a file."""

    rule: str
    why: str
    span: Span
    alone: bool
    whole_file: bool

    def covers(self, found: Found) -> bool:
        if self.rule != found.rule or self.span.file != found.span.file:
            return False
        return self.whole_file or found.span.line == self.span.line + (1 if self.alone else 0)


def lint(ctx: Context, texts: Mapping[str, str]) -> tuple[Found, ...]:
    """Everything that is not waived, the worst first."""
    report = Report()
    checks.check(ctx, report)
    writing.check(ctx, report, texts)
    given = [
        waiver
        for name, text in sorted(texts.items())
        if name.endswith(".yaml")
        for waiver in waivers(name, text)
    ]
    used: set[Waiver] = set()
    left = []
    for found in report.items:
        covering = [waiver for waiver in given if waiver.covers(found)]
        used.update(covering)
        if not any(waiver.why for waiver in covering):
            left.append(found)
    left += _of_waivers(given, used)
    return tuple(sorted(set(left), key=lambda found: found.order))


def waivers(name: str, text: str) -> Iterable[Waiver]:
    """The waivers in the comments of a file."""
    for number, line in enumerate(text.split("\n"), 1):
        match = _WAIVER.search(line)
        if match is not None:
            before = line[: match.start()]
            if before and not before[-1].isspace():
                continue
            span = Span(name, number, match.start() + 1)
            yield Waiver(
                match["rule"], match["why"] or "", span, not before.strip(), match["file"] is not None
            )


def _of_waivers(given: Iterable[Waiver], used: set[Waiver]) -> Iterable[Found]:
    for waiver in given:
        if waiver.rule not in RULES:
            yield Found("unknown-waiver", waiver.span, f"there is no rule {waiver.rule}")
        elif not waiver.why:
            yield Found("waiver-without-reason", waiver.span, f"why {waiver.rule} is allowed is not said")
        elif waiver not in used:
            edit = Edit(waiver.span.line, waiver.span.column, 10_000, whole=waiver.alone)
            yield Found("unused-waiver", waiver.span, f"{waiver.rule} finds nothing here", edit)


def mend(root: Path, found: Iterable[Found], texts: Mapping[str, str]) -> dict[str, int]:
    """Apply every edit, the last in a file first; comments and layout stay. Gives the number of edits by file."""
    edits: dict[str, list[Edit]] = {}
    for one in found:
        if one.edit is not None:
            edits.setdefault(one.span.file, []).append(one.edit)
    for name, listed in edits.items():
        lines = texts[name].split("\n")
        for edit in sorted(set(listed), key=lambda edit: (edit.line, edit.column), reverse=True):
            _apply(lines, edit)
        write_atomic(root / name, "\n".join(lines).encode())
    return {name: len(set(listed)) for name, listed in sorted(edits.items())}


def _apply(lines: list[str], edit: Edit) -> None:
    index = edit.line - 1
    if edit.whole:
        del lines[index]
        return
    line = lines[index]
    start = edit.column - 1
    changed = line[:start] + edit.text + line[start + edit.length :]
    lines[index] = changed if edit.text or edit.length < 10_000 else changed.rstrip()
