"""P6: from ``ade serve`` to the first answer of an action, against ``python -c "import pydantic"``."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import Row, Size, alternate, process
from benchmarks.p03_call import METHOD, PARAMS
from benchmarks.place import ADE, environment

GOAL = 2.0


def measure(size: Size) -> list[Row]:
    import tempfile

    base = Path(tempfile.mkdtemp(prefix="ade-bench-")).resolve()
    try:
        env = environment(base)
        cold = ColdStart(base, env)
        cold.seconds()  # writes byte code and the first home
        python = process([sys.executable, "-I", "-c", "import pydantic"], cwd=base, env=env)
        models = process([sys.executable, "-I", "-c", "import pydantic; pydantic.BaseModel"], cwd=base, env=env)
        command = Detached(base, env)
        times = alternate([cold.seconds, python, models, command.seconds], rounds=size.of(25, 3), warm_up=2)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    what = "ade serve --foreground to its first answer"
    return [
        Row("P6", what, times[0], 'python -c "import pydantic"', times[1], GOAL),
        Row("P6", what, times[0], "the same with BaseModel, which loads it", times[2], None),
        Row("P6", "a command that starts the runtime", times[3], 'python -c "import pydantic"', times[1], None),
    ]


class ColdStart:
    """Starts a runtime in the foreground, calls one action as soon as somebody listens, and ends it."""

    def __init__(self, base: Path, env: dict[str, str]) -> None:
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
            ask(self._path)
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


def ask(path: str) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": METHOD, "params": PARAMS}
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as lines:
        connection.connect(path)
        connection.sendall(json.dumps(request).encode() + b"\n")
        if b'"result"' not in lines.readline():
            raise RuntimeError("the runtime gave no answer")
