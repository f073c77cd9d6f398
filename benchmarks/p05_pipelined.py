"""P5: calls a second when many are sent before the first is answered, on one connection and on a hundred, against the bare
server. A rate of at least 0.4 of the peer's is a time of at most 2.5 times the peer's."""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import time
from collections.abc import Sequence

from benchmarks.measure import Row, Size, alternate
from benchmarks.p03_call import METHOD, PARAMS, bare_server
from benchmarks.place import place

GOAL = 2.5
AHEAD = 100
"""Requests sent on one connection before their answers are read."""

CROWD = 100
AHEAD_EACH = 10


def measure(size: Size) -> list[Row]:
    rounds = size.of(15, 2)
    with place(files=1) as here, contextlib.ExitStack() as stack:
        ours = here.ade("runtime", "info")["socket"]
        peer = stack.enter_context(bare_server(here.base / "plain.sock"))
        one = [stack.enter_context(One(path, size.of(20, 2))) for path in (ours, peer)]
        many = [stack.enter_context(Many(path, size.of(5, 1))) for path in (ours, peer)]
        alone = alternate([side.seconds for side in one], rounds, warm_up=2)
        crowd = alternate([side.seconds for side in many], rounds, warm_up=2)
    what = "1,000 calls of runtime.info, {} at a time on {}"
    return [
        _row(what.format(AHEAD, "one connection"), alone),
        _row(what.format(AHEAD_EACH, f"each of {CROWD} connections"), crowd),
    ]


def _row(what: str, times: Sequence[float]) -> Row:
    rates = " and ".join(f"{1_000_000 / one:,.0f}" for one in times)
    return Row("P5", what, times[0], "bare asyncio + pydantic server", times[1], GOAL, f"{rates} calls/s")


def _requests(count: int) -> bytes:
    lines = (
        json.dumps({"jsonrpc": "2.0", "id": number, "method": METHOD, "params": PARAMS})
        for number in range(count)
    )
    return "".join(line + "\n" for line in lines).encode()


class One:
    """One connection; ``bursts`` of :data:`AHEAD` requests are one measurement, told as seconds for a thousand calls."""

    def __init__(self, path: str, bursts: int) -> None:
        self._socket = _connect(path)
        self._bursts = bursts
        self._request = _requests(AHEAD)

    def seconds(self) -> float:
        began = time.perf_counter()
        for _ in range(self._bursts):
            self._socket.sendall(self._request)
            left = AHEAD
            while left:
                left -= _answers(self._socket)
        return (time.perf_counter() - began) * 1000 / (self._bursts * AHEAD)

    def __enter__(self) -> One:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


class Many:
    """A hundred connections, each with requests under way all the time."""

    def __init__(self, path: str, bursts: int) -> None:
        self._sockets = [_connect(path) for _ in range(CROWD)]
        self._bursts = bursts
        self._request = _requests(AHEAD_EACH)

    def seconds(self) -> float:
        began = time.perf_counter()
        with selectors.DefaultSelector() as selector:
            left: dict[socket.socket, int] = {}
            for one in self._sockets:
                selector.register(one, selectors.EVENT_READ)
                left[one] = AHEAD_EACH * self._bursts
                one.sendall(self._request)
            while left:
                for key, _ in selector.select():
                    one = key.fileobj
                    assert isinstance(one, socket.socket)
                    self._take(one, left)
        return (time.perf_counter() - began) * 1000 / (self._bursts * AHEAD_EACH * CROWD)

    def _take(self, one: socket.socket, left: dict[socket.socket, int]) -> None:
        if one not in left:
            return
        left[one] -= _answers(one)
        if not left[one]:
            del left[one]
        elif left[one] % AHEAD_EACH == 0:
            one.sendall(self._request)

    def __enter__(self) -> Many:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._sockets:
            one.close()


def _connect(path: str) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    one.connect(path)
    return one


def _answers(one: socket.socket) -> int:
    data = one.recv(262_144)
    if not data or b'"error"' in data:
        raise RuntimeError(data.decode(errors="replace") or "the server closed the connection")
    return data.count(b"\n")
