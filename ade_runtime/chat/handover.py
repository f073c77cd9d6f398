"""Telling a program what was said before it came."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.chat.records import Entry

LONGEST = 24_000
"""Characters of the past that a program is told; the newest count most."""

_NAMES = {"user": "User", "assistant": "Agent"}


def retold(before: Sequence[Entry], text: str) -> str:
    """``text`` behind what was said before it, the oldest left out where that is too long; ``text`` alone where there is
    nothing."""
    if not before:
        return text
    told: list[str] = []
    left = LONGEST
    for entry in reversed(before):
        line = f"{_NAMES[entry.kind]}: {entry.text}"
        if len(line) > left:
            told.append("[What was said before this is left out.]")
            break
        told.append(line)
        left -= len(line)
    past = "\n\n".join(reversed(told))
    return (
        "You take over this conversation. What was said so far, for you to know and not to answer again:\n\n"
        f"<conversation>\n{past}\n</conversation>\n\nThe user now says:\n\n{text}"
    )
