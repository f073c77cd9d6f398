"""How diagnostics quote an author's words and guess what was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def quote(text: str, limit: int = 80) -> str:
    """An author's word inside a message: in double quotes and cut at ``limit`` characters."""
    return '"' + (text if len(text) <= limit else text[: limit - 1] + "…") + '"'


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word an author most likely meant, or ``None``."""
    candidates = sorted(set(known))
    folded = {fold(candidate): candidate for candidate in reversed(candidates)}
    if fold(word) in folded:
        return folded[fold(word)]
    near = difflib.get_close_matches(word[:100], candidates, n=1, cutoff=0.6)
    return near[0] if near else None


def did_you_mean(word: str, known: Iterable[str], limit: int = 8) -> str:
    """``; did you mean "x"?``, or the list of what there is, ready to be put behind a message."""
    names = sorted(set(known))
    near = closest(word, names)
    if near is not None:
        return f"; did you mean {quote(near)}?"
    if not names:
        return "; there are none"
    shown = ", ".join(names[:limit])
    return f"; known are: {shown}" + (f" and {len(names) - limit} more" if len(names) > limit else "")


def fold(name: str) -> str:
    """A name without case and punctuation: what differs only there is one name to a person or a disk."""
    return re.sub(r"[^a-z0-9]", "", name.lower())
