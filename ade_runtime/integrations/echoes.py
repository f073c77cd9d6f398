"""Servers that repeat in a refusal what they were sent: the secret that went with a request is taken out of what is told.

Secrets of a known form are found by :mod:`ade_runtime.redaction`; which of any form was sent, only the sender knows.
"""

from __future__ import annotations

import base64
from urllib.parse import quote, quote_plus

HIDDEN = "[redacted]"
SHORTEST = 6
"""Characters of what is taken for a secret: less would be found in words."""


def without(text: str, secret: str) -> str:
    """The text without the secret as it is, in a URL, in hexadecimal, and in base64 wherever in what was coded it stood."""
    if len(secret) < SHORTEST:
        return text
    for form in sorted(_forms(secret), key=len, reverse=True):
        text = text.replace(form, HIDDEN)
    return text


def _forms(secret: str) -> set[str]:
    raw = secret.encode()
    found = {secret, raw.hex(), raw.hex().upper()}
    found |= {quote(secret, safe=""), quote(secret), quote_plus(secret)}
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        # the characters at both ends hold bits of what stands beside the secret, too
        inner = coded[4 if before else 0 : -2]
        found |= {inner, inner.replace("+", "-").replace("/", "_")}
    return {form for form in found if len(form) >= SHORTEST}
