"""The rules of linting: id, severity, one sentence of purpose, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Rule:
    """``fixable`` rules are mended by ``--fix``; ``todo`` is what an author does otherwise."""

    severity: Severity
    purpose: str
    todo: str
    fixable: bool = False


RULES: dict[str, Rule] = {
    "read-that-writes": Rule(
        "error",
        "An action whose name says that it changes something must not have the effect read: no permission or audit.",
        "give it effect: write, or a name of what it reads",
    ),
    "unguarded-destructive": Rule(
        "error",
        "What destroys work asks for a second word: a boolean such as force, a lowest role, a rate limit, or a target field.",
        "add one of these, or say in a waiver what keeps it safe",
    ),
    "waiver-without-reason": Rule(
        "error",
        "A waiver is for those who read the spec later, so it says why.",
        "write # lint: allow RULE: reason",
    ),
    "unknown-waiver": Rule(
        "error", "A waiver names a rule that exists.", "take the rule's id from `python -m codegen lint --explain all`"
    ),
    "unused-waiver": Rule("warning", "A waiver that waives nothing hides the next fault.", "remove it", fixable=True),
    "missing-description": Rule(
        "warning",
        "A model knows a field by its description; without one it guesses.",
        "add description: to the field or to its type",
    ),
    "vague-description": Rule(
        "warning",
        "A description that only repeats the name, or is one word, tells nothing.",
        "say what the value is for, or what is done with it",
    ),
    "over-budget": Rule(
        "warning",
        "The definition of a tool is paid for in every conversation: at most 1,500 tokens.",
        "shorten descriptions, or move advice to the guidance",
    ),
    "repeated-example": Rule(
        "warning",
        "Two examples with the same input, start and caller prove one thing.",
        "remove one, or change what it is about",
    ),
    "untried-error": Rule(
        "note", "An error that no example shows is promised but not proved.", "add an example that ends with it"
    ),
    "unbounded-string": Rule(
        "warning",
        "A text without a greatest length lets one call fill the database or a prompt.",
        "add maxLength, an enum, a format or a pattern with a bound",
    ),
    "unbounded-array": Rule(
        "warning", "A list without a greatest length lets one call do any amount of work.", "add maxItems"
    ),
    "negative-name": Rule(
        "warning",
        "A switch named after what it is not is read wrong, and its option becomes --no-no-x.",
        "name the field after what it turns on",
    ),
    "sentence": Rule(
        "warning", "Summaries are sentences: a capital first, a full stop last.", "write it so", fixable=True
    ),
    "says-the-default": Rule(
        "note", "A key that says what holds anyway hides those that matter.", "leave it out", fixable=True
    ),
    "unused-type": Rule("warning", "A type that nothing refers to is read for nothing.", "remove it, or refer to it"),
    "unused-layout": Rule("warning", "A text layout that no action has is never printed.", "remove it"),
    "unused-fixture": Rule("warning", "A fixture that nothing starts from is never tried.", "remove it"),
    "unused-completer": Rule("warning", "A completer that no field has completes nothing.", "remove it"),
    "schema-line": Rule(
        "warning",
        "Editors complete and check a spec file by the schema that its first line names.",
        "begin the file with # yaml-language-server: $schema=…",
        fixable=True,
    ),
    "blanks": Rule("warning", "Blanks at a line's end or no last line end make noise in diffs.", "remove them", fixable=True),
}  # fmt: skip
"""By id. Ids are stable: waivers name them."""


def explained(name: str) -> str | None:
    """A rule, or with ``all`` every rule, in words; ``None`` for one that does not exist."""
    if name == "all":
        return (
            "\n".join(f"{rule:<22} {about.severity:<8} {about.purpose}" for rule, about in RULES.items())
            + "\n"
        )
    about = RULES.get(name)
    if about is None:
        return None
    fix = "`python -m codegen lint --fix` does it." if about.fixable else ""
    return f"{name} ({about.severity})\n{about.purpose}\nWhat to do: {about.todo}. {fix}".rstrip() + "\n"
