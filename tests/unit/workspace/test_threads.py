"""A cancelled call does not leave its thread behind with descriptors that are closed by then."""

from __future__ import annotations

import asyncio
import threading

import pytest

from ade_runtime.workspace.threads import in_thread


async def test_a_cancelled_call_waits_for_its_thread() -> None:
    begun, go, over = threading.Event(), threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        go.wait(30)
        over.set()
        return 1

    task = asyncio.ensure_future(in_thread(work))
    await asyncio.to_thread(begun.wait, 30)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert over.is_set()


async def test_what_it_gives_and_raises_comes_through() -> None:
    assert await in_thread(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 // 0)
