"""What an agent of a run is told first: where it stands, and the lead's brief, which must say all that it needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ade_runtime.runs.plan_text import sections

SECTIONS: Mapping[str, Sequence[str]] = {
    "goal": ("goal", "goals", "objective", "task"),
    "context": ("context", "background"),
    "scope": ("scope", "in scope"),
    "constraints": ("constraints", "out of scope", "limits", "do not"),
    "done_when": ("done when", "definition of done", "acceptance", "acceptance criteria"),
    "report": ("report", "report back", "hand back", "deliverables"),
}
"""The sections of a brief, each with the headings that it may have."""

_WORD = re.compile(r"[^\W_]{2,}")


def missing(brief: str) -> list[str]:
    """Sections that a brief lacks, or in which it says nothing, by name."""
    found = sections(brief)
    return [
        name
        for name, headings in SECTIONS.items()
        if not any(_WORD.search(found.get(heading, "")) for heading in headings)
    ]


def written(*, run: str, title: str, role: str, lead: str, step: str | None, brief: str) -> str:
    """The whole text that the agent is told first. What its role asks of it is in its prompt."""
    place = f"You are a {role} of run {run} ({title}), led by session {lead}."
    about = "" if step is None else f" Yours is {step}."
    return f"{place}{about} Claim your task with claimTask before you begin.\n\n{brief.strip()}\n"
