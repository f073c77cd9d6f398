"""Reading values from the words of a line."""

from __future__ import annotations

import pytest

from ade_runtime.cli.values import read_value


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("12m", 720),
        ("2h30m", 9000),
        ("3d", 259200),
        ("1d1h1m1s", 90061),
        ("720", 720),
        ("0s", 0),
    ],
)
def test_a_duration_is_whole_seconds(text: str, seconds: int) -> None:
    assert read_value("duration", text) == seconds


@pytest.mark.parametrize(
    "text", ["", "m", "12 m", "m12", "-5m", "1.5h", "5min", "30m2h", "99999999999", "٣m"]
)
def test_what_is_no_duration_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(ValueError, match="2h30m"):
        read_value("duration", text)
