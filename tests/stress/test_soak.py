"""Two hundred clients of every temper for a minute: right answers, no leak, and the others hardly notice."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.stress.crowd import CROWD
from tests.support.command import Command, command

pytestmark = [pytest.mark.stress, pytest.mark.timeout(600)]
SECONDS = float(os.environ.get("ADE_TEST_SOAK_SECONDS", "60"))
CALL = b'{"jsonrpc":"2.0","id":1,"method":"ade/actions/call","params":{"name":"runtime.health"}}\n'
QUIET_CALLS = 3000


class Probe:
    """A polite client that times plain calls."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)

    def call(self) -> float:
        start = time.perf_counter()
        self.socket.sendall(CALL)
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self.socket.recv(4096)
        assert json.loads(answer)["result"] == {"status": "ok"}
        return time.perf_counter() - start

    def while_(self, going_on: Callable[[], bool]) -> list[float]:
        found = []
        while going_on():
            found.append(self.call())
            time.sleep(0.005)
        return found


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(len(values) * share)]


def _crowd(ade: Command, project: Path, seconds: float) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "tests.stress.crowd", str(ade.paths.socket), str(seconds), str(project)]
    root = Path(__file__).parents[2]
    return subprocess.Popen(argv, cwd=root, env=ade.env, stdout=subprocess.PIPE, text=True)


def _settled(runtime: psutil.Process) -> tuple[int, int]:
    """Open files and resident bytes once their number stays the same, as it does when those who left are gone."""
    before, end = -1, time.monotonic() + 30
    while (now := runtime.num_fds()) != before and time.monotonic() < end:
        before = now
        time.sleep(1)
    return now, runtime.memory_info().rss


def test_a_minute_of_everything_at_once(tmp_path: Path) -> None:
    project = tmp_path / "project"
    with command(tmp_path) as ade:
        ade.make_project(project)
        assert ade.pid is not None
        runtime = psutil.Process(ade.pid)
        warm = _crowd(ade, project, 5)
        warm.communicate(timeout=120)
        probe = Probe(str(ade.paths.socket))
        quiet = [probe.call() for _ in range(QUIET_CALLS)]
        fds, memory = _settled(runtime)

        load = _crowd(ade, project, SECONDS)
        loaded = probe.while_(lambda: load.poll() is None)
        told = json.loads(load.communicate(timeout=60)[0])

        assert told["wrong"] == []
        assert set(told["rounds"]) == set(CROWD)
        after_fds, after_memory = _settled(runtime)
        print(f"{told['rounds']} files {fds} → {after_fds}, memory {memory >> 20} → {after_memory >> 20} MiB")
        print(
            f"p99 of a plain call: {percentile(quiet, 0.99) * 1e3:.2f} → {percentile(loaded, 0.99) * 1e3:.2f} ms"
        )
        assert after_fds <= fds
        assert after_memory <= memory * 1.1
        assert not runtime.children(recursive=True)
        assert percentile(loaded, 0.99) <= 20 * percentile(quiet, 0.99)
