"""P13: an agent claims a task and gives it back, in a run of 2,000 tasks with a long history, against one of 20 tasks."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import time
from typing import Any

from benchmarks.measure import Row, Side, Size, alternate
from benchmarks.place import Place, place
from benchmarks.runs import Agent, seed

SMALL = 20


def measure(size: Size) -> list[Row]:
    many, changes, rounds = size.of(2000, 100), size.of(5000, 10), size.of(15, 3)
    with place(files=1) as here:
        small = asyncio.run(seed(here, 1, 1, tasks=SMALL))[0]
        large = asyncio.run(seed(here, 1, 1, tasks=many, changes=changes))[0]
        address = here.ade("runtime", "info")["socket"]
        ours, theirs = alternate([side(here, address, large), side(here, address, small)], rounds)
    what = f"claim and release, {many} tasks, {changes} changes before"
    return [Row("P13", what, ours, f"the same, {SMALL} tasks", theirs, 3.0)]


def side(here: Place, address: str, agent: Agent) -> Side:
    """The next task of the agent's run, claimed and given back done, over a connection of its own."""
    stream = socket.socket(socket.AF_UNIX)
    stream.connect(address)
    lines = stream.makefile("rwb")

    def ask(method: str, params: dict[str, Any]) -> None:
        lines.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
        )
        lines.flush()
        answer = json.loads(lines.readline())
        if "result" not in answer:
            raise RuntimeError(f"{method}: {answer}")

    def call(action: str, task: int, **more: str) -> None:
        arguments = {"run": agent.run, "task": f"T-{task}", **more}
        ask("ade/actions/call", {"name": action, "arguments": arguments, "cwd": str(here.project)})

    ask("ade/initialize", {"session_token": agent.token})
    tasks = itertools.count()

    def once() -> float:
        task = next(tasks)
        began = time.perf_counter()
        call("run.claim_task", task)
        call("run.release_task", task, status="done", summary="It works.")
        return time.perf_counter() - began

    return once
