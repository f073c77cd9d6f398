"""Zones and instants: reading those that people write, and saying them the way people read them."""

from __future__ import annotations

import re
import zoneinfo
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from ade_generated import errors
from ade_runtime.rfc3339 import is_date_time

PUNCTUAL = timedelta(seconds=60)
"""What is this late is not said to be: a busy machine, not one that was off."""

HORIZON = timedelta(days=731)
"""Nothing is scheduled further ahead: a year that was mistyped is likelier than a promise for it."""

_YEARS = range(1970, 9991)
"""Far enough from both ends of the calendar that a search and a change of zone stay inside."""

_FOLLOWS_MACHINE = frozenset({"localtime", "posixrules"})
"""Files beside the zones that stand for the machine's own: another zone after the machine has moved."""

_BARE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(\.[0-9]+)?")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def machine_zone() -> str:
    """IANA name of the machine's zone now, wherever it was when the runtime began; ``UTC`` where it cannot be told."""
    import tzlocal

    try:
        tzlocal.reload_localzone()
        return tzlocal.get_localzone_name() or "UTC"
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, LookupError):
        return "UTC"


@lru_cache(64)
def zone_named(name: str) -> zoneinfo.ZoneInfo:
    """The zone; raises ``unknown_zone``."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise errors.UnknownZone(zone=name) from None


def zone_asked(name: str) -> zoneinfo.ZoneInfo:
    """The zone that somebody names. Raises ``unknown_zone``, also for a name that means whatever the machine is set to, and
    suggests the name that differs in capitals alone."""
    if name in _FOLLOWS_MACHINE:
        raise errors.UnknownZone(zone=name)
    try:
        return zone_named(name)
    except errors.UnknownZone:
        meant = [one for one in zoneinfo.available_timezones() if one.lower() == name.lower()]
        hint = f"Did you mean {meant[0]}?" if meant else None
        raise errors.UnknownZone(zone=name, hint=hint) from None


def read_instant(text: str, now: datetime, zone: zoneinfo.ZoneInfo) -> datetime:
    """An instant with its offset, in UTC; raises ``invalid_instant`` with the text corrected where it lacks one."""
    if is_date_time(text):
        read = datetime.fromisoformat(text.upper())
        if read.year not in _YEARS:
            reason = f"its year is not from {_YEARS[0]} to {_YEARS[-1]}"
            raise errors.InvalidInstant(instant=text, reason=reason, advice="Give one that is nearer.")
        return read.astimezone(UTC)
    bare = _BARE.fullmatch(text.strip())
    if bare is not None:
        full = f"{bare[1]}T{bare[2]}{bare[3] or ':00'}"
        try:
            meant = datetime.fromisoformat(full).replace(tzinfo=zone)
        except ValueError:
            pass
        else:
            raise errors.InvalidInstant(
                instant=text,
                reason="it does not say in which zone it is",
                advice=f"Write {meant.isoformat()} for {zone.key}, or {full}Z for UTC.",
            )
    advice = f"Write it like {now.astimezone(zone).replace(microsecond=0).isoformat()}."
    raise errors.InvalidInstant(instant=text, reason="it is no date and time of the calendar", advice=advice)


def check_ahead(text: str, instant: datetime, now: datetime) -> None:
    """Refuse what has passed and what is absurdly far; raises ``invalid_instant``."""
    if instant <= now:
        reason, advice = (
            "it has passed",
            f"It is {now.replace(microsecond=0).isoformat()} now; give a later one.",
        )
        raise errors.InvalidInstant(instant=text, reason=reason, advice=advice)
    if instant - now > HORIZON:
        reason, advice = (
            "it is more than two years ahead",
            "Nothing is scheduled further ahead; give an earlier one.",
        )
        raise errors.InvalidInstant(instant=text, reason=reason, advice=advice)


def local_text(instant: datetime, zone: zoneinfo.ZoneInfo) -> str:
    """ISO 8601 in the zone, with its offset."""
    return instant.astimezone(zone).replace(microsecond=0).isoformat()


def words(instant: datetime, now: datetime, zone: zoneinfo.ZoneInfo) -> str:
    """``in 12 minutes, Tue 1 Dec 09:00 CET``."""
    local = instant.astimezone(zone)
    year = f" {local.year}" if local.year != now.astimezone(zone).year else ""
    day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}{year}"
    return f"{distance(instant - now)}, {day} {local:%H:%M} {local.tzname()}"


def distance(ahead: timedelta) -> str:
    """``in 12 minutes``, ``in 2 h 30 min``, ``3 days ago``, ``now``."""
    if abs(ahead) < timedelta(milliseconds=500):
        return "now"
    return f"in {span(ahead)}" if ahead > timedelta(0) else f"{span(ahead)} ago"


_UNITS = ((86400, "day", "d"), (3600, "hour", "h"), (60, "minute", "min"), (1, "second", "s"))
_STEPS = ((14 * 86400, 86400), (86400, 3600), (600, 60))
"""From how many seconds on, what it is rounded to: nobody reads the minutes of a week."""


def span(length: timedelta) -> str:
    """How long it is, in one unit or two: ``12 minutes``, ``2 h 30 min``, ``3 d 4 h``, ``90 days``."""
    seconds = max(1, int(abs(length).total_seconds() + 0.5))
    step = next((step for least, step in _STEPS if seconds >= least), 1)
    left = (seconds + step // 2) // step * step
    parts = []
    for size, word, short in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append((count, word, short))
    if len(parts) == 1:
        count, word, _ = parts[0]
        return f"{count} {word}{'s' if count != 1 else ''}"
    return " ".join(f"{count} {short}" for count, _, short in parts[:2])


def span_text(seconds: int) -> str:
    """``2h30m`` for 9000."""
    parts = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
