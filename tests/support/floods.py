"""Clients that send too much, and too many of them: what the runtime spends on them, and how the others fare."""

from __future__ import annotations

import json
import os
import resource
import socket
import threading
import time
from pathlib import Path

import psutil

from ade_runtime.server.lifecycle import SETTLED
from tests.support.command import Command

LIMIT = 8 * 2**20
"""Most bytes of one frame."""

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


class Pinger(threading.Thread):
    """Pings twenty times a second until told to stop; ``times`` holds the seconds each answer took."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.times: list[float] = []
        self._enough = threading.Event()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(str(path))

    def run(self) -> None:
        with self._socket, self._socket.makefile("rb") as lines:
            while not self._enough.wait(0.05):
                began = time.perf_counter()
                self._socket.sendall(PING)
                assert b'"ok":true' in lines.readline()
                self.times.append(time.perf_counter() - began)

    def stop(self) -> list[float]:
        self._enough.set()
        self.join(60)
        return sorted(self.times)


def endless_line(ade: Command, size: int) -> tuple[int, list[float]]:
    """Send ``size`` bytes without a newline while another client pings. Gives how many bytes the runtime's memory had grown at
    most, and the ping times in order. The line must have been refused, and the connection must still work."""
    pid = ade.json("runtime", "info")["pid"]
    process = psutil.Process(pid)
    pinger = Pinger(ade.paths.socket)
    before = process.memory_info().rss
    most = before
    pinger.start()
    piece = b"x" * 2**20
    with socket.socket(socket.AF_UNIX) as flood, flood.makefile("rb") as lines:
        flood.settimeout(60)
        flood.connect(str(ade.paths.socket))
        for _ in range(size // len(piece)):
            flood.sendall(piece)
            most = max(most, process.memory_info().rss)
        error = json.loads(lines.readline())["error"]
        assert (error["code"], str(LIMIT) in error["message"]) == (-32600, True)
        flood.sendall(b"\n" + PING)
        assert json.loads(lines.readline())["result"] == {"ok": True}
    times = pinger.stop()
    return most - before, times


def files_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208


def crowd(
    ade: Command, *, clients: int, files: int, seconds: float, settle: bool = False
) -> tuple[float, float, int]:
    """Connect ``clients`` times to a runtime that may have ``files`` files open, for ``seconds``; with ``settle`` they count
    only from when the last client was refused.

    Gives the share of one processor it used meanwhile, how long a command took afterwards, and how many more files were open
    than before.
    """
    _allow(clients + 100)
    hold = f"ulimit -n {files}; exec {ade.program} serve"
    ade.shell(hold)
    pid = ade.json("runtime", "info")["pid"]
    ade.json("runtime", "health")
    process = psutil.Process(pid)
    _until_settled(ade)
    before = files_of(pid)
    sockets = []
    for _ in range(clients):
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(10)
        one.connect(str(ade.paths.socket))
        sockets.append(one)
    if settle:
        assert b"too_many_connections" in sockets[-1].recv(65536)
    spent, began = sum(process.cpu_times()[:2]), time.monotonic()
    while time.monotonic() - began < seconds:
        time.sleep(0.1)
    share = (sum(process.cpu_times()[:2]) - spent) / (time.monotonic() - began)
    assert process.is_running()
    for one in sockets:
        one.close()
    began = time.monotonic()
    assert ade.json("runtime", "info")["pid"] == pid
    took = time.monotonic() - began
    deadline = time.monotonic() + 10
    while files_of(pid) > before + 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    return share, took, files_of(pid) - before


def _until_settled(ade: Command) -> None:
    """A runtime that has just started loads, two seconds later, what may be needed."""
    deadline = time.monotonic() + 60
    while SETTLED not in ade.paths.log.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _allow(files: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))
