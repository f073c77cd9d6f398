"""How long a service wants to be left alone, whatever its headers hold."""

from __future__ import annotations

import math
import re
from email.utils import parsedate_to_datetime

LONGEST = 3600.0
"""Seconds that are believed: the limits of GitHub and of Linear begin anew each hour, so that more is a damaged answer, and
asking once an hour whether it holds harms nobody."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def number_of(text: str | None) -> float | None:
    """A number that is no less than 0, ``None`` for anything else."""
    text = (text or "").strip()
    found = float(text) if _NUMBER.fullmatch(text) else math.inf
    return found if math.isfinite(found) else None


def seconds_of(retry_after: str | None, now: float) -> float | None:
    """Seconds by a ``Retry-After``, a number or a date as RFC 9110 (10.2.3) has it; ``None`` where it says neither."""
    seconds = number_of(retry_after)
    if seconds is None:
        try:
            seconds = parsedate_to_datetime(retry_after or "").timestamp() - now
        except (ValueError, TypeError, OverflowError):
            return None
    return believed(seconds)


def believed(seconds: float) -> float:
    """``seconds`` within what a service can mean."""
    return min(max(0.0, seconds), LONGEST)
