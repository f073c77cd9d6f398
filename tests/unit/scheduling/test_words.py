"""How long things take and what came of them, in words."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.scheduling.times import distance, span, words
from ade_runtime.scheduling.view import BRIEF, brief

MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "1 second"),
        (59, "59 seconds"),
        (90, "1 min 30 s"),
        (5 * MINUTE, "5 minutes"),
        (12 * MINUTE, "12 minutes"),
        (12 * MINUTE + 29, "12 minutes"),
        (59 * MINUTE + 31, "1 hour"),
        (2 * HOUR, "2 hours"),
        (2 * HOUR + 30 * MINUTE, "2 h 30 min"),
        (2 * HOUR + 29 * MINUTE + 59.9, "2 h 30 min"),
        (23 * HOUR + 59 * MINUTE + 40, "1 day"),
        (DAY + HOUR, "1 d 1 h"),
        (3 * DAY + 29 * MINUTE, "3 days"),
        (3 * DAY + 4 * HOUR, "3 d 4 h"),
        (14 * DAY + 5 * HOUR, "14 days"),
        (90 * DAY + 13 * HOUR, "91 days"),
    ],
)
def test_a_span_is_said_in_one_unit_or_two(seconds: float, text: str) -> None:
    length = timedelta(seconds=seconds)
    assert span(length) == span(-length) == text
    assert distance(length) == f"in {text}"
    assert distance(-length) == f"{text} ago"


def test_what_is_due_is_now() -> None:
    assert distance(timedelta(0)) == distance(timedelta(milliseconds=-400)) == "now"


@given(st.integers(1, 800 * DAY))
def test_what_is_said_is_near_what_it_is(seconds: int) -> None:
    sizes = {
        "d": DAY,
        "day": DAY,
        "h": HOUR,
        "hour": HOUR,
        "min": MINUTE,
        "minute": MINUTE,
        "s": 1,
        "second": 1,
    }
    said = span(timedelta(seconds=seconds)).split()
    meant = sum(
        int(count) * sizes[unit if unit in sizes else unit[:-1]]
        for count, unit in zip(said[::2], said[1::2], strict=True)
    )
    assert abs(meant - seconds) <= max(0.05 * seconds, 0 if seconds < 600 else 30)


def test_the_next_run_is_said_with_its_day_and_zone() -> None:
    now = datetime(2026, 12, 1, 6, 30, tzinfo=UTC)
    said = words(now + timedelta(hours=2, minutes=30), now, ZoneInfo("Europe/Berlin"))
    assert said == "in 2 h 30 min, Tue 1 Dec 10:00 CET"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, None),
        ("told the chat", "told the chat"),
        ('{"items": [{"a": 1}], "total": 1, "next": null}', "1 item"),
        ('{"items": [], "total": 0, "next": null}', "0 items"),
        ('{"items": [1, 2], "next": null}', "2 items"),
        ('{"branch": "main", "ahead": 2, "dirty": false, "files": []}', "branch main, ahead 2, dirty no"),
        ('{"notes": []}', "done"),
        ('{"cut off": "half a docum', '{"cut off": "half a docum'),
        ("two\nlines", "two lines"),
    ],
)
def test_a_result_is_told_in_a_few_words(result: str | None, text: str | None) -> None:
    assert brief(result) == text


def test_a_long_result_is_cut_and_says_so() -> None:
    told = brief(json.dumps({"text": "word " * 100}))
    assert told is not None and len(told) <= BRIEF and told.endswith("…")
