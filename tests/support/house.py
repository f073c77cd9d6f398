"""A runtime in the test's own process and raw connections to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from ade_runtime.events.service import Events
from ade_runtime.machine.paths import Paths
from ade_runtime.server.ownership import Ownership
from ade_runtime.server.server import Server
from ade_runtime.services import Services, Settings

SECONDS = 30


class Peer:
    """One connection. What came that nobody asked for yet waits in ``notes``."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.notes: list[dict[str, Any]] = []
        self._ids = 0

    def send(self, *messages: dict[str, Any]) -> None:
        self.writer.write(b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in messages))

    async def next(self) -> Any:
        line = await asyncio.wait_for(self.reader.readline(), SECONDS)
        assert line, "the connection ended"
        return json.loads(line)

    async def ask(self, method: str, **params: Any) -> Any:
        """The result, or the error's data."""
        self._ids += 1
        self.send({"id": self._ids, "method": method, "params": params})
        while "id" not in (told := await self.next()):
            self.notes.append(told)
        return told["result"] if "result" in told else told["error"]["data"]

    async def note(self) -> dict[str, Any]:
        """The parameters of the next ``runtime/event``."""
        told = self.notes.pop(0) if self.notes else await self.next()
        assert told["method"] == "runtime/event", told
        params: dict[str, Any] = told["params"]
        return params

    async def seqs(self, count: int) -> list[int]:
        return [(await self.note())["event"]["seq"] for _ in range(count)]


class House:
    """A runtime in this process. ``events`` is its buffer."""

    def __init__(self, server: Server, paths: Paths) -> None:
        self.server, self.paths = server, paths
        self.peers: list[Peer] = []

    @property
    def events(self) -> Events:
        return self.server.services.events

    async def connect(self) -> Peer:
        peer = Peer(*await asyncio.open_unix_connection(self.paths.socket, limit=2**22))
        self.peers.append(peer)
        return peer

    def happen(self, times: int = 1, kind: str = "lane.create", **more: Any) -> list[int]:
        return [self.events.publish(kind, **more) for _ in range(times)]


@contextlib.asynccontextmanager
async def opened(home: Path) -> AsyncIterator[House]:
    """A house at ``home``, whose calls are cancelled in the end."""
    paths = Paths.of_home(home)
    ownership = Ownership.acquire(paths)
    server = Server(Services(paths, Settings(listening=True)), ownership)
    task = asyncio.create_task(server.serve(ownership.bind()))
    made = House(server, paths)
    try:
        yield made
    finally:
        server.stop()
        server.stop()
        await task
        for peer in made.peers:
            peer.writer.close()
        ownership.release()
