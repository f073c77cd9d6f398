"""Small changes of spec texts, each of one thing that callers rely on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Change = Callable[[re.Match[str], random.Random], str]


@dataclass(frozen=True, slots=True)
class Flip:
    """Puts ``text`` in the place of the characters from ``start`` to ``end`` of a file."""

    kind: str
    file: str
    start: int
    end: int
    text: str

    def applied(self, text: str) -> str:
        return text[: self.start] + self.text + text[self.end :]

    def told(self, text: str) -> str:
        line = text.count("\n", 0, self.start) + 1
        return f"{self.file}:{line}: {self.kind}: {text[self.start : self.end]!r} → {self.text!r}"


def _other(*words: str) -> Change:
    return lambda match, dice: dice.choice([word for word in words if word != match[1]])


def _next(match: re.Match[str], dice: random.Random) -> str:
    return str(int(match[1]) + dice.choice([1, 7]))


def _letter(match: re.Match[str], dice: random.Random) -> str:
    return dice.choice([letter for letter in "XYZ" if letter != match[1]])


KINDS: tuple[tuple[str, str, Change], ...] = (
    ("bound", r"\b(?:minLength|maxLength|minItems|maxItems|minimum|maximum): ([0-9]+)\b", _next),
    ("effect", r"^    effect: (\w+)", _other("read", "write", "destructive")),
    ("role", r"^    min_role: (\w+)", _other("external", "evaluator", "agent", "orchestrator", "cto")),
    ("toolset", r"^    toolset: (\w+)", _other("base", "operator", "cto_operator", "orchestration_lead")),
    ("scope", r"^    scope: (\w+)", _other("project", "machine")),
    ("idempotency", r"^    idempotency: (\w+)", _other("none", "natural", "request_id")),
    ("time limit", r"^    timeout: ([0-9]+)(?=[smh])", _next),
    ("error", r"^    errors: \[.*?(\w+, )", lambda match, dice: ""),
    ("short option", r"\bshort: -([A-Za-z])\b", _letter),
    ("option", r"\bflag: --([a-z-]+)", lambda match, dice: f"{match[1]}-x"),
    ("positional", r"\bpositional: (true)", lambda match, dice: "false"),
    ("optional", r"\boptional: (true)", lambda match, dice: "false"),
    ("default", r"\bdefault: (true|false)\b", lambda match, dice: "false" if match[1] == "true" else "true"),
    ("choice", r"\benum: \[(\w+, )", lambda match, dice: ""),
    ("tool name", r"^    tool: (\w+)", lambda match, dice: f"{match[1]}_x"),
    ("pattern", r"\bpattern: ['\"]\^(\[)", lambda match, dice: "[!"),
    ("exit kind", r"\bexit: (\w+)", _other("failed", "denied", "not_found", "conflict")),
    ("calls", r"^    limit: ([0-9]+)$", _next),
    ("rank", r"\brank: ([0-9]+)\b", lambda match, dice: str(int(match[1]) + 10)),
)  # fmt: skip


def flips(texts: Mapping[str, str], dice: random.Random) -> Iterator[Flip]:
    """Random flips without end, each kind as often as any other; ``texts`` are the spec files by name."""
    places = {
        kind: [
            (name, match)
            for name, text in sorted(texts.items())
            for match in re.finditer(pattern, text, re.MULTILINE)
        ]
        for kind, pattern, _ in KINDS
    }
    known = [(kind, change) for kind, _, change in KINDS if places[kind]]
    while True:
        kind, change = dice.choice(known)
        name, match = dice.choice(places[kind])
        yield Flip(kind, name, match.start(1), match.end(1), change(match, dice))
