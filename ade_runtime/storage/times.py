"""Between the milliseconds in tables and the instants everything else uses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_ms(instant: datetime) -> int:
    """Milliseconds since the epoch; ``instant`` must be aware."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def from_ms(value: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=value)
