"""Cron expressions against a table of right answers and against a model that lives through every minute."""

from __future__ import annotations

import os
import random
import zoneinfo
from calendar import isleap
from datetime import UTC, date, datetime, time, timedelta

import pytest

from ade_runtime.scheduling.cron import Cron, CronError
from tests.unit.scheduling.cases import ACCEPTED, FIRINGS, REFUSED
from tests.unit.scheduling.model import MINUTE, Walls, firings

TRIPLES = int(os.environ.get("ADE_TEST_CRON_TRIPLES", "4000"))
"""How many random triples are held against the model; the full number is 100000."""

INSTANTS_A_WINDOW = 20
WINDOW = 4 * 24 * 60


@pytest.mark.parametrize(("expression", "zone", "after", "expected", "why"), FIRINGS)
def test_the_next_three_firings_are_right(
    expression: str, zone: str, after: str, expected: tuple[str, ...], why: str
) -> None:
    cron, instant, found = Cron.parse(expression), datetime.fromisoformat(after), []
    for _ in expected:
        instant = cron.next_after(instant, zoneinfo.ZoneInfo(zone)) or instant
        found.append(instant.strftime("%Y-%m-%dT%H:%MZ"))
    assert tuple(found) == expected, why


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_not_the_language_is_refused_with_a_reason(expression: str) -> None:
    with pytest.raises(CronError) as caught:
        Cron.parse(expression)
    assert len(str(caught.value)) > 10


@pytest.mark.parametrize("expression", ACCEPTED)
def test_what_is_the_language_is_accepted_and_fires(expression: str) -> None:
    after = datetime(2026, 11, 30, tzinfo=UTC)
    assert (Cron.parse(expression).next_after(after, UTC) or after) > after


@pytest.mark.parametrize(
    ("expression", "advice"),
    [
        ("5/10 * * * *", "5-59/10"),
        ("0 0 * * sat-sun", "6-7"),
        ("10-5 * * * *", "10-59,0-5"),
        ("0 9 * * * *", "seconds"),
        ("@every 5m", "*/5"),
    ],
)
def test_a_refusal_says_what_to_write(expression: str, advice: str) -> None:
    with pytest.raises(CronError, match=advice.replace("*", r"\*")):
        Cron.parse(expression)


def test_random_triples_agree_with_a_model_that_lives_through_every_minute() -> None:
    seed = int(os.environ.get("ADE_TEST_SEED", "20261130"))
    dice = random.Random(seed)
    zones = sorted(zoneinfo.available_timezones())
    checked = 0
    while checked < TRIPLES:
        zone = dice.choice(zones)
        walls = Walls(zone, _window(zone, dice), WINDOW)
        for expression in (_expression(dice) for _ in range(3)):
            _compare(expression, zone, walls, dice)
            checked += INSTANTS_A_WINDOW


def _compare(expression: str, zone: str, walls: Walls, dice: random.Random) -> None:
    cron, fired = Cron.parse(expression), firings(expression, walls)
    day = 24 * 60
    for _ in range(INSTANTS_A_WINDOW):
        after = walls.instants[dice.randrange(day, WINDOW - 1)] + timedelta(
            seconds=dice.choice([0, 0, 1, 59])
        )
        expected = next((instant for instant in fired if instant > after), None)
        found = cron.next_after(after, zoneinfo.ZoneInfo(zone))
        if expected is None and found is not None and found > walls.instants[-1]:
            continue
        assert found == expected, f"{expression!r} in {zone} after {after.isoformat()}"


def _window(zone: str, dice: random.Random) -> datetime:
    """The start of a window, in nine of ten cases around a change of the zone's clock."""
    start = datetime(2000, 1, 1, tzinfo=UTC) + dice.randrange(365 * 38) * timedelta(days=1)
    if dice.random() < 0.9:
        where, offset = zoneinfo.ZoneInfo(zone), None
        for n in range(400):
            probe = start + n * timedelta(days=1)
            here = probe.astimezone(where).utcoffset()
            if offset is not None and here != offset:
                return probe - dice.randrange(36 * 60, 60 * 60) * MINUTE
            offset = here
    return start


def _expression(dice: random.Random) -> str:
    hour = dice.choice(
        ["*", "*/2", "*/5", "0-4", "1", "2", "3", "0", "23", "1,2", "22-23", "*/7,3", str(dice.randrange(24))]
    )
    minute = dice.choice(
        ["*", "*/10", "*/15", "0", "30", "15,45", "5-10", "*/7,3", "59", str(dice.randrange(60))]
    )
    day = dice.choice(["*", "*", "*", "*/2", "1-15", str(dice.randrange(1, 29))])
    month = dice.choice(["*", "*", "*", "*/3", "3,4,9-11"])
    weekday = dice.choice(["*", "*", "*", "*/2", "1-5", "0", "7", "6-7"])
    return f"{minute} {hour} {day} {month} {weekday}"


def test_a_leap_day_on_one_weekday_is_found_across_a_century_without_one() -> None:
    sundays = [
        date(year, 2, 29)
        for year in range(2077, 2130)
        if isleap(year) and date(year, 2, 29).isoweekday() == 7
    ]
    found = Cron.parse("0 0 29 2 */8").next_after(datetime(2076, 3, 1, tzinfo=UTC), UTC)
    assert found == datetime.combine(sundays[0], time(), UTC)


def test_the_end_of_the_calendar_ends_the_search() -> None:
    assert Cron.parse("0 0 29 2 *").next_after(datetime(9997, 1, 1, tzinfo=UTC), UTC) is None
