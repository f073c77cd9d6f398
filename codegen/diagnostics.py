"""Diagnostics are values: collected, sorted and printed together as ``file:line:col: code: message``.

Each prints its source line, a caret under the place, and what to do. Codes are stable: tests, docs and
editors name them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ade_runtime.strict_yaml.places import LINE_END
from codegen.ir import Span
from codegen.wording import closest

_BEFORE, _SHOWN = 60, 110
"""Characters shown before the place, and of the whole line."""

CODES: dict[str, str] = {
    "yaml-syntax": "The file is not well-formed YAML.",
    "yaml-encoding": "The file is not UTF-8.",
    "yaml-empty": "The file holds no document.",
    "yaml-document": "The file holds more than one document.",
    "yaml-not-mapping": "A mapping is needed here.",
    "yaml-duplicate-key": "A key stands twice in one mapping.",
    "yaml-tab": "A tab stands in the file.",
    "yaml-anchor": "Anchors and aliases are not part of the spec language.",
    "yaml-depth": "The file is nested too deeply.",
    "yaml-directive": "YAML directives are not part of the spec language.",
    "number-range": "A number is past what a 64-bit integer or a double can hold.",
    "yaml-merge-key": "Merge keys are not part of the spec language.",
    "yaml-tag": "Tags are not part of the spec language.",
    "yaml-key": "A key is not plain text.",
    "yaml-character": "A character that has no place in a text.",
    "unknown-file": "A file in specs/ that would not be read, or is called otherwise than what it holds.",
    "unreadable-file": "A file that cannot be read.",
    "acp-adapter": "A provider with the adapter acp that says nothing of its ways, or another one that does.",
    "terminal-modes": "A provider's terminal has other permission modes than its chats.",
    "unknown-key": "A key the spec language does not know.",
    "misplaced-key": "A key that does not go with what else stands beside it.",
    "missing-key": "A key that must be there is missing.",
    "wrong-type": "A value is of another kind than its key needs.",
    "wrong-value": "A value is not one of those its key allows.",
    "bad-duration": "A duration has no unit or is out of range.",
    "bad-name": "A name does not follow the rules for its kind.",
    "unknown-ref": "A reference to a type that does not exist.",
    "recursive-ref": "A type that contains itself.",
    "unknown-error": "An error code that specs/errors.yaml does not have.",
    "unknown-role": "A role that specs/roles.yaml does not have.",
    "unknown-toolset": "A toolset that specs/toolsets.yaml does not have.",
    "unknown-rate-limit": "A rate limit that specs/rate_limits.yaml does not have.",
    "unknown-layout": "A text layout that specs/text_layouts.yaml does not have.",
    "unknown-completer": "A completer that specs/completions.yaml does not have.",
    "unknown-fixture": "A fixture that specs/fixtures.yaml does not have.",
    "unknown-action": "An action that no domain has.",
    "unknown-program": "A program that specs/external_tools.yaml does not have.",
    "unknown-rule": "A rule of comparing or linting that does not exist.",
    "unknown-field": "A field that the action, type or output does not have.",
    "schema-keyword": "A JSON Schema keyword outside the subset.",
    "schema-bounds": "Bounds that no value or fewer values than meant can satisfy.",
    "schema-pattern": "A regular expression that is invalid or means different things in different engines.",
    "schema-enum": "An enumeration with a repeated, empty or non-text value.",
    "schema-default": "A default that its own schema refuses.",
    "schema-union": "A union without a usable tag.",
    "schema-root": "Input or output that is not an object at its root.",
    "schema-optional": "An output field that may be absent.",
    "name-collision": "Two things that would have the same name somewhere.",
    "reserved-name": "A name that the command line keeps for itself.",
    "no-success-example": "An action without an example that works.",
    "no-failure-example": "An action without an example that fails.",
    "bad-fixture": "A step of a fixture that cannot be performed.",
    "duplicate-value": "One value is listed twice.",
    "bad-example": "An example that contradicts its own action.",
    "bad-rule": "A rule across fields that cannot hold or never matters.",
    "bad-slot": "A slot in a message that is no parameter, or a parameter never used.",
    "too-long": "A text for agents that costs more tokens than it may.",
    "unknown-command": "A text that names an `ade` command that does not exist.",
}


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """``help`` says what to do; it may be empty where the message already does."""

    span: Span
    code: str
    message: str
    help: str = ""

    def render(self, sources: Mapping[str, str]) -> str:
        """The diagnostic with its source line and caret. ``sources`` maps a file to its text."""
        where = f"{_printable(self.span.file)}:{self.span.line}:{self.span.column}"
        out = [f"{where}: {self.code}: {_printable(self.message)}"]
        lines = LINE_END.split(sources.get(self.span.file, ""))
        if 1 <= self.span.line <= len(lines):
            line = lines[self.span.line - 1].replace("\t", " ")
            start = max(0, self.span.column - 1 - _BEFORE)
            lead = "…" if start else ""
            shown = _printable(line[start : start + _SHOWN])
            before = _printable(line[start : self.span.column - 1])
            out += [f"    {lead}{shown}".rstrip(), f"    {' ' * _columns(lead + before)}^"]
        if self.help:
            out.append(f"    = {_printable(self.help)}")
        return "\n".join(out)


class SpecErrors(Exception):
    """What is wrong with the specs, sorted by place; ``sources`` holds the files' texts for printing. ``whose`` are the specs
    of what, where others than the project's are read, too."""

    whose = ""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        self.sources = dict(sources)
        super().__init__(self.render())

    def render(self) -> str:
        parts = [diagnostic.render(self.sources) for diagnostic in self.diagnostics]
        count = len(self.diagnostics)
        told = f"{count} problem{'s' if count != 1 else ''}{f' in the specs of {self.whose}' if self.whose else ''}"
        return "\n".join([*parts, f"{told}; nothing was written"])


@dataclass(slots=True)
class Sink:
    """Collects diagnostics on the way."""

    items: list[Diagnostic] = field(default_factory=list)

    def add(self, span: Span, code: str, message: str, help: str = "") -> None:
        assert code in CODES, code
        self.items.append(Diagnostic(span, code, message, help))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``did you mean X?`` for the nearest known name, else the known names where they are few, else empty."""
    names = sorted(set(known))
    near = closest(name, names)
    if near is not None:
        return f"did you mean {near}?"
    return f"known: {', '.join(names)}" if 0 < len(names) <= 12 else ""


def _printable(text: str) -> str:
    """Text that is safe on a terminal: what is invisible or reorders a line is escaped."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _columns(text: str) -> int:
    """Columns a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
