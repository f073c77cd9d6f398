"""Calls in flight: cancelled, abandoned, limited, drained, and recorded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ade_generated.models.runtime import RuntimeHealthOutput
from ade_runtime.domains.runtime import RuntimeHandlers
from ade_runtime.machine.paths import Paths
from ade_runtime.pipeline.call import Call
from ade_runtime.server.connection import IN_FLIGHT_LIMIT, WRITE_HIGH_WATER
from ade_runtime.server.ownership import Ownership
from ade_runtime.server.server import Server
from ade_runtime.services import Services, Settings
from ade_runtime.storage.schema import audit


class Slow:
    """Stands in for a handler that works until it is let go; notes who started and who was stopped."""

    def __init__(self) -> None:
        self.started = 0
        self.stopped = 0
        self.go = asyncio.Event()
        self.changed = asyncio.Condition()

    async def __call__(self, handlers: object, call: Call, args: object) -> RuntimeHealthOutput:
        await self._note("started")
        call.progress("halfway", 0.5)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            await self._note("stopped")
            raise
        return RuntimeHealthOutput(status="ok")

    async def _note(self, what: str) -> None:
        async with self.changed:
            setattr(self, what, getattr(self, what) + 1)
            self.changed.notify_all()

    async def until(self, truth: Callable[[], bool]) -> None:
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(truth), 20)


class Peer:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, *messages: dict[str, Any]) -> None:
        self.writer.write(b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in messages))

    def call(self, identifier: int, name: str = "runtime.health", **params: Any) -> None:
        self.send({"id": identifier, "method": "ade/actions/call", "params": {"name": name, **params}})

    async def next(self) -> dict[str, Any]:
        line = await asyncio.wait_for(self.reader.readline(), 20)
        return json.loads(line) if line else {}

    async def answer(self, identifier: object) -> dict[str, Any]:
        while (found := await self.next()).get("id") != identifier:
            assert found, "the connection ended"
        return found


class House:
    def __init__(self, server: Server, paths: Paths) -> None:
        self.server, self.paths = server, paths
        self.peers: list[Peer] = []

    async def connect(self) -> Peer:
        peer = Peer(*await asyncio.open_unix_connection(self.paths.socket, limit=2**20))
        self.peers.append(peer)
        return peer

    async def leave(self) -> None:
        for peer in self.peers:
            peer.writer.close()
            with contextlib.suppress(OSError):
                await peer.writer.wait_closed()


@pytest.fixture
async def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    handler = Slow()

    async def health(self: object, call: Call, args: object) -> RuntimeHealthOutput:
        return await handler(self, call, args)

    monkeypatch.setattr(RuntimeHandlers, "health", health)
    return handler


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    paths = Paths.of_home(tmp_path / "home")
    ownership = Ownership.acquire(paths)
    server = Server(Services(paths, Settings(listening=True)), ownership)
    task = asyncio.create_task(server.serve(ownership.bind()))
    house = House(server, paths)
    yield house
    server.stop()
    server.stop()
    await task
    await house.leave()
    ownership.release()


async def test_cancelling_stops_the_handler_and_answers(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(1)
    await slow.until(lambda: slow.started == 1)
    peer.send({"method": "$/cancelRequest", "params": {"id": 1}})
    error = (await peer.answer(1))["error"]
    assert (error["code"], error["data"]["code"]) == (-32009, "cancelled")
    assert slow.stopped == 1


async def test_cancelling_in_the_same_breath_still_answers(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.send(
        {"id": 7, "method": "ade/actions/call", "params": {"name": "runtime.health"}},
        {"method": "$/cancelRequest", "params": {"id": 7}},
    )
    assert (await peer.answer(7))["error"]["data"]["code"] == "cancelled"
    assert house.server.in_flight == 0


async def test_a_client_that_vanishes_stops_its_calls(house: House, slow: Slow) -> None:
    peer = await house.connect()
    for number in range(5):
        peer.call(number)
    await slow.until(lambda: slow.started == 5)
    peer.writer.transport.abort()
    await slow.until(lambda: slow.stopped == 5)


async def test_a_half_closed_client_that_vanishes_stops_its_calls(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(1)
    peer.writer.write_eof()
    await slow.until(lambda: slow.started == 1)
    peer.writer.transport.abort()
    await slow.until(lambda: slow.stopped == 1)


async def test_progress_comes_before_the_answer(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(3)
    note = await peer.next()
    assert note["method"] == "$/progress"
    assert note["params"] == {"token": 3, "message": "halfway", "fraction": 0.5}
    slow.go.set()
    assert (await peer.answer(3))["result"] == {"status": "ok"}


async def test_one_slow_call_holds_up_nobody(house: House, slow: Slow) -> None:
    peer, other = await house.connect(), await house.connect()
    peer.call(1)
    await slow.until(lambda: slow.started == 1)
    peer.send({"id": 2, "method": "ping"})
    assert (await peer.answer(2))["result"] == {"ok": True}
    other.call(1, "runtime.info")
    assert (await other.answer(1))["result"]["pid"] == os.getpid()
    slow.go.set()


async def test_a_connection_has_a_limit_of_calls_in_flight(house: House, slow: Slow) -> None:
    peer = await house.connect()
    for number in range(IN_FLIGHT_LIMIT + 3):
        peer.call(number)
    refused = [await peer.answer(IN_FLIGHT_LIMIT + extra) for extra in range(3)]
    assert {answer["error"]["data"]["code"] for answer in refused} == {"connection_busy"}
    slow.go.set()
    assert (await peer.answer(0))["result"] == {"status": "ok"}
    while house.server.in_flight:  # noqa: ASYNC110
        await asyncio.sleep(0)
    peer.call(999, "runtime.info")
    assert "result" in await peer.answer(999)


async def test_a_time_limit_of_the_caller(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(1, timeout_ms=20)
    error = (await peer.answer(1))["error"]["data"]
    assert error["code"] == "timed_out"
    assert slow.stopped == 1


async def test_draining_takes_its_time_though_the_socket_is_gone(
    house: House, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runtime removes its own socket then, and must not take that for a take-over."""
    looked = 0
    enough = asyncio.Event()

    def holds_lock(self: Ownership) -> bool:
        nonlocal looked
        looked += 1
        if looked == 5:
            enough.set()
        return True

    monkeypatch.setattr("ade_runtime.server.server.WATCH_SECONDS", 0.01)
    peer = await house.connect()
    peer.call(1)
    await slow.until(lambda: slow.started == 1)
    house.server.stop()
    monkeypatch.setattr(Ownership, "holds_lock", holds_lock)
    await asyncio.wait_for(enough.wait(), 20)
    assert (slow.stopped, house.paths.socket.exists()) == (0, False)
    slow.go.set()
    assert (await peer.answer(1))["result"] == {"status": "ok"}


async def test_draining_finishes_what_runs_and_refuses_what_comes(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(1)
    await slow.until(lambda: slow.started == 1)
    peer.send({"id": 2, "method": "shutdown"})
    assert (await peer.answer(2))["result"] == {"stopping": True}
    peer.call(3)
    assert (await peer.answer(3))["error"]["data"]["code"] == "shutting_down"
    assert not house.paths.socket.exists()
    slow.go.set()
    assert (await peer.answer(1))["result"] == {"status": "ok"}
    assert (await peer.next()).get("method") == "runtime/closing"
    assert await peer.next() == {}


async def test_told_twice_the_runtime_cancels_what_runs(house: House, slow: Slow) -> None:
    peer = await house.connect()
    peer.call(1)
    await slow.until(lambda: slow.started == 1)
    house.server.stop()
    house.server.stop()
    assert (await peer.answer(1))["error"]["data"]["code"] == "cancelled"


async def test_a_slow_reader_is_not_read_from_any_more(house: House) -> None:
    """Answers pile up to the high-water mark; then requests wait in the client."""
    peer = await house.connect()
    peer.writer.transport.pause_reading()  # type: ignore[attr-defined]
    peer.send(*({"id": "y" * 60_000, "method": "ping"} for _ in range(200)))

    def held() -> int:
        return sum(one._transport.get_write_buffer_size() for one in house.server.connections)

    while held() <= WRITE_HIGH_WATER:  # noqa: ASYNC110
        await asyncio.sleep(0)
    for _ in range(500):
        await asyncio.sleep(0)
    assert WRITE_HIGH_WATER < held() < 2 * WRITE_HIGH_WATER
    assert peer.writer.transport.get_write_buffer_size() > 0
    peer.writer.transport.resume_reading()  # type: ignore[attr-defined]
    for _ in range(200):
        assert "result" in await peer.next()


async def test_initialize_grants_nothing(house: House) -> None:
    peer = await house.connect()
    peer.send(
        {"id": 1, "method": "ade/initialize", "params": {"identity": {"role": "cto"}, "client": "test"}}
    )
    told = (await peer.answer(1))["result"]
    assert told["runtimeInfo"]["role"] == "agent"
    assert told["runtimeInfo"]["defaultRole"] == "cto"
    assert told["runtimeInfo"]["protocol"] == 1
    assert told["capabilities"]["actions"] == {"listChanged": True}
    peer.send({"method": "ade/initialized"}, {"id": 2, "method": "ade/initialized"})
    assert "result" in await peer.answer(2)


async def test_writes_and_refusals_are_audited(house: House, tmp_path: Path) -> None:
    peer = await house.connect()
    folder = tmp_path / "no-repository"
    folder.mkdir()
    peer.call(1, "project.add", arguments={"path": str(folder)}, request_id="r1")
    failed = (await peer.answer(1))["error"]["data"]["code"]
    peer.send(
        {"id": 2, "method": "cli/run", "params": line("--role", "external", "projects", "add", str(folder))}
    )
    assert (await peer.answer(2))["result"]["exit"] == 3
    peer.call(3, "runtime.info")
    await peer.answer(3)
    rows = await house.server.services.database.read(
        lambda connection: connection.execute(select(audit.c.action, audit.c.outcome, audit.c.role)).all()
    )
    assert [tuple(row) for row in rows] == [
        ("project.add", failed, "agent"),
        ("project.add", "policy_denied", "external"),
    ]


def line(*argv: str, **env: str) -> dict[str, Any]:
    return {"argv": list(argv), "cwd": "/", "env": env, "width": 80}


@pytest.mark.parametrize(
    ("argv", "env", "exit_code", "code"),
    [
        (["--role", "root", "runtime", "info"], {}, 2, "invalid_arguments"),
        (["runtime", "info"], {"ADE_DEFAULT_ROLE": "boss"}, 2, "invalid_arguments"),
        (["runtime", "info"], {"ADE_SESSION_TOKEN": "0" * 64}, 3, "policy_denied"),
        (["runtime", "nope"], {}, 2, "invalid_arguments"),
    ],
)
async def test_lines_that_are_refused(
    house: House, argv: list[str], env: dict[str, str], exit_code: int, code: str
) -> None:
    peer = await house.connect()
    peer.send({"id": 1, "method": "cli/run", "params": line(*argv, **env)})
    answer = (await peer.answer(1))["result"]
    assert (answer["exit"], answer["stdout"]) == (exit_code, "")
    assert json.loads(answer["stderr"])["error"]["code"] == code


@pytest.mark.parametrize(
    "params", [{}, {"argv": "x", "cwd": "/"}, {"argv": [1], "cwd": "/"}, {"argv": [], "cwd": 1}]
)
async def test_a_line_that_does_not_follow_the_protocol(house: House, params: dict[str, Any]) -> None:
    peer = await house.connect()
    peer.send({"id": 1, "method": "cli/run", "params": params})
    assert (await peer.answer(1))["error"]["code"] == -32602
