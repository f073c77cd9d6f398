"""Ten thousand schedules cost nothing while they wait, and a thousand that are due at once hold nobody up."""

from __future__ import annotations

import json
import socket
import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from ade_runtime.server.lifecycle import SETTLED
from tests.support.command import Command, command

pytestmark = [pytest.mark.stress, pytest.mark.timeout(600)]
WAITING = 10_000
DUE = 1_000
IDLE_SECONDS = 10.0
NOTICE = 6.0
"""Seconds from the making of what is due at once to its time."""


def test_many_schedules_are_idle_and_many_at_once_hold_nobody_up(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        _prepare(ade, tmp_path / "project")
        ade.json("runtime", "info")
        runtime = psutil.Process(ade.pid)
        with _Caller(ade) as caller:
            quiet = caller.latencies(lambda: len(caller.seen) < 1000)
        _wait_until_settled(ade)
        assert _cpu(runtime, IDLE_SECONDS) < 0.01 * IDLE_SECONDS
        ade.json("runtime", "stop")
        due_at = _copy(ade, DUE, int((time.time() + NOTICE) * 1000), 0)
        ade.json("runtime", "info")
        with _Caller(ade) as caller:
            caller.latencies(lambda: time.time() * 1000 < due_at - 100)
            busy = caller.latencies(lambda: len(_fired(ade)) < DUE and time.time() * 1000 < due_at + 60_000)
    late = [at - due_at for at in _fired(ade)]
    told = f"{len(late)} firings, late {min(late)} to {max(late)} ms; p99 {_p99(busy):.2f} ms, quiet {_p99(quiet):.2f} ms"
    print(told)
    assert len(late) == DUE, told
    assert max(late) < 1000, told
    assert _p99(busy) < 5 * max(_p99(quiet), 1.0), told


def _wait_until_settled(ade: Command) -> None:
    """What a runtime puts off until its first callers have their answers is no cost of waiting."""
    end = time.monotonic() + 60
    while SETTLED not in ade.paths.log.read_text():
        assert time.monotonic() < end
        time.sleep(0.1)


def _prepare(ade: Command, project: Path) -> None:
    """A schedule that tells a chat, one that performs an action, and ten thousand more that are far off."""
    ade.make_project(project)
    chat = ade.json("chats", "create", cwd=project)["session"]
    ade.json("chats", "pause", chat, cwd=project)
    ade.json("schedules", "create", "Look.", "--session", chat, "--in", "300d", cwd=project)
    ade.json("schedules", "create", "--run", "lane.list", "--in", "300d", cwd=project)
    ade.json("runtime", "stop")
    _copy(ade, WAITING, int((time.time() + 86400 * 300) * 1000), 1)


def _copy(ade: Command, count: int, due_at: int, step: int) -> int:
    """Rows like the two that were made, due at an instant in milliseconds or one after another from there on."""
    with sqlite3.connect(ade.paths.database) as db:
        db.row_factory = sqlite3.Row
        models = [dict(row) for row in db.execute("SELECT * FROM schedules ORDER BY created_at LIMIT 2")]
        rows = [
            models[number % 2] | {"id": f"sch_{due_at}_{number}", "next_at": due_at + number * step}
            for number in range(count)
        ]
        columns = list(models[0])
        marks = ", ".join("?" for _ in columns)
        db.executemany(
            f"INSERT INTO schedules ({', '.join(columns)}) VALUES ({marks})",
            [[row[name] for name in columns] for row in rows],
        )
    db.close()
    return due_at


def _fired(ade: Command) -> list[int]:
    with sqlite3.connect(f"file:{ade.paths.database}?mode=ro", uri=True) as db:
        found = [
            row[0] for row in db.execute("SELECT fired_at FROM schedule_firings WHERE state = 'delivered'")
        ]
    db.close()
    return found


def _cpu(process: psutil.Process, seconds: float) -> float:
    """Seconds of processor time that a process takes while nobody asks for anything."""
    before = sum(process.cpu_times()[:2])
    time.sleep(seconds)
    return float(sum(process.cpu_times()[:2]) - before)


def _p99(latencies: list[float]) -> float:
    return statistics.quantiles(latencies, n=100)[98]


class _Caller:
    """Makes one plain call after another over one connection."""

    def __init__(self, ade: Command) -> None:
        self.seen: list[float] = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(ade.paths.socket))
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> _Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def latencies(self, more: Callable[[], bool]) -> list[float]:
        """Milliseconds of calls, made while ``more`` says so."""
        self.seen = []
        request: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ade/actions/call"}
        request["params"] = {"name": "runtime.health", "arguments": {}}
        line = json.dumps(request).encode() + b"\n"
        while more():
            begun = time.perf_counter()
            self._socket.sendall(line)
            assert b'"ok"' in self._lines.readline()
            self.seen.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.002)
        return self.seen
