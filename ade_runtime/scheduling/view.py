"""Schedules and firings as callers see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated.models.types import Schedule, ScheduleFiring, ScheduleTime
from ade_runtime.scheduling import times
from ade_runtime.scheduling.records import MACHINE, WAITING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from ade_runtime.scheduling.records import Firing
    from ade_runtime.scheduling.records import Schedule as Record
    from ade_runtime.services import Services

BRIEF, ABOUT = 80, 40
"""Characters of a result, and of what a schedule is about, in a list."""


@dataclass(frozen=True, slots=True)
class Around:
    """What schedules are shown with: what is paused, and titles and lanes of what they wake, by its session."""

    pauses: frozenset[str]
    titles: dict[str, str | None]
    lanes: dict[str, str | None]
    names: dict[str, str]


async def around(services: Services, records: Sequence[Record]) -> Around:
    """Look up what is shown beside some schedules."""
    from ade_runtime.agents import store as agents
    from ade_runtime.chat import store as chats

    wanted = {one.session for one in records if one.session is not None}
    pauses = await services.schedules.pauses()
    titles: dict[str, str | None] = {}
    lanes: dict[str, str | None] = {}
    if wanted:
        found = await services.database.read(lambda db: chats.titles(db, wanted))
        held = await services.database.read(lambda db: agents.labels(db, wanted - found.keys()))
        titles = {name: title for name, (title, _) in (found | held).items()}
        lanes = {name: lane for name, (_, lane) in (found | held).items()}
    named = [*lanes.values(), *(one.lane for one in records if one.session is None)]
    return Around(pauses, titles, lanes, await services.lanes.names(named))


def schedule_told(record: Record, beside: Around, now: datetime) -> Schedule:
    """A schedule; its lane is the one of the chat or agent that it wakes, else the one its action works in."""
    upcoming = record.next_at if record.state in WAITING else None
    lane = record.lane if record.session is None else beside.lanes.get(record.session)
    known = lane is not None and lane in beside.names
    return Schedule(
        id=record.id,
        state=record.state,
        kind=record.kind,
        when=record.expression,
        zone=record.zone,
        session=record.session,
        title=beside.titles.get(record.session or ""),
        lane=beside.names[lane] if known and lane is not None else None,
        lane_id=lane if known else None,
        prompt=record.prompt,
        action=record.action,
        arguments=record.arguments,
        reason=record.reason,
        about=shortened(record.reason or record.prompt or record.action or "", ABOUT),
        recurring=record.recurring,
        catch_up=record.catch_up,
        max_age_seconds=record.max_age,
        paused_by=_paused_by(record, beside.pauses),
        next=None if upcoming is None else time_told(upcoming, now, times.zone_named(record.zone)),
        last=record.last,
        fired=record.fired,
        created_by=record.identity,
        created_at=record.created_at,
    )


def _paused_by(record: Record, pauses: frozenset[str]) -> Literal["schedule", "session", "machine"] | None:
    if record.state == "paused":
        return "schedule"
    if record.state not in WAITING or not pauses:
        return None
    if record.session in pauses:
        return "session"
    return "machine" if MACHINE in pauses else None


def time_told(instant: datetime, now: datetime, zone: ZoneInfo) -> ScheduleTime:
    """An instant in UTC, in a zone, and in words."""
    return ScheduleTime(
        at=instant.astimezone(UTC),
        local=times.local_text(instant, zone),
        words=times.words(instant, now, zone),
    )


def firing_told(firing: Firing) -> ScheduleFiring:
    """A firing."""
    return ScheduleFiring(
        id=firing.id,
        schedule=firing.schedule,
        state=firing.state,
        due_at=firing.due_at,
        fired_at=firing.fired_at,
        late_seconds=firing.late_seconds,
        missed=firing.missed,
        attempts=firing.attempts,
        result=firing.result,
        summary=brief(firing.result),
    )


def brief(result: str | None) -> str | None:
    """A result in a few words: how many there are of a list, what an object says first, else the beginning of the text."""
    if result is None:
        return None
    try:
        found: Any = orjson.loads(result)
    except orjson.JSONDecodeError:
        found = None
    return shortened(_in_words(found) if isinstance(found, dict) else result, BRIEF)


def shortened(text: str, most: int) -> str:
    """A text in one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _in_words(document: dict[str, Any]) -> str:
    items, total = document.get("items"), document.get("total")
    if isinstance(items, list):
        count = total if isinstance(total, int) else len(items)
        return "1 item" if count == 1 else f"{count} items"
    plain = {
        name: value
        for name, value in document.items()
        if isinstance(value, str | int | float) and value != ""
    }
    return ", ".join(f"{name} {_word(value)}" for name, value in plain.items()) or "done"


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
