"""Work on files outside of the event loop."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(fn: Callable[[], T]) -> T:
    """``fn()`` in a thread. A cancelled call returns only once ``fn`` has: it may hold descriptors and locks of its caller's,
    and a descriptor that is closed under it could be another file's a moment later."""
    done = asyncio.get_running_loop().run_in_executor(None, contextvars.copy_context().run, fn)
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        while not done.done():
            try:
                await asyncio.wait([done])
            except asyncio.CancelledError:
                continue
        if not done.cancelled():
            done.exception()
        raise
