"""Stage 5: sliding windows over the recent calls of an identity, in bounded memory."""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping

from ade_generated import errors
from ade_runtime.contracts import ActionEntry, RateLimit
from ade_runtime.pipeline.call import Identity

KEYS_KEPT = 10_000


class RateLimits:
    """Windows are keyed by identity, not by connection: a new connection per command changes nothing.

    Each key holds a ring of at most ``limit`` instants. When there are too many keys the one used longest ago goes first.
    """

    def __init__(
        self, limits: Mapping[str, RateLimit], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._now = monotonic
        self._rings: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def admit(self, entry: ActionEntry, identity: Identity) -> None:
        """Count one call, or raise ``rate_limited`` with the exact wait after which the same call passes."""
        if entry.rate_limit is None:
            return
        limit = self._limits[entry.rate_limit]
        ring = self._ring(entry.rate_limit, "" if limit.per == "machine" else identity.key, limit.limit)
        now = self._now()
        if len(ring) == limit.limit and (wait := ring[0] + limit.window - now) > 0:
            wait_ms = math.ceil(wait * 1000)
            window = f"{limit.window:g} s"
            raise errors.RateLimited(
                action=entry.id,
                limit=limit.limit,
                window=window,
                wait_ms=wait_ms,
                details={"limit": limit.limit, "window_ms": round(limit.window * 1000)},
                retry_after_ms=wait_ms,
            )
        ring.append(now)

    def _ring(self, name: str, key: str, size: int) -> deque[float]:
        place = (name, key)
        ring = self._rings.get(place)
        if ring is None:
            ring = self._rings[place] = deque(maxlen=size)
            if len(self._rings) > KEYS_KEPT:
                self._rings.popitem(last=False)
        else:
            self._rings.move_to_end(place)
        return ring
