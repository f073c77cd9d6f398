"""Whether a process is ready, by what its definition asks for."""

from __future__ import annotations

import asyncio
import http.client
import ssl
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from ade_runtime.processes.ports import accepts

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.holders.service import Holders
    from ade_runtime.processes.definitions import Ready

PAUSE = 0.1
HTTP_SECONDS = 3.0
GOOD_BELOW = 400
READ = 262144
Outcome = Literal["ready", "ended", "late"]


class Watch:
    """Looks again and again at one run. ``cursor`` is how far its log was searched."""

    def __init__(self, holders: Holders, record: HolderRecord, ready: Ready) -> None:
        self._holders = holders
        self._record = record
        self._ready = ready
        self._cursor = 0
        self._tail = b""
        self._logged = ready.log is None

    async def wait(self) -> Outcome:
        """Return once it is ready, has ended (or waits to be started again), or is late."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._ready.timeout
        while True:
            if await self.holds():
                return "ready"
            if (await self._holders.seen(self._record)).phase != "running":
                return "ended"
            if loop.time() >= deadline:
                return "late"
            await asyncio.sleep(PAUSE)  # a port, a server and a file have no event to wait for

    async def holds(self) -> bool:
        """Whether everything that is asked for holds now."""
        ready = self._ready
        if not self._logged:
            self._logged = await asyncio.to_thread(self._search)
        if not self._logged or (ready.port is not None and not await accepts(ready.port)):
            return False
        return ready.http is None or await asyncio.to_thread(answers, ready.http)

    def _search(self) -> bool:
        wanted = (self._ready.log or "").encode()
        while True:
            start, data = self._holders.read(self._record, self._cursor, READ)
            if not data:
                return False
            text = self._tail + data
            if wanted in text:
                return True
            self._cursor, self._tail = start + len(data), text[-len(wanted) :]


def answers(url: str) -> bool:
    """Whether the URL answers with a status below 400. A certificate is not judged: this is about being there."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    connection = (
        http.client.HTTPSConnection(
            host, parts.port, timeout=HTTP_SECONDS, context=ssl._create_unverified_context()
        )
        if secure
        else http.client.HTTPConnection(host, parts.port, timeout=HTTP_SECONDS)
    )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("GET", target, headers={"Connection": "close", "User-Agent": "ade"})
        return connection.getresponse().status < GOOD_BELOW
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()
