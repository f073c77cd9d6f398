"""Whether a delivery comes from Linear, now, by what Linear's documentation of webhooks says."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

import orjson

NEWEST_SECONDS = 60
"""How far the time in a delivery may be from now."""

_ID = re.compile(r"[A-Za-z0-9-]{8,100}")


class Rejected(Exception):
    """Why a delivery is not taken, and with which HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def check_signature(secret: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Raise :class:`Rejected` unless the signature is that of exactly these bytes."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    given = headers.get("linear-signature", "").strip().lower()
    if not hmac.compare_digest(expected.encode(), given.encode()):
        raise Rejected(401, "the signature is wrong")


def read_delivery(body: bytes, headers: Mapping[str, str], now: float) -> tuple[str, dict[str, Any]]:
    """The id and the document of a delivery whose signature is right; ``now`` is in seconds since the epoch."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Rejected(400, "it is no JSON") from None
    if not isinstance(document, dict):
        raise Rejected(400, "it is no JSON object")
    stamp = document.get("webhookTimestamp")
    if not isinstance(stamp, int) or isinstance(stamp, bool) or abs(stamp / 1000 - now) > NEWEST_SECONDS:
        raise Rejected(401, "its time is not now")
    identifier = headers.get("linear-delivery", "").strip()
    if not _ID.fullmatch(identifier):
        raise Rejected(400, "it lacks its id")
    return identifier, document
