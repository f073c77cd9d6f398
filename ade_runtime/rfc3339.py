"""Which texts are a ``date`` and which a ``date-time``: one rule for models, JSON Schemas and spec checks.

The rule is RFC 3339, section 5.6, within what Python's calendar can hold: years 0001 to 9999, no leap
second, at most nine digits after the second. ``T`` and ``Z`` may be small letters; a blank in their place,
or a missing zone, is refused.
"""

from __future__ import annotations

import re
from datetime import date

_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
_ZONE = r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_FULL_DATE = re.compile(_DATE)
_DATE_TIME = re.compile(f"{_DATE}[Tt]{_TIME}{_ZONE}")


def is_date(text: str) -> bool:
    """Whether the text is a ``full-date`` such as 2026-01-31."""
    found = _FULL_DATE.fullmatch(text)
    return found is not None and _in_calendar(found)


def is_date_time(text: str) -> bool:
    """Whether the text is a ``date-time`` with its zone, such as 2026-01-31T09:30:00Z."""
    found = _DATE_TIME.fullmatch(text)
    return found is not None and _in_calendar(found)


def _in_calendar(found: re.Match[str]) -> bool:
    try:
        date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return False
    return True
