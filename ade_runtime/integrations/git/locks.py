"""Waiting for another git to let go of the index."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from ade_runtime.integrations.git.failures import GitLocked
from ade_runtime.integrations.git.runner import LOCK_PATIENCE, LOCK_PAUSE


async def wait_for_index(git_dir: Path) -> None:
    """Wait until nobody holds the index of the checkout with this git folder, for at most
    :data:`LOCK_PATIENCE` seconds; then raise :class:`GitLocked`. For commands that may not simply be run
    again once they met the lock. The lock file is never removed: only who made it can know that it is of no
    use any more."""
    lock = git_dir / "index.lock"
    deadline = time.monotonic() + LOCK_PATIENCE
    while (made := _made(lock)) is not None:
        if time.monotonic() > deadline:
            raise GitLocked(
                command="index", code=128, stderr=f"{lock} exists", path=lock, age=time.time() - made
            )
        await asyncio.sleep(LOCK_PAUSE)


def _made(lock: Path) -> float | None:
    try:
        return lock.lstat().st_mtime
    except OSError:
        return None
