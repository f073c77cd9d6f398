"""Time limits of calls without a timer for each: a timer made and dropped costs more than a whole short call.

One ticker looks at all limits four times a second while there are any. Short limits, which need to be exact, have timers.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

TICK_SECONDS = 0.25
EXACT_BELOW = 5.0


class Expired(Exception):
    """The limit passed and the work was cancelled."""


class Deadlines:
    """All limits of one event loop."""

    def __init__(self) -> None:
        self._running: set[Limit] = set()
        self._ticking = False

    def limit(self, seconds: float) -> Limit:
        """Use as ``with``: the current task is cancelled after ``seconds``, and :class:`Expired` raised in its place."""
        return Limit(self, seconds)

    def add(self, limit: Limit, loop: asyncio.AbstractEventLoop) -> None:
        self._running.add(limit)
        if not self._ticking:
            self._ticking = True
            loop.call_later(TICK_SECONDS, self._tick, loop)

    def drop(self, limit: Limit) -> None:
        self._running.discard(limit)

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        self._ticking = bool(self._running)
        if not self._ticking:
            return
        now = loop.time()
        for limit in [one for one in self._running if one.due <= now]:
            limit.expire()
        loop.call_later(TICK_SECONDS, self._tick, loop)


class Limit:
    """One limit over one stretch of one task."""

    __slots__ = ("_before", "_deadlines", "_expired", "_seconds", "_task", "_timer", "due")

    def __init__(self, deadlines: Deadlines, seconds: float) -> None:
        self._deadlines = deadlines
        self._seconds = seconds
        self._expired = False
        self._timer: asyncio.TimerHandle | None = None
        self.due = 0.0

    def expire(self) -> None:
        """Cancel the task; what it raises then becomes :class:`Expired`."""
        self._expired = True
        self._deadlines.drop(self)
        self._task.cancel()

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = task.get_loop()
        self._task = task
        self._before = task.cancelling()
        if self._seconds < EXACT_BELOW:
            self._timer = loop.call_later(max(self._seconds, 0.0), self.expire)
        else:
            self.due = loop.time() + self._seconds
            self._deadlines.add(self, loop)

    def __exit__(
        self, kind: type[BaseException] | None, _problem: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._deadlines.drop(self)
        if self._expired and self._task.uncancel() <= self._before and kind is asyncio.CancelledError:
            raise Expired
