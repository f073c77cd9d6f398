"""Stage 5: sliding windows over the recent calls of an identity.

Windows are keyed by identity, not by connection: a new connection per command changes nothing. Short ones live in this
process's memory. One of more than :data:`LONG` outlives the process: its calls are rows of the database, which every process
of the ADE_HOME counts together.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.contracts import ActionEntry, RateLimit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.services import Services

KEYS_KEPT = 10_000
"""Most identities remembered for one limit."""

LONG = 60.0
"""Seconds above which a window is kept in the database."""

_NS = 1_000_000
"""Nanoseconds in a millisecond. Times are whole numbers, so that the wait that is told is exact."""


class RateLimits:
    """Counts calls, and refuses those past a limit with the exact wait after which the same call passes.

    ``monotonic`` gives nanoseconds; long windows go by the services' clock.
    """

    def __init__(
        self,
        services: Services,
        limits: Mapping[str, RateLimit],
        monotonic: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._services = services
        self._limits = limits
        self._now = monotonic
        self._short: dict[str, ShortWindows] = {}

    async def admit(self, entry: ActionEntry, identity: Identity) -> None:
        """Count one call of a limited action, or raise ``rate_limited``.

        Limits that it counts towards, too, come after its own: a session in a loop stops at its own limit and takes nothing
        from the others.
        """
        name = entry.rate_limit
        while name is not None:
            await self._admit(entry, identity, name, self._limits[name])
            name = self._limits[name].also

    async def _admit(self, entry: ActionEntry, identity: Identity, name: str, limit: RateLimit) -> None:
        key = "" if limit.per == "machine" else identity.key
        if limit.window > LONG:
            wait_ms = await self._admit_long(name, limit, key)
        else:
            windows = self._short.get(name)
            if windows is None:
                windows = self._short[name] = ShortWindows(limit)
            wait_ms = windows.admit(key, self._now())
        if wait_ms:
            raise errors.RateLimited(
                action=entry.id,
                limit=limit.limit,
                window=f"{limit.window:g} s",
                wait_ms=wait_ms,
                details={"limit": limit.limit, "window_ms": round(limit.window * 1000)},
                retry_after_ms=wait_ms,
            )

    async def _admit_long(self, name: str, limit: RateLimit, key: str) -> int:
        now = int(self._services.clock.now().timestamp() * 1000)
        return await self._services.database.write(lambda db: _count(db, name, limit, key, now))


class ShortWindows:
    """The windows of one limit in memory: a ring of at most ``limit`` instants for each key.

    Keys are in the order of their last admitted call, so those whose window is over are at the front, and go first. Past
    :data:`KEYS_KEPT` the one admitted longest ago goes although its window is not over.
    """

    def __init__(self, limit: RateLimit) -> None:
        self._limit = limit.limit
        self._window = round(limit.window * 1000) * _NS
        self._rings: OrderedDict[str, deque[int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rings)

    def admit(self, key: str, now: int) -> int:
        """Count a call at ``now`` (nanoseconds) and give 0, or the milliseconds to wait."""
        self._forget(now)
        ring = self._rings.get(key)
        if ring is None:
            ring = self._rings[key] = deque(maxlen=self._limit)
            if len(self._rings) > KEYS_KEPT:
                self._rings.popitem(last=False)
        elif len(ring) == self._limit and (wait := ring[0] + self._window - now) > 0:
            return -(-wait // _NS)
        ring.append(now)
        self._rings.move_to_end(key)
        return 0

    def _forget(self, now: int) -> None:
        while self._rings:
            key = next(iter(self._rings))
            if self._rings[key][-1] + self._window > now:
                return
            del self._rings[key]


def _count(connection: Connection, name: str, limit: RateLimit, key: str, now: int) -> int:
    """As :meth:`ShortWindows.admit`, in the database and in milliseconds. What has left the window is removed, of every key."""
    from sqlalchemy import delete, func, insert, select, update

    from ade_runtime.storage.schema import rate_windows as rows

    window = round(limit.window * 1000)
    connection.execute(delete(rows).where(rows.c.name == name, rows.c.at <= now - window))
    # After the clock was set back nobody is to wait longer than a window for calls that seem to come from later.
    connection.execute(update(rows).where(rows.c.name == name, rows.c.at > now).values(at=now))
    mine = (rows.c.name == name, rows.c.key == key)
    count, first = connection.execute(select(func.count(), func.min(rows.c.at)).where(*mine)).one()
    if count < limit.limit:
        connection.execute(insert(rows).values(name=name, key=key, at=now))
        return 0
    if count > limit.limit:  # the limit was higher when these were admitted
        later = select(rows.c.at).where(*mine).order_by(rows.c.at, rows.c.id).offset(count - limit.limit)
        first = connection.execute(later.limit(1)).scalar_one()
    return int(first) + window - now
