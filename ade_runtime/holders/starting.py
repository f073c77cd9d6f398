"""Holding a lane while something is started in it, so that it is not deleted underneath, nor the same thing started twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.services import Services

LOCK_SECONDS = 3.0
"""How long to wait for whoever works on the lane. A commit whose hooks take minutes need not keep anybody from a terminal; a
deletion does, and is known by the lane's state."""


@asynccontextmanager
async def starting_in(services: Services, lane: LaneRecord) -> AsyncIterator[None]:
    """Starts in one lane come one after the other.

    Raises ``lane_busy`` for a lane that is being deleted and ``lane_not_found`` for one that is gone.
    """
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(services.locks.lane(f"start-{lane.id}"))
        if not lane.is_primary:
            try:
                async with asyncio.timeout(LOCK_SECONDS):
                    await stack.enter_async_context(services.locks.lane(lane.id))
            except TimeoutError:
                pass
            if (await services.lanes.fresh(lane)).state == "deleting":
                raise errors.LaneBusy(lane=lane.name)
        yield
