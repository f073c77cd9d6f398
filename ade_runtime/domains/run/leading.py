"""Having a managed chat lead a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import Run
from ade_runtime.domains.run.shared import RunDomain, run_document
from ade_runtime.runs import store as runs
from ade_runtime.runs.boundary import store as outside
from ade_runtime.runs.plan_text import digest

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.store import RunRecord


class Leading(RunDomain):
    async def lead(self, call: Call, args: models.RunLeadInput) -> Run:
        from ade_runtime.chat import store as chats
        from ade_runtime.chat.records import ChatRecord

        await self._leading(call, args.run)
        record, manifest = await self._find(call, args.run), await self._runs.manifest(args.run)
        if record.state != "active":
            raise errors.RunOver(run=args.run)
        await self._services.run_spawning.check_program(args.provider, args.permission_mode)
        plan = digest(await self._runs.plan(manifest))
        now = self._services.sessions.now()
        chat = ChatRecord(
            session=record.lead,
            state="idle",
            title=record.title,
            provider=args.provider,
            model=args.model,
            effort=args.effort,
            permission_mode=args.permission_mode,
            role="orchestrator",
            project=record.project,
            lane=record.lane,
            created_at=now,
            updated_at=now,
        )

        def write(db: Connection) -> Run:
            self._runs.check_active(db, args.run)
            there = chats.get(db, record.lead)
            if there is not None:
                raise errors.RunLed(run=args.run, session=record.lead, provider=there.provider)
            chats.add(db, chat)
            chats.enqueue(
                db, record.lead, _opening(record, manifest), now, steer=False, identity=call.identity.key
            )
            told = run_document(runs.record(db, args.run), manifest, plan, outside.count(db, args.run))
            if call.receipt is not None:
                call.receipt.fulfil(db, told)
            return told

        told = await self._services.database.write(write)
        self._services.chats.wake(record.lead)
        return told


def _opening(record: RunRecord, manifest: Manifest) -> str:
    """The first message of a chat that leads; how a run is led is in its prompt."""
    return (
        f"You lead this run. Run {record.id}: {record.title}\n\nGoal: {manifest['goalSummary']}\n\n"
        f"plan.md is in {manifest['bundlePath']}."
    )
