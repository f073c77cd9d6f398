"""``python -m codegen lint``: what it prints and ends with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from codegen.checks.context import Context
from codegen.failure import GenerationError
from codegen.lint.findings import Found
from codegen.lint.rules import RULES, SEVERITIES, Severity, explained
from codegen.lint.run import lint, mend
from codegen.load import SpecLoader


def explain(rule: str) -> str:
    """One rule in words, every one with ``all``. Raises :class:`GenerationError` for one that does not exist."""
    text = explained(rule)
    if text is None:
        raise GenerationError(f"there is no rule {rule}; they are: {', '.join(RULES)}")
    return text


def run(
    root: Path, *, least: Severity = "warning", fix: bool = False, as_json: bool = False
) -> tuple[str, int]:
    """What is found from the severity ``least`` up; the code is 1 where an error is among it."""
    told = ""
    if fix:
        context, texts = _loaded(root)
        mended = mend(root, lint(context, texts), texts)
        told = "".join(f"mended: {name} ({count})\n" for name, count in mended.items())
    found = lint(*_loaded(root))
    shown = [one for one in found if SEVERITIES.index(one.severity) <= SEVERITIES.index(least)]
    code = int(any(one.severity == "error" for one in found))
    return (document(shown) if as_json else told + lines(shown, found)), code


def _loaded(root: Path) -> tuple[Context, Mapping[str, str]]:
    """The checked specs with the places of their parts, and the texts of their files by name. Raises SpecErrors."""
    loader = SpecLoader(root)
    specs = loader.load()
    broken = loader.domain_builder.broken
    return Context(specs, loader.places, loader.sink, broken, loader.incomplete), loader.texts


def lines(shown: Sequence[Found], found: Sequence[Found]) -> str:
    """A line a finding with what to do, and how many there are."""
    counts = Counter(one.severity for one in found)
    total = ", ".join(f"{counts[severity]} {severity}s" for severity in SEVERITIES)
    return "".join(f"{one.line()}\n    = {RULES[one.rule].todo}\n" for one in shown) + f"{total}\n"


def document(found: Sequence[Found]) -> str:
    rows = [
        {
            "severity": one.severity,
            "rule": one.rule,
            "file": one.span.file,
            "line": one.span.line,
            "column": one.span.column,
            "message": one.message,
            "fixable": one.edit is not None,
        }
        for one in found
    ]
    return json.dumps(rows, indent=1, ensure_ascii=True) + "\n"
