"""Who worked at which task from when to when, as bars on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ade_runtime.cli.clean import cells, clean_line
from ade_runtime.runs.document import Manifest

MARKS = {
    "succeeded": "█",
    "failed": "x",
    "interrupted": "!",
    "cancelled": "-",
    "superseded": "-",
    None: "▒",
}
"""What a bar is made of, by how the attempt ended; ``None`` for one that goes on."""

NARROWEST = 40
MOST_BESIDE = 20
LEGEND = "█ succeeded  ▒ goes on  x failed  ! interrupted  - cancelled or superseded"


@dataclass(frozen=True, slots=True)
class Span:
    """One attempt at a task. ``ended`` is ``None`` while it goes on."""

    task: str
    title: str
    attempt: str
    session: str
    agent: str
    started: datetime
    ended: datetime | None
    outcome: str | None


def spans(manifest: Manifest) -> list[Span]:
    """Every attempt, the earliest first."""
    names = {one["sessionId"]: one["displayName"] for one in manifest["agents"]}
    found = [
        Span(
            task=task["id"],
            title=task["title"],
            attempt=one["id"],
            session=one["sessionId"],
            agent=names.get(one["sessionId"], one["sessionId"]),
            started=_instant(one["startedAt"]),
            ended=None if one["endedAt"] is None else _instant(one["endedAt"]),
            outcome=one["outcome"],
        )
        for task in manifest["tasks"]
        for one in task["attempts"]
    ]
    return sorted(found, key=lambda one: (one.started, one.task, one.attempt))


def _instant(text: Any) -> datetime:
    return datetime.fromisoformat(text)


def draw(drawn: Sequence[Span], now: datetime, width: int) -> str:
    """One line an attempt: task and agent, then its bar; what goes on ends at ``now``. ``width`` is in columns."""
    if not drawn:
        return ""
    first = min(one.started for one in drawn)
    last = max(max(one.ended or now for one in drawn), first + timedelta(seconds=1))
    labels = [clean_line(f"{one.task} {one.agent}") for one in drawn]
    left = min(max(cells(one) for one in labels), max(NARROWEST, width) // 3)
    room = max(NARROWEST, width) - left - 2
    lines = [f"{'':{left}}  {_scale(first, last, room)}"]
    for one, label in zip(drawn, labels, strict=True):
        begin = _column(one.started, first, last, room)
        end = max(begin + 1, _column(one.ended or now, first, last, room))
        bar = " " * begin + MARKS.get(one.outcome, "?") * (end - begin)
        lines.append(f"{_fit(label, left)}  {bar}")
    return "\n".join([*lines, "", *_wrapped(LEGEND, max(NARROWEST, width))]) + "\n"


def beside(found: Sequence[tuple[datetime, str]], width: int) -> str:
    """What was changed outside of lanes, with when it was found; nothing where there is nothing."""
    if not found:
        return ""
    lines = ["", "Outside of lanes:"]
    for at, text in found[-MOST_BESIDE:]:
        lines += _wrapped(f"{at.astimezone():%d %b %H:%M:%S}  {clean_line(text)}", max(NARROWEST, width))
    left = len(found) - MOST_BESIDE
    return "\n".join([*lines, *([f"{left} more before"] if left > 0 else [])]) + "\n"


def _column(at: datetime, first: datetime, last: datetime, room: int) -> int:
    return max(0, min(room, round((at - first) / (last - first) * room)))


def _scale(first: datetime, last: datetime, room: int) -> str:
    """Begin and end, in this machine's zone, with the date where they are of two days."""
    begin, end = first.astimezone(), last.astimezone()
    form = "%H:%M:%S" if begin.date() == end.date() else "%d %b %H:%M"
    return begin.strftime(form) + end.strftime(form).rjust(max(0, room - len(begin.strftime(form))))


def _fit(label: str, columns: int) -> str:
    while cells(label) > columns:
        label = label[:-2] + "…" if len(label) > 1 else ""
    return label + " " * (columns - cells(label))


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width)
