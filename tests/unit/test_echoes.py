"""What a server repeats of a secret is taken out, whatever it was coded as."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from ade_runtime.integrations.echoes import HIDDEN, without

SECRET = "a+b/c=Secret-of-no-known-form"


@pytest.mark.parametrize(
    "said",
    [
        SECRET,
        quote(SECRET, safe=""),
        SECRET.encode().hex(),
        *(base64.b64encode(f"{user}:{SECRET}".encode()).decode() for user in ("", "x", "xy", "xyz")),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_is_taken_out(said: str) -> None:
    told = without(f"Bad: {said}, it said", SECRET)
    assert HIDDEN in told
    assert told.startswith("Bad: ") and told.endswith(", it said")
    assert len(told) <= len("Bad: , it said") + len(HIDDEN) + 12, "hardly more than the ends is left"


def test_text_without_it_stays_and_what_is_no_secret_is_not_looked_for() -> None:
    assert without("Nothing here", SECRET) == "Nothing here"
    assert without("a banana", "a") == "a banana"
