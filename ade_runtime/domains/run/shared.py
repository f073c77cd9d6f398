"""What the actions about runs share: finding the run, who asks, and how it stands in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models.types import Run
from ade_runtime.runs import readiness
from ade_runtime.runs.boundary import store
from ade_runtime.runs.members import Member, leading, member_of
from ade_runtime.runs.plan_text import digest
from ade_runtime.runs.planning import planning_of

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.service import Runs
    from ade_runtime.runs.store import RunRecord
    from ade_runtime.services import Services


class RunDomain:
    """Base of the modules of this domain."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @property
    def _runs(self) -> Runs:
        return self._services.runs

    async def _find(self, call: Call, run: str) -> RunRecord:
        """A run of the call's project; raises ``run_not_found``."""
        call.subject = run
        return await self._runs.find(call.project.id, run)

    async def _member(self, call: Call, run: str) -> Member:
        """Who asks, where they take part in the run; raises ``policy_denied`` for everybody else."""
        await self._find(call, run)
        return member_of(await self._runs.manifest(run), call.identity, call.action.id)

    async def _leading(self, call: Call, run: str) -> Member:
        """Who asks, where it is the run's lead or acts for it; raises ``policy_denied`` otherwise."""
        await self._find(call, run)
        return leading(await self._runs.manifest(run), call.identity, call.action.id)

    async def _told(self, call: Call, run: str) -> Run:
        record = await self._find(call, run)
        manifest = await self._runs.manifest(run)
        plan = digest(await self._runs.plan(manifest))
        outside = await self._services.database.read(lambda db: store.count(db, run))
        return run_document(record, manifest, plan, outside)


def run_document(record: RunRecord, manifest: Manifest, plan: str, outside: int = 0) -> Run:
    """How a run stands; ``plan`` is the SHA-256 of plan.md as it is, ``outside`` how much was changed outside of lanes."""
    planning, approval = planning_of(manifest), manifest["planSpec"]["approval"]
    approved = manifest["leadState"]["planApprovedAt"] is not None
    pending = planning["pendingQuestion"]
    finishing = manifest["finishing"]
    missing = [] if approved else readiness.lacking(manifest)
    drifted = approved and approval["planHash"] != plan
    return Run(
        id=record.id,
        title=record.title,
        goal=manifest["goalSummary"],
        state=record.state,
        phase=manifest["currentPhase"],
        stage=planning["stage"],
        approval=approval["state"],
        light=readiness.is_light(manifest),
        missing=missing,
        question=None if pending is None else pending["questionId"],
        asks=None if pending is None else pending["kind"],
        plan_sha256=plan,
        plan_drifted=drifted,
        finishing=None if finishing is None else finishing["mode"],
        lane=record.lane,
        lead=record.lead,
        bundle=manifest["bundlePath"],
        tasks=len(manifest["tasks"]),
        done=sum(one["status"] == "done" for one in manifest["tasks"]),
        agents=len(manifest["agents"]),
        outside=outside,
        etag=manifest["etag"],
        generation=manifest["serverGeneration"],
        created_at=record.created_at,
        updated_at=record.updated_at,
        next=_next(record, manifest, missing, drifted=drifted),
    )


def _next(record: RunRecord, manifest: Manifest, missing: list[str], *, drifted: bool) -> str:
    planning = planning_of(manifest)
    pending = planning["pendingQuestion"]
    if record.state != "active":
        return f"Nothing; the run was {record.state}."
    if pending is not None and pending["kind"] == "approval":
        return f"Read the plan with `ade runs plan {record.id}`; `ade runs approve {record.id}` approves it."
    if pending is not None:
        return (
            f"`ade runs answer {record.id} ANSWER` answers it; whoever asked may wait on with the same call."
        )
    if drifted:
        return "plan.md was changed after it was approved: the lead asks for approval again, or puts it back."
    if manifest["leadState"]["planApprovedAt"] is not None:
        return "The plan is approved."
    if planning["stage"] == "intake":
        return f"`ade sessions attach {record.lead}` makes a shell its lead, which tells what is in the code first."
    return f"The lead goes on with {missing[0]}." if missing else "The lead asks for approval of the plan."
