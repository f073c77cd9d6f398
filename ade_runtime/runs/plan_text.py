"""What plan.md must say before anybody is asked to approve it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

SECTIONS: Mapping[str, Sequence[str]] = {
    "goal": ("goal", "goals", "objective", "objectives"),
    "in_scope": ("in scope", "scope"),
    "out_of_scope": ("out of scope", "non-goals", "non goals", "not in scope"),
    "alternatives": ("alternatives", "alternatives considered", "options considered"),
    "implementation_order": ("implementation order", "order of implementation", "implementation plan"),
    "agent_plan": ("agent plan", "agents", "workers"),
    "validation_plan": ("validation plan", "validation", "verification"),
    "ui_decisions": ("ui decisions", "ui", "user interface"),
    "coordination": ("coordination", "coordination plan"),
}
"""The sections of a full plan, each with the headings that it may have."""

LIGHT = ("goal", "agent_plan", "implementation_order", "validation_plan")
"""The sections of a light plan: the goal, who does it with which model, the steps, and how it is checked."""

MAY_BE_NONE = "ui_decisions"
FEWEST_WORDS = 3
"""Words without which a section says nothing."""

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_NONE = re.compile(r"^(n/?a|none|not applicable|tbd|to do|-|\?)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]{2,}")


def digest(data: bytes) -> str:
    """The SHA-256 of exactly these bytes."""
    return hashlib.sha256(data).hexdigest()


def sections(text: str) -> dict[str, str]:
    """What stands below each heading, by the heading in small letters; code blocks have no headings."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line, heading in _headings(text):
        if heading is None:
            current.append(line)
        else:
            current = found.setdefault(heading, [])
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def _headings(text: str) -> Iterator[tuple[str, str | None]]:
    """Each line, with the heading that it is."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence
            yield line, None
        elif mark is not None:
            fence = mark[1]
            yield line, None
        else:
            heading = _HEADING.match(line)
            yield line, None if heading is None else _plain(heading[1])


def _plain(heading: str) -> str:
    text = re.sub(r"^[0-9.)\s]+", "", heading.replace("*", "").replace("_", " "))
    return " ".join(text.strip().rstrip(":").lower().split())


def missing(text: str, *, light: bool, ui_needed: bool) -> list[str]:
    """Sections that are not there or say nothing, by name. The UI's may be N/A, with a reason; it is left out where nothing
    visible changes."""
    found = sections(text)
    wanted = LIGHT if light else SECTIONS
    return [name for name in wanted if (ui_needed or name != MAY_BE_NONE) and not _says(found, name)]


def _says(found: Mapping[str, str], name: str) -> bool:
    bodies = [found[heading] for heading in SECTIONS[name] if heading in found]
    return any(_has_substance(body, may_be_none=name == MAY_BE_NONE) for body in bodies)


def _has_substance(body: str, *, may_be_none: bool) -> bool:
    words = len(_WORD.findall(body))
    if _NONE.match(body.lstrip("-* \t")):
        return may_be_none and words >= FEWEST_WORDS
    return words >= FEWEST_WORDS
