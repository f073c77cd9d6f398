"""Which deliveries count: signed over exactly their bytes, at this time, with an id."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from ade_runtime.linear_sync.signature import NEWEST_SECONDS, Rejected, check_signature, read_delivery

NOW = 1_800_000_000.0
SECRET = "a secret"
BODY = b'{"type": "Issue", "webhookTimestamp": 1800000000000}'
SIGNED = hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()
DELIVERY = {"linear-delivery": "0b1c2d3e-0000-4000-8000-000000000000"}


@pytest.mark.parametrize("signature", [SIGNED, SIGNED.upper(), f" {SIGNED} "])
def test_the_signature_of_these_bytes_is_taken(signature: str) -> None:
    check_signature(SECRET, BODY, {"linear-signature": signature})


@pytest.mark.parametrize(
    ("secret", "body", "signature"),
    [
        (SECRET, BODY, ""),
        (SECRET, BODY, SIGNED[:-1]),
        (SECRET, BODY, SIGNED + "0"),
        (SECRET, BODY, "\u00fc" * 64),
        (SECRET, BODY + b" ", SIGNED),
        (SECRET, BODY.replace(b"Issue", b"issue"), SIGNED),
        ("another secret", BODY, SIGNED),
        (SECRET, b"", SIGNED),
    ],
)
def test_any_other_is_not(secret: str, body: bytes, signature: str) -> None:
    with pytest.raises(Rejected) as refused:
        check_signature(secret, body, {"linear-signature": signature})
    assert refused.value.status == 401
    with pytest.raises(Rejected):
        check_signature(secret, body, {})


def test_no_bit_of_a_signed_delivery_may_differ() -> None:
    for place in range(len(BODY) * 8):
        other = bytearray(BODY)
        other[place // 8] ^= 1 << place % 8
        with pytest.raises(Rejected):
            check_signature(SECRET, bytes(other), {"linear-signature": SIGNED})


@pytest.mark.parametrize("seconds", [0, NEWEST_SECONDS, -NEWEST_SECONDS])
def test_a_delivery_of_now_is_read(seconds: float) -> None:
    identifier, document = read_delivery(BODY, DELIVERY, NOW + seconds)
    assert (identifier, document["type"]) == (DELIVERY["linear-delivery"], "Issue")


@pytest.mark.parametrize("seconds", [NEWEST_SECONDS + 1, -NEWEST_SECONDS - 1, 30 * 86_400])
def test_one_of_another_time_is_a_replay(seconds: float) -> None:
    with pytest.raises(Rejected, match="its time is not now"):
        read_delivery(BODY, DELIVERY, NOW + seconds)


@pytest.mark.parametrize("stamp", [None, "1800000000000", True, 1.8e12, 1_800_000_000, -1, 2**63, [1]])
def test_a_time_that_is_none_is_refused(stamp: Any) -> None:
    with pytest.raises(Rejected):
        read_delivery(json.dumps({"webhookTimestamp": stamp}).encode(), DELIVERY, NOW)


@pytest.mark.parametrize(
    "identifier", ["", "short", "x" * 101, "with blank here", "line\nend0000", "../../etc"]
)
def test_an_id_that_is_none_is_refused(identifier: str) -> None:
    with pytest.raises(Rejected) as refused:
        read_delivery(BODY, {"linear-delivery": identifier}, NOW)
    assert refused.value.status == 400
