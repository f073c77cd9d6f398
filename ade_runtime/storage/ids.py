"""Ids of stored things: a prefix that says what it is, and 60 random bits."""

from __future__ import annotations

import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 12


def new_id(prefix: str) -> str:
    """``prefix_`` and twelve letters and digits without ``i l o u``, which are easily misread or spell
    words."""
    return f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def is_id(text: str, prefix: str) -> bool:
    """Whether ``text`` has the form that :func:`new_id` gives for ``prefix``."""
    head, _, tail = text.partition("_")
    return head == prefix and len(tail) == LENGTH and all(c in _ALPHABET for c in tail)
