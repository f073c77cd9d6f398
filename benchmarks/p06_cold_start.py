"""P6: from ``ade serve`` to the first answer, against ``python -c "import pydantic"``. The first answer is a ping's; the first
action's, for which models are loaded, is told beside it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, Size, alternate, process
from benchmarks.p03_call import METHOD, PARAMS
from benchmarks.place import ADE, environment

GOAL = 2.0
JsonObject = dict[str, Any]
PING: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
CALL: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": METHOD, "params": PARAMS}


def measure(size: Size) -> list[Row]:
    base = Path(tempfile.mkdtemp(prefix="ade-bench-")).resolve()
    try:
        env = {k: v for k, v in environment(base).items() if k != "PYTHONDONTWRITEBYTECODE"}
        ping, action = ColdStart(base, env, PING), ColdStart(base, env, CALL)
        command = Detached(base, env)
        for side in (ping, action, command):
            side.seconds()  # writes byte code and makes the home
        python = process([sys.executable, "-I", "-c", "import pydantic"], cwd=base, env=env)
        sides = [ping.seconds, python, action.seconds, command.seconds]
        times = alternate(sides, rounds=size.of(25, 3), warm_up=2)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    peer = 'python -c "import pydantic"'
    return [
        Row("P6", "ade serve --foreground to its first answer", times[0], peer, times[1], GOAL),
        Row("P6", "… to the first answer of an action", times[2], peer, times[1], None),
        Row("P6", "a command that starts the runtime", times[3], peer, times[1], None),
    ]


class ColdStart:
    """Starts a runtime in the foreground, sends one request as soon as somebody listens, and ends it once it is answered."""

    def __init__(self, base: Path, env: dict[str, str], request: JsonObject) -> None:
        self._request = request
        self._base = base
        self._env = env | {"ADE_HOME": str(base / "cold")}
        self._path = str(base / "cold" / "sock" / "ade.sock")

    def seconds(self) -> float:
        began = time.perf_counter()
        runtime = subprocess.Popen(
            [ADE, "serve", "--foreground"],
            cwd=self._base,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert runtime.stdout is not None
            runtime.stdout.readline()
            ask(self._path, self._request)
            return time.perf_counter() - began
        finally:
            runtime.send_signal(signal.SIGTERM)
            runtime.communicate()


class Detached:
    """A command that finds no runtime, starts it and is answered."""

    def __init__(self, base: Path, env: dict[str, str]) -> None:
        self._base = base
        self._env = env | {"ADE_HOME": str(base / "detached")}

    def seconds(self) -> float:
        began = time.perf_counter()
        done = subprocess.run([ADE, "runtime", "info"], cwd=self._base, env=self._env, capture_output=True)
        took = time.perf_counter() - began
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        watch = os.pidfd_open(json.loads(done.stdout)["pid"])
        subprocess.run([ADE, "runtime", "stop"], env=self._env, capture_output=True, check=True)
        os.close(watch)
        return took


def ask(path: str, request: JsonObject) -> None:
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as lines:
        connection.connect(path)
        connection.sendall(json.dumps(request).encode() + b"\n")
        if b'"result"' not in lines.readline():
            raise RuntimeError("the runtime gave no answer")
