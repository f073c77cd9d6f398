"""``python -m codegen diff OLD [NEW]`` and ``release VERSION``: what they print."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from codegen.compat.compare import compare
from codegen.compat.findings import Finding
from codegen.compat.frozen import freeze
from codegen.compat.released import Verdict, keep, package_version
from codegen.compat.rules import LEVELS, RULES, Level
from codegen.compat.sources import read_surface
from codegen.compat.versions import PATTERN
from codegen.failure import GenerationError
from codegen.load import load_specs


def diff(root: Path, old: str, new: str, *, least: Level = "safe", as_json: bool = False) -> tuple[str, int]:
    """The findings from ``least`` up, and the exit code: 1 where something breaks, else 0."""
    found = compare(read_surface(root, old), read_surface(root, new), package_version(root))
    shown = [one for one in found if LEVELS.index(one.level) <= LEVELS.index(least)]
    code = int(any(one.level == "breaking" for one in found))
    return (document(shown) if as_json else lines(shown, found)), code


def lines(shown: Sequence[Finding], found: Sequence[Finding]) -> str:
    """One line a finding, and how many there are of each level."""
    counts = Counter(one.level for one in found)
    total = ", ".join(f"{counts[level]} {level}" for level in LEVELS)
    return "".join(f"{one.line()}\n" for one in shown) + f"{total}\n"


def document(found: Sequence[Finding]) -> str:
    rows = [
        {"level": one.level, "rule": one.rule, "where": one.where, "message": one.message, "at": one.at}
        for one in found
    ]
    return json.dumps(rows, indent=1, ensure_ascii=True) + "\n"


def explained(rule: str) -> str:
    """One rule in words, every one with ``all``. Raises :class:`GenerationError` for one that does not exist."""
    if rule == "all":
        return "".join(f"{name:<22} {level:<8} {meaning}\n" for name, (level, meaning) in RULES.items())
    if rule not in RULES:
        raise GenerationError(f"there is no rule {rule}; they are: {', '.join(sorted(RULES))}")
    level, meaning = RULES[rule]
    return f"{rule} ({level}): {meaning}\n"


def release(root: Path, number: str) -> str:
    """Keep today's specs as a release, and the release itself; says what to do with the announcements that it has used up."""
    if not re.fullmatch(PATTERN, number):
        raise GenerationError(f"{number} is no version such as 0.2.0")
    specs = load_specs(root)
    path, reserved = keep(root, specs, number)
    whole = freeze(root, number)
    kept = f"{path.relative_to(root)} kept; {reserved} names of former releases stay reserved"
    if whole is not None:
        kept += f"\n{whole.relative_to(root)} holds its specs, what they made, and its client"
    return f"{kept}\nEmpty specs/released/announced.yaml: what it announces is released now.\n"


def told(verdict: Verdict) -> str:
    """Why ``check`` refuses, one line a fault, and how a break is announced; empty where nothing is wrong."""
    if not verdict.unannounced and not verdict.stale:
        return ""
    out = [one.line() for one in verdict.unannounced]
    for said in verdict.stale:
        place = f"{said.span.file}:{said.span.line}:{said.span.column}"
        out.append(
            f"{place}: stale-announcement: {said.rule}: {said.where}: nothing breaks there any more; remove it"
        )
    if verdict.unannounced:
        first = verdict.unannounced[0]
        out.append(f"Breaks since {verdict.since} that nobody announced: mend them, or announce each in")
        out.append(f"specs/released/announced.yaml: - {{rule: {first.rule}, where: {first.where}, why: …}}")
    return "\n".join(out) + "\n"
