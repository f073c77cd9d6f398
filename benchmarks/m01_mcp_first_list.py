"""M1: from starting ``ade mcp`` to its first answer to ``tools/list``, runtime warm, against the least server of the ``mcp``
package, and against the bare interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, Side, Size, alternate, process
from benchmarks.place import ADE, place

WHAT = "ade mcp to its first tools/list, runtime warm"
PEER = Path(__file__).parent / "peers" / "mcp_server.py"
CLIENT = {"name": "benchmark", "version": "1"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}


def measure(size: Size) -> list[Row]:
    with place(files=5) as here:
        ours = first_list([str(ADE), "mcp"], here.project, here.env)
        peer = first_list([sys.executable, str(PEER)], here.project, here.env)
        bare = process([sys.executable, "-c", "pass"], cwd=here.project, env=here.env)
        times = alternate([ours, peer, bare], rounds=size.of(30, 2), warm_up=2)
    return [
        Row("M1", WHAT, times[0], "a server of the mcp package with one tool", times[1], 0.2),
        Row("M1", WHAT, times[0], "python -c pass", times[2], 3.0),
    ]


def first_list(argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Side:
    """A server started, greeted and asked for its tools; the seconds until it has answered."""

    def side() -> float:
        began = time.perf_counter()
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
        }
        with subprocess.Popen(argv, cwd=cwd, env=env, **pipes) as server:
            ask(server, {"id": 1, "method": "initialize", "params": HELLO})
            tell(server, {"method": "notifications/initialized"})
            answer = ask(server, {"id": 2, "method": "tools/list", "params": {}})
            took = time.perf_counter() - began
            server.terminate()
        if not answer["result"]["tools"]:
            raise RuntimeError("the server has no tools")
        return took

    return side


def tell(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], message: dict[str, Any]) -> Any:
    assert server.stdout is not None
    tell(server, message)
    while True:
        answer = json.loads(server.stdout.readline())
        if answer.get("id") == message["id"]:
            return answer
