"""The events themselves: in memory, numbered in one sequence, kept within budgets, nothing dropped without a trace.

Each project has a ring of its own, so that a busy project drops its own events and nobody else's. An event that is dropped
leaves its trace for a while; from these a reader that fell behind is told how many events of which categories it missed.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ade_runtime.events.event import Event, Trace

if TYPE_CHECKING:
    from ade_runtime.events.view import View

T = TypeVar("T", Event, Trace)


@dataclass(frozen=True, slots=True)
class Budget:
    """``ring_*`` bound what is kept for one project, the others everything; ``traces`` is for one project, too."""

    ring_events: int = 2000
    ring_bytes: int = 1024 * 1024
    events: int = 10_000
    bytes: int = 8 * 1024 * 1024
    traces: int = 10_000
    rings: int = 256


@dataclass(frozen=True, slots=True)
class Missed:
    """Events that were dropped before the reader came: how many of each category, and from which sequence number to which.

    ``categories`` is ``None`` where even that is not known any more.
    """

    first_seq: int
    last_seq: int
    categories: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a read gave. ``seq`` is where to go on; ``matching`` counts the events kept that fit, the given ones among them."""

    events: list[Event]
    seq: int
    matching: int
    missed: Missed | None


@dataclass(slots=True)
class _Ring:
    """``forgotten`` is the last sequence number of which no trace is left."""

    events: deque[Event] = field(default_factory=deque)
    bytes: int = 0
    traces: deque[Trace] = field(default_factory=deque)
    forgotten: int = 0


class Buffer:
    """Appending and reading never wait. ``last`` is the newest sequence number, 0 before the first event."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._rings: dict[str | None, _Ring] = {}
        self._count = 0
        self._bytes = 0
        self._forgotten = 0
        self.last = 0

    def append(self, event: Event) -> None:
        """Add an event whose sequence number is the one after ``last``; what is over the budgets goes."""
        budget, project = self._budget, event.trace.project
        ring = self._rings.pop(project, None) or _Ring()
        self._rings[project] = ring  # the last in order is the last written to
        ring.events.append(event)
        ring.bytes += event.size
        self._count += 1
        self._bytes += event.size
        self.last = event.seq
        while len(ring.events) > budget.ring_events or ring.bytes > budget.ring_bytes:
            self._drop(ring)
        while self._count > budget.events or self._bytes > budget.bytes:
            self._drop(max(self._rings.values(), key=lambda one: one.bytes))
        while len(self._rings) > budget.rings:
            self._forget(next(iter(self._rings)))

    def read(self, view: View, after: int, *, limit: int, max_bytes: int) -> Batch:
        """The events after ``after`` that the view wants, oldest first; at least one where there is one.

        Everything up to the answer's ``seq`` was returned, did not match, or is told of in ``missed``.
        """
        rings = self._rings.values() if view.project is None else self._of(view.project)
        found = [event for event in _merged(rings, after) if view.wants(event.trace)]
        taken, size = 0, 0
        for event in found[:limit]:
            size += event.size
            if taken and size > max_bytes:
                break
            taken += 1
        seq = self.last if taken == len(found) else found[taken].seq - 1
        return Batch(found[:taken], seq, len(found), self._missed(view, rings, after, seq))

    def _of(self, project: str) -> list[_Ring]:
        """What a reader of one project may see events in: those of the project and those of the machine."""
        return [ring for ring in map(self._rings.get, (project, None)) if ring is not None]

    def _missed(self, view: View, rings: Iterable[_Ring], after: int, until: int) -> Missed | None:
        forgotten = max((ring.forgotten for ring in rings), default=0)
        forgotten = min(max(forgotten, self._forgotten), until)
        gone = [
            trace
            for ring in rings
            for trace in _newer(ring.traces, after)
            if trace.seq <= until and view.wants(trace)
        ]
        if forgotten > after:
            return Missed(after + 1, max([forgotten, *(trace.seq for trace in gone)]), None)
        if not gone:
            return None
        places = [trace.seq for trace in gone]
        return Missed(min(places), max(places), dict(Counter(trace.kind.category for trace in gone)))

    def _drop(self, ring: _Ring) -> None:
        event = ring.events.popleft()
        ring.bytes -= event.size
        self._count -= 1
        self._bytes -= event.size
        ring.traces.append(event.trace)
        if len(ring.traces) > self._budget.traces:
            ring.forgotten = ring.traces.popleft().seq

    def _forget(self, project: str | None) -> None:
        ring = self._rings.pop(project)
        self._count -= len(ring.events)
        self._bytes -= ring.bytes
        newest = (
            ring.events[-1].seq if ring.events else ring.traces[-1].seq if ring.traces else ring.forgotten
        )
        self._forgotten = max(self._forgotten, newest)


def _merged(rings: Iterable[_Ring], after: int) -> Iterator[Event]:
    parts = [_newer(ring.events, after) for ring in rings]
    return iter(parts[0]) if len(parts) == 1 else heapq.merge(*parts, key=lambda event: event.seq)


def _newer(items: deque[T], after: int) -> list[T]:
    """Those after a sequence number, looked for from the new end, where most readers are."""
    found: list[T] = []
    for item in reversed(items):
        if item.seq <= after:
            break
        found.append(item)
    found.reverse()
    return found
