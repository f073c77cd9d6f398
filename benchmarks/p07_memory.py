"""P7: resident memory of the runtime when it has nothing to do, and after a thousand connections came and went."""

from __future__ import annotations

import json
import socket
import time

import psutil

from benchmarks.measure import Row, Size
from benchmarks.p03_call import METHOD, PARAMS
from benchmarks.place import Place, place

MIB = 2**20
IDLE_GOAL_MIB = 80
BACK_WITHIN = 1.10
SETTLED_SECONDS = 6
"""A runtime that was just started still loads for a moment what may be needed."""

CROWD = 1000
AT_ONCE = 250


def measure(size: Size) -> list[Row]:
    with place(files=1) as here:
        process = psutil.Process(here.ade("runtime", "info")["pid"])
        time.sleep(size.of(SETTLED_SECONDS, 4))
        crowd(here, size.of(CROWD, 50))  # what is kept for good after first use counts as idle
        time.sleep(1)
        idle = process.memory_info().rss / MIB
        for _ in range(size.of(3, 1)):
            crowd(here, size.of(CROWD, 50))
        time.sleep(1)
        after = process.memory_info().rss / MIB
    return [
        Row("P7", "resident memory, idle", idle, "80 MiB", IDLE_GOAL_MIB, 1.0, unit="MiB"),
        Row("P7", "… after 3,000 connections came and went", after, "before", idle, BACK_WITHIN, unit="MiB"),
    ]


def crowd(here: Place, count: int) -> None:
    """Connections that make a call each, a quarter of them at once."""
    path = here.ade("runtime", "info")["socket"]
    line = _line()
    for start in range(0, count, AT_ONCE):
        together = []
        for _ in range(min(AT_ONCE, count - start)):
            one = socket.socket(socket.AF_UNIX)
            one.connect(path)
            one.sendall(line)
            together.append(one)
        for one in together:
            if not one.recv(65536):
                raise RuntimeError("a connection was not answered")
            one.close()


def _line() -> bytes:
    request = {"jsonrpc": "2.0", "id": 1, "method": METHOD, "params": PARAMS}
    return json.dumps(request).encode() + b"\n"
