"""What stands on the pages of all actions, of who may call what, and of errors."""

from __future__ import annotations

from typing import Any

from ade_runtime.cli.help import EXIT_WORDS
from codegen import ir
from codegen.emitters.cli import exit_code
from codegen.emitters.report import access, more
from codegen.site.pages import prose

SHOWN = 6
"""Actions that are named of those that end with an error, before the rest is folded away."""

ANSWERS = {
    "yes": ("✓", "may call it"),
    "no": ("✗", "sees it and is refused"),
    "-": ("–", "does not see it"),
}


def ranked(specs: ir.Specs) -> list[ir.Role]:
    return sorted(specs.roles.values(), key=lambda role: role.rank)


def access_of(action: ir.Action, specs: ir.Specs) -> list[dict[str, str]]:
    """Role by role, lowest first: what it may, as a sign and in words."""
    found = []
    for role in ranked(specs):
        answer = access(action, role, specs)
        sign, words = ANSWERS[answer]
        found.append({"role": role.name, "answer": answer, "sign": sign, "words": words})
    return found


def matrix(specs: ir.Specs) -> list[dict[str, Any]]:
    """A group of rows a domain."""
    return [
        {
            "domain": domain,
            "rows": [
                {"action": action, "access": access_of(action, specs), "only": more(action, specs)}
                for action in domain.actions
            ],
        }
        for domain in specs.domains
    ]


def errors(specs: ir.Specs) -> dict[str, Any]:
    """Every error with the actions that declare it, and what exit codes mean."""
    declared: dict[str, list[str]] = {code: [] for code in specs.errors}
    for action in specs.actions:
        for code in action.errors:
            declared[code].append(action.id)
    rows = [
        {
            "code": error.code,
            "summary": error.summary,
            "message": error.message,
            "hint": prose(error.hint),
            "exit": exit_code(error),
            "kind": error.exit,
            "rpc": error.rpc,
            "retry": error.retry,
            "params": sorted(error.params.items()),
            "first": declared[error.code][:SHOWN],
            "rest": declared[error.code][SHOWN:],
        }
        for error in specs.errors.values()
    ]
    return {"errors": rows, "exits": [(code.value, words) for code, words in EXIT_WORDS.items()]}
