"""Runs to measure, as spawning would leave them, without any program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from ade_runtime.client.in_process import Runtime
from ade_runtime.runs import lineage, planning, store
from ade_runtime.runs.document import Manifest, instant, new_agent, new_manifest, new_step, new_task
from ade_runtime.runs.phases import enter
from ade_runtime.sessions import store as sessions
from ade_runtime.sessions import tokens
from ade_runtime.sessions.records import SessionRecord
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import run_history
from benchmarks.place import Place


@dataclass(frozen=True, slots=True)
class Agent:
    run: str
    task: str
    token: str


async def seed(here: Place, runs: int, agents: int, tasks: int = 0, changes: int = 1) -> list[Agent]:
    """Approved runs with their sessions. Each agent has a task; ``tasks`` makes them more, and ``changes`` is how long the
    history of a run is."""
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
                    made.append(Agent(run, f"T-{number}", token))
                for number in range(max(agents, tasks)):
                    task = {**new_task(), "id": f"T-{number}", "title": "A part"}
                    manifest["tasks"].append(task | {"description": "What it is about. " * 20})
                manifest["serverGeneration"] = changes
                store.add(db, project.id, manifest, "benchmark", now)
                past = {"run_id": run, "at": 0, "actor": "benchmark", "kind": "patched", "summary": "x"}
                rows = [past | {"generation": one, "etag": "etg"} for one in range(1, changes)]
                if rows:
                    db.execute(insert(run_history), rows)

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
