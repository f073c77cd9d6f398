"""What a person does with runs: make them, answer them, approve their plans, stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import Run
from ade_runtime.domains.run.shared import RunDomain, run_document
from ade_runtime.pipeline.identify import may_be
from ade_runtime.runs import cancelling
from ade_runtime.runs.members import LEADS_FROM, leading
from ade_runtime.runs.outcomes import APPROVE
from ade_runtime.runs.plan_text import digest
from ade_runtime.runs.planning import planning_of
from ade_runtime.sessions.records import SessionRecord

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.store import RunRecord

DECIDES_FROM = "cto"
"""Lowest role whose sessions approve plans; the owner in person always may."""


_DECLINED = {
    "round_cancelled",
    "override_declined",
    "light_plan_declined",
    "models_declined",
    "plan_rejected",
}
"""What the lead must be told of as an error, and the person who decided so not."""


class Deciding(RunDomain):
    async def create(self, call: Call, args: models.RunCreateInput) -> Run:
        from ade_runtime.sessions import store as sessions

        if call.identity.session is not None and not may_be(LEADS_FROM, call.identity):
            reason = f"Only the owner, or a session of role {LEADS_FROM}, makes runs."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        lane = await self._services.lanes.resolve(call, args.lane, write=False)
        run = call.subject = self._runs.new_identifier()
        lead, _ = self._services.sessions.prepared(self._draft(call, run, lane, args.title))
        plan = digest(f"# {args.title}\n\n## Goal\n\n{args.goal}\n".encode())

        def keep(db: Connection, record: RunRecord, manifest: Manifest) -> None:
            sessions.add(db, lead)
            if call.receipt is not None:
                call.receipt.fulfil(db, run_document(record, manifest, plan))

        await self._runs.create(
            run,
            lane,
            title=args.title,
            goal=args.goal,
            lead=lead.id,
            actor=call.identity.key,
            done=keep,
        )
        self._services.sessions.changed()
        return await self._told(call, run)

    async def answer(self, call: Call, args: models.RunAnswerInput) -> Run:
        pending = await self._pending(call, args.run, "question")
        if pending["kind"] == "approval":
            self._check_decides(call)
        question = await self._services.questions.find(pending["questionId"])
        given: dict[str, list[str]] | None = None
        if not args.dismiss:
            given = {question.parts[0].id: [*(args.answer or ())]}
            if args.reason is not None:
                given["reason"] = [args.reason]
        return await self._settled(call, args.run, question.id, given)

    async def approve(self, call: Call, args: models.RunApproveInput) -> Run:
        await self._find(call, args.run)
        self._check_decides(call)
        await self._services.run_questions.settle(args.run)
        told = await self._told(call, args.run)
        settled = told.approval == "approved" and not told.plan_drifted
        if settled and args.changes is None and args.sha256 in (None, told.plan_sha256):
            return told  # in whichever way it was answered, it was this answer
        pending = await self._pending(call, args.run, "approval")
        reviewed = pending["payload"]["sha256"]
        if args.sha256 is not None and args.sha256 != reviewed:
            raise errors.PlanChangedAfterReview(reviewed=reviewed, found=args.sha256)
        given = {"decision": [args.changes or APPROVE]}
        if args.changes == APPROVE:
            given = {"decision": [f"Change: {args.changes}"]}
        return await self._settled(call, args.run, pending["questionId"], given)

    async def cancel(self, call: Call, args: models.RunCancelInput) -> Run:
        record = await self._find(call, args.run)
        leading(await self._runs.manifest(args.run), call.identity, call.action.id)
        if (
            record.state != "cancelled" or args.work != "revert"
        ):  # what was killed before its lanes were gone is gone on with
            await self._runs.cancel(args.run, call.identity.key, args.reason)
        if args.work == "revert":
            gone, left = await cancelling.revert(self._services, args.run)
            for name in gone:
                call.progress(f"Deleted lane {name}", None)
            for name in left:
                call.progress(f"Lane stays: {name}", None)
        return await self._told(call, args.run)

    def _draft(self, call: Call, run: str, lane: LaneRecord, title: str) -> SessionRecord:
        """The session that leads the run. Nobody holds its token: a program becomes it by being attached."""
        return SessionRecord(
            id="",
            token_hash="",
            role=LEADS_FROM,
            kind="worker",
            provider=None,
            title=f"Lead: {title}"[:200],
            project=lane.project.id,
            lane=lane.id,
            run=run,
            chat=None,
            parent=call.identity.session,
            interaction_mode="lead",
            capability_mode="full_tooling",
            standalone=False,
            started_at=self._services.sessions.now(),
        )

    async def _pending(self, call: Call, run: str, what: str) -> dict[str, Any]:
        """What the run asks; raises ``nothing_asked`` where it asks nothing, or no ``approval`` where that is meant."""
        await self._find(call, run)
        await self._services.run_questions.settle(run)
        pending = planning_of(await self._runs.manifest(run))["pendingQuestion"]
        if pending is None or (what == "approval" and pending["kind"] != what):
            raise errors.NothingAsked(run=run, what=what)
        found: dict[str, Any] = pending
        return found

    async def _settled(self, call: Call, run: str, question: str, given: dict[str, list[str]] | None) -> Run:
        await self._services.questions.settle(question, given, call.identity.key)
        refusal = await self._services.run_questions.settle(run)
        if refusal is not None and refusal.code not in _DECLINED:
            raise refusal
        return await self._told(call, run)

    @staticmethod
    def _check_decides(call: Call) -> None:
        if call.identity.session is not None and not may_be(DECIDES_FROM, call.identity):
            reason = "Plans are approved by the owner in person, or by the CTO."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
