"""Cron expressions: what they say, and when they fire next.

The language is that of crontab(5): five fields (minute, hour, day of month, month, day of week) of numbers, three-letter
names, ranges, steps and lists, or one of the ``@`` shortcuts. At a change of the clock the rules are those of Debian's
cron 3.0, cron(8):

* a job whose minute or hour starts with ``*`` follows the wall clock as it really runs;
* any other job is meant for a time of day: skipped by a change of less than three hours it fires once, right after
  the change; repeated by one of up to three hours it fires the first time only;
* a larger change is a correction of the calendar, and every job follows the new time.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

SHORTCUTS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
CORRECTION = timedelta(hours=3)
"""From here on a change is a correction. The daemon counts a change of exactly so much as one only forwards."""
SEARCHED_YEARS = 41
"""A 29 February on a given weekday may be forty years away, across a century that is no leap year."""
LONGEST = 256

_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class CronError(ValueError):
    """An expression that cannot be accepted. The message says which field and why, and what to write where that is clear."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of week", 0, 7, _WEEKDAYS),
)
_ITEM = re.compile(r"(?:\*|([0-9]+|[a-z]{3})(?:-([0-9]+|[a-z]{3}))?)(?:/([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Cron:
    """A checked expression. ``weekdays`` counts from 0, Sunday, to 6."""

    expression: str
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    wildcard: bool
    both_days: bool

    @classmethod
    def parse(cls, text: str) -> Cron:
        """Read an expression.

        Raises:
            CronError: it is not one, or the date it names does not exist.
        """
        words = _spelled_out(text)
        minutes, hours, days, months, weekdays = (
            _read(word, field) for word, field in zip(words, _FIELDS, strict=True)
        )
        cron = cls(
            expression=" ".join(_words(text)),
            minutes=tuple(sorted(minutes)),
            hours=tuple(sorted(hours)),
            days=frozenset(days),
            months=frozenset(months),
            weekdays=frozenset(day % 7 for day in weekdays),
            wildcard=words[0].startswith("*") or words[1].startswith("*"),
            both_days=words[2].startswith("*") or words[4].startswith("*"),
        )
        cron._refuse_impossible()
        return cron

    def fires_on(self, day: date) -> bool:
        """Whether a local date is one of the job's."""
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return (of_month and of_week) if self.both_days else (of_month or of_week)

    def next_after(self, instant: datetime, zone: tzinfo) -> datetime | None:
        """The first firing strictly later than ``instant``, in UTC; None if there is none within forty years."""
        after = instant.astimezone(UTC)
        for day in self._days_from(after.astimezone(zone).date() - 2 * _DAY):
            found = self._first_on(day, after, zone)
            if found is not None:
                # Around a change of the clock a later date may come round first.
                later = [
                    self._first_on(day + n * _DAY, after, zone)
                    for n in (1, 2)
                    if self.fires_on(day + n * _DAY)
                ]
                return min([found, *(other for other in later if other is not None)])
        return None

    def _days_from(self, day: date) -> Iterator[date]:
        last_year = min(day.year + SEARCHED_YEARS, date.max.year - 1)
        while day.year <= last_year:
            if day.month not in self.months:
                day = (day.replace(day=1) + 32 * _DAY).replace(day=1)
                continue
            if self.fires_on(day):
                yield day
            day += _DAY

    def _first_on(self, day: date, after: datetime, zone: tzinfo) -> datetime | None:
        steady = _steady_offset(day, zone)
        found: datetime | None = None
        for hour in self.hours:
            for minute in self.minutes:
                wall = datetime.combine(day, time(hour, minute))
                if steady is not None:
                    instant = wall.replace(tzinfo=UTC) - steady
                    if instant > after:
                        return instant
                    continue
                for instant in _instants(wall, zone, self.wildcard):
                    if instant > after and (found is None or instant < found):
                        found = instant
        return found

    def _refuse_impossible(self) -> None:
        if not self.both_days or any(day <= _longest(month) for month in self.months for day in self.days):
            return
        days = ", ".join(str(day) for day in sorted(self.days))
        raise CronError(f"no month it names has a day {days}, so it would never run")


def _words(text: str) -> list[str]:
    """The fields of an expression; only blanks and tabs part them."""
    return re.split("[ \t]+", text.strip(" \t")) if text.strip(" \t") else []


def _spelled_out(text: str) -> list[str]:
    if len(text) > LONGEST:
        raise CronError(f"it is longer than {LONGEST} characters")
    words = _words(text)
    if not words:
        raise CronError("it is empty; write five fields, such as 0 9 * * 1-5")
    if words[0].startswith("@"):
        return _shortcut(words)
    if len(words) < 5:
        raise CronError(
            f"it has {len(words)} of five fields: minute, hour, day of month, month and day of week are needed"
        )
    if len(words) > 5:
        hint = (
            "comments do not belong to it"
            if words[5].startswith("#")
            else "seconds and years are not supported"
        )
        raise CronError(f"it has {len(words)} fields and takes five; {hint}")
    return words


def _shortcut(words: list[str]) -> list[str]:
    name = words[0].lower()
    if name == "@every":
        raise CronError("@every is not cron; write a step such as */5 * * * *, or a delay such as 5m")
    if name == "@reboot":
        raise CronError("@reboot names no time")
    if name not in SHORTCUTS or len(words) > 1:
        raise CronError(f"the shortcuts are {', '.join(SHORTCUTS)}, each alone")
    return SHORTCUTS[name].split()


def _read(word: str, field: _Field) -> set[int]:
    found: set[int] = set()
    for item in word.split(","):
        if not item:
            raise CronError(f"the {field.name} has an empty item in its list: {word}")
        found |= _read_item(item, field)
    return found


def _read_item(item: str, field: _Field) -> set[int]:
    match = _ITEM.fullmatch(item.lower())
    if match is None:
        names = f" or {field.names[0]} … {field.names[-1]}" if field.names else ""
        raise CronError(
            f"{item} is no {field.name}; write *, a number from {field.low} to {field.high}{names}, a range or a step"
        )
    first, last, step = match.groups()
    if step is not None and (int(step) < 1 or len(step) > 4):
        raise CronError(f"the step in {item} must be from 1 to 9999")
    if first is None:
        low, high = field.low, field.high
    else:
        low = _value(first, field)
        high = low if last is None else _value(last, field)
        if step is not None and last is None:
            raise CronError(f"a step needs a range: write {first}-{field.high}/{step} for {item}")
    if low > high:
        raise CronError(_backwards(item, low, high, field))
    return set(range(low, high + 1, int(step or 1)))


def _backwards(item: str, low: int, high: int, field: _Field) -> str:
    if field.high == 7 and high == 0:
        return f"the range {item} runs backwards; Sunday is 7 at its end: write {low}-7"
    return f"the range {item} runs backwards; write {low}-{field.high},{field.low}-{high}"


def _value(word: str, field: _Field) -> int:
    if word in field.names:
        return field.names.index(word) + field.low
    if not word.isdigit():
        names = f"; the names are {', '.join(field.names)}" if field.names else ""
        raise CronError(f"{word} is no {field.name}{names}")
    number = int(word)
    if not field.low <= number <= field.high:
        raise CronError(f"the {field.name} goes from {field.low} to {field.high}, and {word} is outside")
    return number


def _longest(month: int) -> int:
    return 29 if month == 2 else calendar.monthrange(2001, month)[1]


def _steady_offset(day: date, zone: tzinfo) -> timedelta | None:
    """The offset that holds all through a local day, or None when the clock changes near it."""
    offsets = {
        datetime.combine(edge, time(), zone).replace(fold=fold).utcoffset()
        for edge in (day, day + _DAY)
        for fold in (0, 1)
    }
    return offsets.pop() if len(offsets) == 1 else None


def _instants(wall: datetime, zone: tzinfo, wildcard: bool) -> list[datetime]:
    """When a wall time near a change of the clock counts, in UTC: none, one or two instants."""
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return [first]
    if first < second:  # the wall time is read twice
        both = wildcard or second - first > CORRECTION
        return [first, second] if both else [first]
    if wildcard or first - second >= CORRECTION:
        return []
    return [_end_of_gap(second, first, zone)]


def _end_of_gap(early: datetime, late: datetime, zone: tzinfo) -> datetime:
    """The instant between two others at which the offset of ``zone`` changes, to the minute."""
    before = early.astimezone(zone).utcoffset()
    steps = int((late - early) / _MINUTE)
    low, high = 0, steps
    while low < high:
        middle = (low + high) // 2
        if (early + middle * _MINUTE).astimezone(zone).utcoffset() == before:
            low = middle + 1
        else:
            high = middle
    return early + low * _MINUTE
