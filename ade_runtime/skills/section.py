"""The section of a prompt that names the skills an agent has: bounded, one a line, what each is for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ade_runtime.cli.clean import clean
from ade_runtime.memory.context import estimate_tokens
from ade_runtime.skills.catalog import find_skills

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.machine.skill_roots import SkillRoot

HEADING = "## Skills"
PREFACE = "Instructions for kinds of work. Where one fits your task, read it with `ade skills show NAME` before you begin."
MORE = "`ade skills list` names the others."
LONGEST_LINE = 240
"""Characters of one line; the skill itself tells the rest."""

_SPACE = re.compile(r"\s+")


def build(roots: Sequence[SkillRoot], max_tokens: int) -> tuple[str, int]:
    """The section, empty where there are no skills or no room, and how many skills had none. The nearest come first; one that
    a nearer one hides is not named."""
    found = [skill for skill in find_skills(roots) if skill.state == "ok"]
    lines = [HEADING, "", PREFACE, ""]
    room = max_tokens - estimate_tokens("\n".join([*lines, MORE])) - 1
    told = 0
    for skill in found:
        line = _line(skill.name, skill.head.description)
        cost = estimate_tokens(line + "\n")
        if cost > room:
            break
        lines.append(line)
        room -= cost
        told += 1
    if not told:
        return "", len(found)
    omitted = len(found) - told
    return "\n".join([*lines, *([MORE] if omitted else [])]), omitted


def _line(name: str, description: str | None) -> str:
    said = clean(_SPACE.sub(" ", f"{name}: {description or ''}")).strip().rstrip(":")
    return f"- {said if len(said) <= LONGEST_LINE else said[: LONGEST_LINE - 1] + '…'}"
