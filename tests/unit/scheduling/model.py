"""A second model of cron, written from the daemon's own account of its main loop: it lives through every minute.

It keeps the time up to which jobs were run, and compares it with the wall clock each minute: one minute on is the common
case; a small jump forwards runs wildcard jobs now and the others for every minute that was jumped; a jump backwards runs
wildcard jobs only, until the clock has caught up; a large one starts afresh.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
EPOCH = datetime(1970, 1, 1)
THREE_HOURS = 180


class Walls:
    """The wall clock of ``zone`` at every minute of a window that begins at ``start`` (UTC)."""

    def __init__(self, zone: str, start: datetime, minutes: int) -> None:
        self.instants = [start + n * MINUTE for n in range(minutes)]
        local = [instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0) for instant in self.instants]
        self.walls = [(wall - EPOCH) // MINUTE for wall in local]


def firings(expression: str, walls: Walls) -> list[datetime]:
    """Every instant of the window at which the daemon would run the job."""
    job = _Job(expression)
    virtual = walls.walls[0] - 1
    found = []
    for instant, wall in zip(walls.instants, walls.walls, strict=True):
        ahead = wall - virtual
        if ahead == 1 or ahead > THREE_HOURS or ahead <= -THREE_HOURS:
            virtual = wall
            fires = job.matches(wall)
        elif ahead > 0:
            missed = any(job.matches(minute) for minute in range(virtual + 1, wall + 1))
            fires = job.matches(wall) if job.wildcard else missed
            virtual = wall
        else:
            fires = job.wildcard and job.matches(wall)
        if fires:
            found.append(instant.astimezone(UTC))
    return found


class _Job:
    def __init__(self, expression: str) -> None:
        minute, hour, day, month, weekday = expression.split()
        self.wildcard = minute[0] == "*" or hour[0] == "*"
        self.both = day[0] == "*" or weekday[0] == "*"
        self.minutes, self.hours = _numbers(minute, 0, 59), _numbers(hour, 0, 23)
        self.days, self.months = _numbers(day, 1, 31), _numbers(month, 1, 12)
        self.weekdays = {number % 7 for number in _numbers(weekday, 0, 7)}

    def matches(self, wall: int) -> bool:
        if wall % 60 not in self.minutes or wall // 60 % 24 not in self.hours:
            return False
        date = EPOCH + timedelta(minutes=wall)
        days = [date.day in self.days, date.isoweekday() % 7 in self.weekdays]
        return date.month in self.months and (all(days) if self.both else any(days))


def _numbers(field: str, low: int, high: int) -> set[int]:
    found: set[int] = set()
    for item in field.split(","):
        span, _, step = item.partition("/")
        first, _, last = (f"{low}-{high}" if span == "*" else span).partition("-")
        found.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return found
