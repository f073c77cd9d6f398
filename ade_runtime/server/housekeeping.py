"""What a runtime does beside its calls: finishing or taking back what a killed process left, and letting go of what is old."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError

if TYPE_CHECKING:
    from ade_runtime.services import Services

FIRST_SECONDS = 1.0
"""How long the first callers go before; temporary files are swept at once."""

EVERY_SECONDS = 3600.0
COPY_EVERY = timedelta(days=1)
log = logging.getLogger("ade.server")


async def keep_house(services: Services) -> None:
    """Go on until cancelled. Trouble is logged, and tried again the next time."""
    await _quietly(lambda: asyncio.to_thread(services.temporary.sweep))
    await asyncio.sleep(FIRST_SECONDS)
    while True:
        if services.paths.database.exists():  # nothing was ever done here otherwise
            await _quietly(lambda: _settle(services))
            await _quietly(lambda: _expire(services))
            await _quietly(lambda: copy_daily(services))
        await asyncio.sleep(EVERY_SECONDS)
        await _quietly(lambda: asyncio.to_thread(services.temporary.sweep))


async def copy_daily(services: Services) -> None:
    """Copy the database if the last copy is a day old, and only if it is sound: copies of a damaged one would displace good
    ones."""
    from ade_runtime.storage.copies import copies, make_copy
    from ade_runtime.storage.soundness import inspect_file

    path, now = services.paths.database, services.clock.now()
    made = copies(path)
    if made and now - made[0].made_at < COPY_EVERY:
        return

    def copy() -> None:
        make_copy(path, inspect_file(path), now)

    await asyncio.to_thread(copy)


async def _settle(services: Services) -> None:
    from ade_runtime.lanes.recovery import settle_everywhere

    await settle_everywhere(services.lanes, await services.projects.all())


async def _expire(services: Services) -> None:
    from ade_runtime.pipeline.receipt import forget_expired

    now = int(services.clock.now().timestamp() * 1000)
    await services.database.write(lambda connection: forget_expired(connection, now))


async def _quietly(work: Callable[[], Awaitable[None]]) -> None:
    import sqlite3

    try:
        await work()
    except (AdeError, OSError, sqlite3.Error) as problem:
        log.warning("housekeeping: %s", problem)
