"""P3: one read action through the whole pipeline over one connection, against a bare asyncio and pydantic
server."""

from __future__ import annotations

import contextlib
import json
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Row, Size
from benchmarks.place import place

ROOT = Path(__file__).parents[1]
METHOD = "ade/actions/call"
PARAMS = {"name": "runtime.info", "arguments": {}}
WHAT = "ade/actions/call runtime.info, p50"


class Connection:
    """A blocking connection that sends one request and reads its answer."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._buffer = b""
        self._number = 0

    def call(self) -> float:
        """Seconds from sending the request to having its answer."""
        self._number += 1
        frame = {"jsonrpc": "2.0", "id": self._number, "method": METHOD, "params": PARAMS}
        line = json.dumps(frame).encode() + b"\n"
        began = time.perf_counter()
        self._socket.sendall(line)
        answer = self._line()
        took = time.perf_counter() - began
        if b'"result"' not in answer:
            raise RuntimeError(answer.decode(errors="replace"))
        return took

    def close(self) -> None:
        self._socket.close()

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            chunk = self._socket.recv(65536)
            if not chunk:
                raise RuntimeError("the server closed the connection")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line


def measure(size: Size) -> list[Row]:
    with place(files=1) as here, contextlib.ExitStack() as stack:
        ours = here.ade("runtime", "info")["socket"]
        plain = stack.enter_context(bare_server(here.base / "plain.sock"))
        loops = stack.enter_context(bare_server(here.base / "uvloop.sock", "uvloop"))
        times = medians([ours, plain, loops], blocks=size.of(30, 3), calls=size.of(300, 20))
    return [
        Row("P3", WHAT, times[0], "bare asyncio + pydantic server", times[1], 1.5),
        Row("P3", WHAT, times[0], "the same on uvloop", times[2], None),
    ]


def medians(paths: Sequence[str], *, blocks: int, calls: int) -> list[float]:
    """p50 of a call in milliseconds for each server, blocks of calls taken in turn."""
    connections = [Connection(path) for path in paths]
    times: list[list[float]] = [[] for _ in paths]
    for number in range(blocks + 1):
        for connection, taken in zip(connections, times, strict=True):
            block = [connection.call() for _ in range(calls)]
            if number > 0:
                taken += block
    for connection in connections:
        connection.close()
    return [statistics.median(taken) * 1000 for taken in times]


@contextlib.contextmanager
def bare_server(path: Path, *extra: str) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.peers.bare_server", str(path), *extra], cwd=ROOT
    )
    try:
        deadline = time.monotonic() + 20
        while not path.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the bare server did not start")
            time.sleep(0.02)
        yield str(path)
    finally:
        process.terminate()
        process.wait()
