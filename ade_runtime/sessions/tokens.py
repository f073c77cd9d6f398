"""Session tokens: made once, given once, kept only as a hash."""

from __future__ import annotations

import hashlib
import hmac
import secrets

PREFIX = "adest_"
"""Begins every token, so that programs which look for leaked secrets can tell one."""

RANDOM_BYTES = 32
LONGEST = 200


def mint() -> str:
    """A new token with 256 random bits."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def digest(token: str) -> str:
    """SHA-256 of a token, as it is stored. A text that cannot be a token gives the hash of nothing a token could be."""
    if not token.startswith(PREFIX) or len(token) > LONGEST:
        return ""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two hashes are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
