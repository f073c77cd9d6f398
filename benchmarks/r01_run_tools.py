"""R1: a tool call of an agent while 50 runs with 20 agents each are at work at once, against the 50 ms it may take.

Every agent has a connection and a session of its own, claims a task, looks at the tasks, and gives its task back, each at a
moment of its own; all of them together make about fifty calls a second.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
from typing import Any

from benchmarks.measure import Row, Size
from benchmarks.place import place
from benchmarks.runs import Agent, seed

LIMIT_MS = 50.0
CALLS_A_SECOND = 50
WHAT = "tool call with {runs} runs of {agents} agents at work, {name}"


def measure(size: Size) -> list[Row]:
    runs, agents = size.of(50, 4), size.of(20, 5)
    with place(files=1) as here:
        made = asyncio.run(seed(here, runs, agents))
        socket = here.ade("runtime", "info")["socket"]
        times = sorted(asyncio.run(work(socket, made)))
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))] * 1000
    what = {"runs": runs, "agents": agents}
    median = statistics.median(times) * 1000
    return [
        Row("R1", WHAT.format(name="p99", **what), p99, "the limit", LIMIT_MS, 1.0),
        Row("R1", WHAT.format(name="p50", **what), median, "the limit", LIMIT_MS, None),
    ]


async def work(socket: str, agents: list[Agent]) -> list[float]:
    """Seconds of each call of all agents."""
    taken: list[float] = []
    seconds = 3 * len(agents) / CALLS_A_SECOND
    chance = random.Random(7)
    pauses = [sorted(chance.uniform(0, seconds) for _ in range(3)) for _ in agents]

    async def one(agent: Agent, moments: list[float], began: asyncio.Event, start: list[float]) -> None:
        reader, writer = await asyncio.open_unix_connection(socket, limit=16 * 2**20)
        await _request(reader, writer, "ade/initialize", {"session_token": agent.token})
        named = {"run": agent.run, "task": agent.task}
        calls = [
            ("run.claim_task", named),
            ("run.tasks", {"run": agent.run, "limit": 20}),
            ("run.release_task", {**named, "status": "done", "summary": "It works."}),
        ]
        await began.wait()
        for moment, (name, arguments) in zip(moments, calls, strict=True):
            await asyncio.sleep(max(0.0, start[0] + moment - time.perf_counter()))
            before = time.perf_counter()
            await _request(reader, writer, "ade/actions/call", {"name": name, "arguments": arguments})
            taken.append(time.perf_counter() - before)
        writer.close()

    await _warm_up(socket, agents[0])
    began, start = asyncio.Event(), [0.0]
    tasks = [asyncio.create_task(one(a, m, began, start)) for a, m in zip(agents, pauses, strict=True)]
    await asyncio.sleep(1 + len(agents) / 200)  # until all are connected
    start[0] = time.perf_counter()
    began.set()
    await asyncio.gather(*tasks)
    return taken


async def _warm_up(socket: str, agent: Agent) -> None:
    """Have the runtime load what the first call of a kind loads."""
    reader, writer = await asyncio.open_unix_connection(socket)
    await _request(reader, writer, "ade/initialize", {"session_token": agent.token})
    for _ in range(20):
        arguments = {"run": agent.run, "task": agent.task}
        await _request(reader, writer, "ade/actions/call", {"name": "run.claim_task", "arguments": arguments})
    writer.close()


async def _request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, params: dict[str, Any]
) -> Any:
    writer.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    answer = json.loads(await reader.readline())
    if "result" not in answer:
        raise RuntimeError(f"{method}: {answer}")
    return answer["result"]
