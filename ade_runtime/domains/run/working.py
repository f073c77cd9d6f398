"""What workers and validators do: claim tasks, give them back, and record what was checked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import RunCheck, RunFindingGiven, RunTask, RunTaskStanding
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.runs import checks, claims, heartbeats, outbox, phases, releases, store
from ade_runtime.runs.document import PHASES, instant
from ade_runtime.runs.members import OWNER, Member, member_of
from ade_runtime.runs.tasks import Task, agent_of, find, lead_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.wire import WireModel

O = TypeVar("O", bound="WireModel")  # noqa: E741
Told = tuple[str, str, str | None]
"""What the lead is told: the kind, the words, and the task they are about."""

FINDING = ("locus", "detail", "fix", "behaviorPreserving", "regressionTestTarget")


class Working(RunDomain):
    async def claim_task(self, call: Call, args: models.RunClaimTaskInput) -> RunTaskStanding:
        now = self._services.sessions.now()
        lease = timedelta(seconds=args.lease)

        def mutate(db: Connection, manifest: Manifest, member: Member, at: str) -> Task:
            holder = find(manifest, args.task)["assigneeSessionId"]
            others = [] if holder in (None, member.session) else [holder]
            beats = heartbeats.heard(db, args.run, others) if others else {}
            return claims.claim(manifest, member, args.task, lease, now, heartbeats.times(beats))

        return await self._work(call, args.run, "claimed", f"Claimed {args.task}", mutate, _standing)

    async def release_task(self, call: Call, args: models.RunReleaseTaskInput) -> RunTaskStanding:
        said = releases.Release(result=args.status, evidence=tuple(args.evidence or ()), summary=args.summary)

        def mutate(db: Connection, manifest: Manifest, member: Member, at: str) -> Task:
            released = releases.release(manifest, member, args.task, said, at)
            name = agent_of(manifest, str(member.session))["displayName"]
            self._tell_lead(db, manifest, member, _told_of_release(name, args.task, said))
            return released.task

        summary = f"Gave {args.task} back: {args.status}"
        standing = await self._work(call, args.run, "released", summary, mutate, _standing)
        self._services.run_boundary.looks_soon(call.identity.session)
        return standing

    async def record_validation_run(
        self, call: Call, args: models.RunRecordValidationRunInput
    ) -> models.RunRecordValidationRunOutput:
        said = checks.Check(
            step=args.step,
            task=args.task,
            passed=args.passed,
            findings=[_finding(one) for one in args.findings or ()],
            evidence=tuple(args.evidence or ()),
        )

        def mutate(db: Connection, manifest: Manifest, member: Member, at: str) -> dict[str, Any]:
            row = checks.record(manifest, member, said, at)
            self._tell_lead(db, manifest, member, _told_of_check(said))
            return row

        def shown(
            manifest: Manifest, member: Member, row: dict[str, Any]
        ) -> models.RunRecordValidationRunOutput:
            lacking = (
                checks.gate_lacks(manifest, find(manifest, args.task))
                if args.task is not None
                else phases.lacking(manifest)
            )
            return models.RunRecordValidationRunOutput(
                etag=manifest["etag"],
                phase=manifest["currentPhase"],
                check=RunCheck.from_wire(row),
                lacking=lacking,
            )

        about = args.step if args.task is None else f"{args.step} of {args.task}"
        summary = f"{about}: {'passed' if args.passed else 'did not pass'}"
        output = await self._work(call, args.run, "checked", summary, mutate, shown)
        self._services.run_boundary.looks_soon(call.identity.session)
        return output

    async def _work(
        self,
        call: Call,
        run: str,
        kind: str,
        summary: str,
        mutate: Callable[[Connection, Manifest, Member, str], Any],
        shown: Callable[[Manifest, Member, Any], O],
    ) -> O:
        """Change a run as one of its workers or validators, with the answer and its audit in the same transaction."""
        call.subject = run
        actor = call.identity.session or OWNER

        def write(db: Connection) -> tuple[O, store.RunRecord]:
            record = store.record(db, run)
            if record.project != call.project.id:
                raise errors.RunNotFound(run=run)
            if record.state != "active":
                raise errors.RunOver(run=run)
            manifest, now = self._runs.kept.take(db, run), self._services.sessions.now()
            member = _working(manifest, call)
            result = mutate(db, manifest, member, instant(now))
            self._runs.put(db, manifest, actor, kind, summary, now)
            output = shown(manifest, member, result)
            call.seal(db, output)
            return output, store.changed(record, manifest)

        output, record = await self._services.database.write(write)
        self._runs.tell(record, kind)
        return output

    def _tell_lead(self, db: Connection, manifest: Manifest, member: Member, told: Told) -> None:
        kind, text, task = told
        outbox.enqueue(
            db,
            manifest["runId"],
            kind="completion" if kind == "completion" else "ping",
            target=lead_of(manifest),
            text=text[:8000],
            at=self._services.sessions.now(),
            task=task,
            sender=member.session,
        )


def _working(manifest: Manifest, call: Call) -> Member:
    """Who asks, where it is a worker or a validator of the run; raises ``policy_denied`` for everybody else."""
    member = member_of(manifest, call.identity, call.action.id)
    if member.role == "lead" or member.session is None:
        reason = f"Only a worker or validator of run {manifest['runId']} may."
        raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
    return member


def _standing(manifest: Manifest, member: Member, task: Task) -> RunTaskStanding:
    agent = agent_of(manifest, str(member.session))
    return RunTaskStanding(
        run=manifest["runId"],
        state="completed" if phases.is_completed(manifest) else "active",
        phase=manifest["currentPhase"],
        etag=manifest["etag"],
        task=RunTask.from_wire(task),
        agent=agent["status"],
        next=_next(manifest, task, agent),
    )


def _next(manifest: Manifest, task: Task, agent: dict[str, Any]) -> str:
    if task["status"] == "review":
        lacking = checks.gate_lacks(manifest, task)
        return f"Wait for {', '.join(lacking)}." if lacking else "Its gate has passed; give it back as done."
    if task["status"] in ("claimed", "in_progress"):
        gate = task["validationGate"]
        steps = ", ".join(gate["stepIds"])
        gated = f" Its gate needs {steps}: give it back for review first." if gate["required"] else ""
        return f"Work at it in your lane, commit, and give it back.{gated}"
    if agent["currentStepId"] is not None:
        return f"You still hold {agent['currentStepId']}."
    begun = PHASES[: PHASES.index(manifest["currentPhase"]) + 1]
    open_ones = [
        one["id"] for one in manifest["tasks"] if one["status"] == "pending" and one["phaseId"] in begun
    ]
    return f"Open: {', '.join(open_ones[:10])}." if open_ones else "Nothing else is open."


def _told_of_release(name: str, task: str, said: releases.Release) -> Told:
    if said.result in ("done", "failed"):
        text = (
            f"{name} is done with task {task}"
            if said.result == "done"
            else f"{name} has failed at task {task}"
        )
        evidence = "".join(f"\n- {one}" for one in said.evidence)
        return "completion", f"{text}: {said.summary}{evidence}", task
    waits = "for review" if said.result == "review" else "for somebody else to do"
    return "ping", f"{name} gives task {task} back {waits}: {said.summary}", task


def _told_of_check(said: checks.Check) -> Told:
    about = "the run" if said.task is None else f"task {said.task}"
    found = "".join(f"\n- {one['severity']}: {one['title']}" for one in said.findings)
    verdict = "passed" if said.passed else "did not pass"
    return "ping", f"Step {said.step} of {about} {verdict}.{found}", said.task


def _finding(given: RunFindingGiven) -> dict[str, Any]:
    found: dict[str, Any] = given.to_wire()
    return dict.fromkeys(FINDING) | found
