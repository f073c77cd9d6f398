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
    return (
        "You take over this conversation. What was said so far, for you to know and not to answer again:\n\n"
        f"<conversation>\n{_past(before)}\n</conversation>\n\nThe user now says:\n\n{text}"
    )


def reminded(before: Sequence[Entry], text: str) -> str:
    """``text`` behind what was said to a program in turns that were broken off: nobody knows whether it has heard that."""
    said = [entry for entry in before if entry.kind == "user"]
    if not said:
        return text
    return (
        "Your turn was broken off. What was said to you in it follows, in case it did not reach you; what you did of it may be"
        f" half done, so look before you go on.\n\n<conversation>\n{_past(said)}\n</conversation>\n\n"
        f"The user now says:\n\n{text}"
    )


def _past(entries: Sequence[Entry]) -> str:
    told: list[str] = []
    left = LONGEST
    for entry in reversed(entries):
        line = f"{_NAMES[entry.kind]}: {entry.text}"
        if len(line) > left:
            told.append("[What was said before this is left out.]")
            break
        told.append(line)
        left -= len(line)
    return "\n\n".join(reversed(told))
