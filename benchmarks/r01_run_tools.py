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
from dataclasses import dataclass
from typing import Any

from ade_runtime.client.in_process import Runtime
from ade_runtime.runs import lineage, planning, store
from ade_runtime.runs.document import Manifest, instant, new_agent, new_manifest, new_step, new_task
from ade_runtime.runs.phases import enter
from ade_runtime.sessions import store as sessions
from ade_runtime.sessions import tokens
from ade_runtime.sessions.records import SessionRecord
from ade_runtime.storage.ids import new_id
from benchmarks.measure import Row, Size
from benchmarks.place import Place, place

LIMIT_MS = 50.0
CALLS_A_SECOND = 50
WHAT = "tool call with {runs} runs of {agents} agents at work, {name}"


@dataclass(frozen=True, slots=True)
class Agent:
    run: str
    task: str
    token: str


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


async def seed(here: Place, runs: int, agents: int) -> list[Agent]:
    """Approved runs with their sessions, as spawning would leave them, without any program."""
    from pathlib import Path

    made: list[Agent] = []
    async with Runtime.open(Path(here.env["ADE_HOME"])) as runtime:
        (project,) = await runtime.services.projects.all()
        lane = (await runtime.services.lanes.all(project))[0]
        now = runtime.services.sessions.now()

        def write(db: Any) -> None:
            for _ in range(runs):
                run = new_id("run")
                lead = _session(db, project.id, lane.id, run, "orchestrator", "lead", now)
                manifest = _manifest(run, lane.id, str(here.base / run), lead[0], now)
                for number in range(agents):
                    session, token = _session(db, project.id, lane.id, run, "agent", "worker", now)
                    manifest["agents"].append(new_agent(session, "worker", session, instant(now), "pending"))
                    lineage.add(
                        manifest, parent=lead[0], child=session, brief_digest="0" * 64, now=instant(now)
                    )
                    task = {"id": f"T-{number}", "title": "A part", "description": "What it is about. " * 20}
                    manifest["tasks"].append({**task, **new_task()})
                    made.append(Agent(run, task["id"], token))
                store.add(db, project.id, manifest, "benchmark", now)

        await runtime.services.database.write(write)
    return made


def _manifest(run: str, lane: str, bundle: str, lead: str, now: Any) -> Manifest:
    found = new_manifest(
        run=run, lane=lane, bundle=bundle, title="R", goal="G", lead=lead, at=now, etag=new_id(store.ETAG)
    )
    at = instant(now)
    intake = dict.fromkeys(("projectShape", "testStack", "inFlightWork"), "x") | {"touchesUiSurface": False}
    intake |= {"ancillarySurfaces": [], "docMap": [], "ciGates": [], "goalSource": None}
    planned = planning.planning_of(found)
    planned |= {"intake": intake, "stage": "ready"}
    planned["lightPlan"] = {"summary": "x", "questionId": None, "at": at}
    step = {"id": "tests", "concern": "Tests", "prompt": "Run them.", **new_step()}
    found["validationStrategy"]["steps"].append(step)
    found["planSpec"]["approval"] |= {"state": "approved", "planHash": "0" * 64, "decidedAt": at}
    found["leadState"] |= {"planApprovedAt": at, "planApprovedBySessionId": "owner"}
    enter(found, "developing")
    return found


def _session(db: Any, project: str, lane: str, run: str, role: str, mode: str, now: Any) -> tuple[str, str]:
    token = tokens.mint()
    record = SessionRecord(
        id=new_id("ses"),
        token_hash=tokens.digest(token),
        role=role,
        kind="worker",
        provider=None,
        title="Benchmark",
        project=project,
        lane=lane,
        run=run,
        chat=None,
        parent=None,
        interaction_mode=mode,
        capability_mode="full_tooling",
        standalone=False,
        started_at=now,
    )
    sessions.add(db, record)
    return record.id, token


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
