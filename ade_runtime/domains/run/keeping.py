"""What keeps a run going and what it leaves: who takes part, what is taken back, assets, and work for later."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import RunAgent, RunAsset, RunFollowup, RunRecovered
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.runs import assets, followups, lineage, store
from ade_runtime.runs.document import new_agent
from ade_runtime.runs.members import OWNER, member_of
from ade_runtime.runs.plan_text import digest
from ade_runtime.runs.tasks import find, lead_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.sweep import Swept
    from ade_runtime.sessions.records import SessionRecord

MODES = ("worker", "validator")
ROLE = "agent"


class Keeping(RunDomain):
    async def enlist(self, call: Call, args: models.RunEnlistInput) -> models.RunEnlistOutput:
        member = await self._leading(call, args.run)
        session = await self._services.sessions.find(args.session)
        self._check_fit(session, args.run)

        def mutate(manifest: Manifest, now: str) -> dict[str, Any]:
            if manifest["leadState"]["planApprovedAt"] is None:
                raise errors.PlanNotApproved(run=args.run)
            row = new_agent(
                session.id, str(session.interaction_mode), args.name or session.id, now, "pending"
            )
            row |= {"tag": args.tag, "goalSummary": session.title}
            manifest["agents"].append(row)
            lineage.add(
                manifest, parent=lead_of(manifest), child=session.id, brief_digest=digest(b""), now=now
            )
            return row

        before = await self._runs.manifest(args.run)
        found = next((one for one in before["agents"] if one["sessionId"] == session.id), None)
        if found is None:
            summary = f"{args.name or session.id} takes part as {session.interaction_mode}"
            found = await self._runs.change(args.run, member.name, "enlisted", summary, mutate)
            await self._services.run_boundary.begins(session)
        etag = (await self._find(call, args.run)).etag
        return models.RunEnlistOutput(etag=etag, agent=RunAgent.from_wire(found))

    def _check_fit(self, session: SessionRecord, run: str) -> None:
        reason = None
        if session.state(self._services.clock.now()) != "live":
            reason = "it is over"
        elif session.run != run:
            reason = "it was not started for this run"
        elif session.interaction_mode not in MODES:
            reason = f"its mode is neither of {' and '.join(MODES)}"
        elif session.role != ROLE:
            reason = f"its role is {session.role}, not {ROLE}"
        if reason is not None:
            raise errors.AgentNotFit(session=session.id, reason=reason)

    async def recover_stale_tasks(
        self, call: Call, args: models.RunRecoverStaleTasksInput
    ) -> models.RunRecoverStaleTasksOutput:
        member = await self._leading(call, args.run)
        taken = [*(args.tasks or ())]
        await self._services.run_spawning.reap(args.run)
        await self._services.heartbeats.flush()

        def write(db: Connection) -> tuple[Swept, store.RunRecord]:
            self._runs.check_active(db, args.run)
            manifest = store.load(db, args.run)
            for name in taken:
                find(manifest, name)
            found = self._services.run_sweeper.sweep_in(db, args.run, member.name, taken)
            return found, store.record(db, args.run)

        found, record = await self._services.database.write(write)
        if found:
            self._services.run_sweeper.tell(record)
        items = [RunRecovered(task=one.task, holder=one.holder, reason=one.reason) for one in found.recovered]
        return models.RunRecoverStaleTasksOutput(
            etag=record.etag,
            stalled=[*found.stalled],
            ended=found.gone,
            items=items,
            total=len(items),
            next=None,
        )

    async def register_asset(
        self, call: Call, args: models.RunRegisterAssetInput
    ) -> models.RunRegisterAssetOutput:
        await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        member_of(manifest, call.identity, call.action.id)
        link = {
            "url": args.url,
            "prNumber": args.pr_number,
            "linearId": args.linear_id,
            "artifactId": args.artifact_id,
        }
        assets.check_kind(args.kind, link, args.path)
        path = await self._file(call, args, Path(manifest["bundlePath"]))
        actor = call.identity.session or OWNER

        def write(db: Connection) -> tuple[models.RunRegisterAssetOutput, store.RunRecord]:
            def changed(manifest: Manifest, now: str) -> dict[str, Any]:
                member = member_of(manifest, call.identity, call.action.id)
                return assets.register(manifest, member.name, args.kind, path, link)

            summary = f"Registered a {args.kind}"
            row = self._runs.change_in(db, args.run, actor, "asset", summary, changed)
            record = store.record(db, args.run)
            output = models.RunRegisterAssetOutput(
                etag=record.etag, state=record.state, asset=RunAsset.from_wire(row)
            )
            call.seal(db, output)
            return output, record

        output, record = await self._services.database.write(write)
        self._runs.tell(record, "asset")
        return output

    async def _file(self, call: Call, args: models.RunRegisterAssetInput, bundle: Path) -> str | None:
        """The asset's file as the manifest has it, once it is there; ``None`` for one that is only a link."""
        if args.path is None:
            return None
        if args.from_ is not None:
            lane = await self._services.lanes.resolve(call, None, write=False)
            await asyncio.to_thread(assets.copy_in, lane.path, args.from_, bundle, args.path)
        return await asyncio.to_thread(assets.check_file, bundle, args.path)

    async def record_scheduled_followup(
        self, call: Call, args: models.RunRecordScheduledFollowupInput
    ) -> models.RunRecordScheduledFollowupOutput:
        member = await self._leading(call, args.run)
        if args.schedule is not None:
            await self._services.schedules.find(args.schedule)

        def mutate(manifest: Manifest, now: str) -> dict[str, Any]:
            return followups.note(manifest, args.id, args.prompt, args.status, args.schedule, now)

        row = await self._runs.change(
            args.run, member.name, "followup", f"For later: {args.prompt}"[:400], mutate, late=True
        )
        etag = (await self._find(call, args.run)).etag
        return models.RunRecordScheduledFollowupOutput(etag=etag, followup=RunFollowup.from_wire(row))
