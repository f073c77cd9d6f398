"""Where a reader is: the runtime start it read from and the last sequence number it has seen, as one opaque text."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from ade_generated import errors

_FORM = re.compile("([0-9a-f]{12})-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Cursor:
    """``epoch`` names one start of a runtime; ``seq`` is the last event that was returned, or looked at without a match."""

    epoch: str
    seq: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.seq}"


def new_epoch() -> str:
    """A name for a start of a runtime that no other start has."""
    return secrets.token_hex(6)


def read_cursor(text: str) -> Cursor:
    """The cursor that ``text`` spells; raises ``invalid_cursor`` for what no answer ever gave."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise errors.InvalidCursor(cursor=text[:200])
    return Cursor(found[1], int(found[2]))
