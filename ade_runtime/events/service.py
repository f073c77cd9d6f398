"""The events of one runtime: published by the pipeline and by handlers, read and awaited by everybody who may."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import orjson

from ade_generated import errors
from ade_generated.events import EVENTS
from ade_runtime.contracts import JsonObject
from ade_runtime.events.buffer import Budget, Buffer
from ade_runtime.events.cursor import Cursor, new_epoch, read_cursor
from ade_runtime.events.event import Event, Trace
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.events.view import View
    from ade_runtime.services import Clock

DATA_LIMIT = 16 * 1024
"""Most bytes of data that one event carries."""

ROW_BYTES = 400
"""About what an event takes beside its data, as an object and on the wire."""

Start = Literal["oldest", "now"]
log = logging.getLogger("ade.events")


@dataclass(frozen=True, slots=True)
class Gap:
    """What a reader missed. ``restarted``: it comes from another start of the runtime, so nobody knows. ``fell_behind``: it
    came too late; then ``missed`` tells how many events of each category there were, where that is still known."""

    reason: Literal["restarted", "fell_behind"]
    first_seq: int | None
    last_seq: int | None
    missed: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a poll gives: ``cursor`` is where to go on, ``matching`` how many events fitted from the old cursor on."""

    events: list[Event]
    cursor: Cursor
    matching: int
    gap: Gap | None

    @property
    def more(self) -> bool:
        return self.matching > len(self.events)


class Events:
    """All of it happens on the event loop's thread. ``waiting`` is how many polls wait for an event and do nothing else."""

    def __init__(self, clock: Clock, budget: Budget | None = None) -> None:
        self.epoch = new_epoch()
        self.waiting = 0
        self._clock = clock
        self._buffer = Buffer(budget)
        self._news: asyncio.Future[None] | None = None
        self._closed = False

    def publish(
        self,
        type: str,
        *,
        project: str | None = None,
        lane: str | None = None,
        session: str | None = None,
        identity: str | None = None,
        subject: str | None = None,
        data: JsonObject | None = None,
        readers: Collection[str] | None = None,
    ) -> int:
        """Tell of something, and give its sequence number. ``type`` is one that a spec declares (:class:`KeyError` otherwise).

        All others are ids; ``project`` is ``None`` for what concerns the machine. ``readers`` keeps an event between these
        sessions and the owner; give :meth:`~ade_runtime.sessions.service.Sessions.lineage` for a session and those above
        it. ``data`` must hold no secret; over 16 KiB it is left out and the event says so.
        """
        kind = EVENTS[type]
        told, size = _bounded(data or {})
        only = None if readers is None else frozenset(readers)
        seq = self._buffer.last + 1
        trace = Trace(seq=seq, kind=kind, project=project, session=session, readers=only)
        at = from_ms(to_ms(self._clock.now()))
        self._buffer.append(
            Event(trace=trace, at=at, lane=lane, identity=identity, subject=subject, data=told, size=size)
        )
        self._wake()
        return seq

    def start(self, start: Start) -> Cursor:
        """The cursor of a reader that has none: before everything that is kept, or after everything until now."""
        return Cursor(self.epoch, 0 if start == "oldest" else self._buffer.last)

    def place(self, cursor: str | None, start: Start) -> Cursor:
        """The place a reader names, else the one that ``start`` means; raises ``invalid_cursor``."""
        if cursor is None:
            return self.start(start)
        found = read_cursor(cursor)
        if found.epoch == self.epoch and found.seq > self._buffer.last:
            raise errors.InvalidCursor(cursor=cursor)
        return found

    def read(self, view: View, cursor: Cursor, *, limit: int, max_bytes: int) -> Reading:
        """What there is from ``cursor`` on; never waits."""
        foreign = cursor.epoch != self.epoch
        batch = self._buffer.read(view, 0 if foreign else cursor.seq, limit=limit, max_bytes=max_bytes)
        gap, missed = None, batch.missed
        if foreign:
            gap = Gap("restarted", None, None, None)
        elif missed is not None:
            gap = Gap("fell_behind", missed.first_seq, missed.last_seq, missed.categories)
        return Reading(batch.events, Cursor(self.epoch, batch.seq), batch.matching, gap)

    async def poll(self, view: View, cursor: Cursor, *, limit: int, max_bytes: int, wait: float) -> Reading:
        """Like :meth:`read`, but waits up to ``wait`` seconds for the first event (or gap) there is."""
        deadline = time.monotonic() + wait
        while True:
            reading = self.read(view, cursor, limit=limit, max_bytes=max_bytes)
            left = deadline - time.monotonic()
            if reading.events or reading.gap or left <= 0 or self._closed:
                return reading
            cursor = reading.cursor
            self.waiting += 1
            try:
                await self.news(left)
            finally:
                self.waiting -= 1

    async def news(self, seconds: float | None = None) -> None:
        """Return when something was published after this call, when ``seconds`` are over, or when the runtime ends."""
        if self._closed:
            return
        if self._news is None:
            self._news = asyncio.get_running_loop().create_future()
        await asyncio.wait([self._news], timeout=seconds)

    @property
    def closed(self) -> bool:
        """Whether the runtime ends, so that there is nothing more to wait for."""
        return self._closed

    def close(self) -> None:
        """Let everybody who waits go: the runtime ends."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        if self._news is not None:
            self._news.set_result(None)
            self._news = None


def _bounded(data: JsonObject) -> tuple[JsonObject, int]:
    if not data:
        return data, ROW_BYTES
    size = len(orjson.dumps(data))
    if size > DATA_LIMIT:
        log.warning("the data of an event has %d bytes and is left out", size)
        return {"left_out": True, "bytes": size}, ROW_BYTES
    return data, size + ROW_BYTES
