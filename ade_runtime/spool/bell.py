"""Being told at once when a request is put into a spool folder, where the kernel can tell (Linux)."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ade_runtime.spool.folder import open_folder

if TYPE_CHECKING:
    from inotify_simple import INotify

MOVED_TO, ONLY_DIRECTORIES, IGNORED, OVERFLOW = 0x80, 0x01000000, 0x8000, 0x4000
"""From inotify(7): a file got this name, only folders are watched, a watch is gone, events were lost."""


log = logging.getLogger("ade.spool")


class Bell:
    """Rings with the worktree whose spool got a request, and with ``None`` where it may have been any.

    Where nothing can be watched it never rings, and looking now and then is all there is.
    """

    def __init__(self, ring: Callable[[str | None], None]) -> None:
        self._ring = ring
        self._roots: dict[int, str] = {}
        self._notify: INotify | None = None
        self._tried = False
        self._loop = asyncio.get_running_loop()

    async def open(self) -> None:
        """Make ready to watch, once there is something to watch."""
        if self._tried or not sys.platform.startswith("linux"):
            return
        self._tried = True
        try:
            notify = await asyncio.to_thread(_notifier)
        except (ImportError, OSError) as problem:
            log.info("spools are only looked at now and then: %s", problem)
            return
        self._notify = notify
        self._loop.add_reader(notify.fileno(), self._read)

    def watch(self, root: str) -> int:
        """Watch the spool folder below ``root``; the number of the watch, -1 where it cannot be watched."""
        if self._notify is None:
            return -1
        try:
            folder = open_folder(root, make=False)
        except OSError:
            return -1
        try:  # by its descriptor, so that it is the folder that was looked at
            number = self._notify.add_watch(f"/proc/self/fd/{folder}", MOVED_TO | ONLY_DIRECTORIES)
        except OSError:
            return -1
        finally:
            os.close(folder)
        self._roots[number] = root
        return int(number)

    def close(self) -> None:
        if self._notify is not None:
            self._loop.remove_reader(self._notify.fileno())
            self._notify.close()
            self._notify = None

    def _read(self) -> None:
        if self._notify is None:
            return
        for event in self._notify.read(timeout=0):
            if event.mask & OVERFLOW:
                self._ring(None)
            elif event.mask & IGNORED:
                self._roots.pop(event.wd, None)
            elif event.name.endswith(".request") and event.wd in self._roots:
                self._ring(self._roots[event.wd])


def _notifier() -> INotify:
    from inotify_simple import INotify

    return INotify(nonblocking=True)
