"""Starting an agent of a run: a chat in a lane of its own, its row, its edge, and the promise of its brief.

Before anything is made a receipt says what will be. The lane comes next, and then all the rest in one transaction with the
receipt's answer. So a call that was killed anywhere in between goes on where it was, and nothing is there twice.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_generated.models.types import RunSpawned
from ade_runtime.lanes.failures import to_the_end
from ade_runtime.lanes.ledger import Ledger
from ade_runtime.runs import briefs, budgets, bundle, lineage, outbox, receipts, routing, store
from ade_runtime.runs.document import instant, new_agent
from ade_runtime.runs.plan_text import digest, sections
from ade_runtime.sessions import tokens
from ade_runtime.sessions.records import SessionRecord
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.members import Member
    from ade_runtime.runs.receipts import Receipt
    from ade_runtime.runs.store import RunRecord
    from ade_runtime.services import Services

Role = Literal["worker", "validator"]
OVER = frozenset({"completed", "failed"})
OWN_MODEL = "default"
"""The model that a program takes where it is told of none."""

MOST_AGENTS = 50
"""Agents of a run that are not over."""

log = logging.getLogger("ade.runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The agent that is asked for. ``lane`` is one that is there, by its id or name; without it the agent gets a new one on top
    of ``parent``, else of the run's. ``model`` and ``budget`` are as the manifest has them."""

    role: Role
    name: str
    brief: str
    tag: str | None = None
    step: str | None = None
    lane: str | None = None
    parent: str | None = None
    model: Mapping[str, Any] | None = None
    budget: Mapping[str, Any] | None = None
    permission_mode: PermissionMode = "edit"

    def content(self, run: str) -> list[Any]:
        """What makes two requests the same."""
        return [run, self.role, self.tag, self.step, self.brief]


class NewLaneLedger(Ledger):
    """Notes in the receipt which lane is about to be made."""

    def __init__(self, receipt: Receipt) -> None:
        self._receipt = receipt

    def begun(self, db: Connection, lane: LaneRecord) -> None:
        receipts.note_lane(db, self._receipt, lane.id)


class Spawning:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def spawn(
        self, call: Call, record: RunRecord, member: Member, wanted: Wanted, request_id: str | None
    ) -> RunSpawned:
        """Start an agent, or give the one that the same request has started."""
        manifest = await self._services.runs.manifest(record.id)
        content = receipts.digest_of(wanted.content(record.id))
        request_id = request_id or await self._default_id(record.id, content, manifest)
        done = await self._services.database.read(lambda db: receipts.get(db, record.id, "spawn", request_id))
        if done is None or done.state == "pending":
            check(manifest, record, wanted)
            fingerprint = self._fingerprint(manifest, wanted)
            await self.check_program(fingerprint["provider"], wanted.permission_mode)
        else:
            fingerprint = {}
        session, now = new_id("ses"), self._services.sessions.now()
        receipt = await self._services.database.write(
            lambda db: receipts.reserve(db, record.id, "spawn", request_id, content, session=session, now=now)
        )
        if receipt.result is not None:
            return RunSpawned.from_wire({**receipt.result, "deduped": True})
        receipts.begin(receipt)
        try:
            return await self._perform(call, record, member, wanted, fingerprint, receipt)
        finally:
            receipts.end(receipt)

    async def reap(self, run: str | None = None) -> list[Receipt]:
        """Let go of requests that were given up, and of the lanes that were made for them and nobody works in."""
        now = self._services.sessions.now()
        left = await self._services.database.read(lambda db: receipts.given_up(db, now, run))
        for receipt in left:
            await self._take_back(receipt)
        return left

    async def _default_id(self, run: str, content: str, manifest: Manifest) -> str:
        """A request without an id is the last one of the same content, unless its agent is over: then it is a new attempt."""
        last = await self._services.database.read(lambda db: receipts.last_attempt(db, run, "spawn", content))
        if last is None:
            return receipts.default_id(content, 1)
        rows = {one["sessionId"]: one["status"] for one in manifest["agents"]}
        if last.state == "completed" and rows.get(last.session) in OVER:
            return receipts.default_id(content, last.attempt + 1)
        return last.request_id

    def _fingerprint(self, manifest: Manifest, wanted: Wanted) -> dict[str, Any]:
        """The model that runs the agent, and which entry of the routing said so; raises ``model_not_routed``."""
        found = routing.lookup(manifest["modelRouting"], wanted.role, wanted.tag, override=wanted.model)
        if found is None:
            raise errors.ModelNotRouted(role=wanted.role, tag=wanted.tag or "none")
        key, model = found
        return {**model, "resolvedAt": instant(self._services.sessions.now()), "routingKey": key}

    async def check_program(self, provider: str, mode: str) -> None:
        """Before anything is made: raises ``unknown_provider``, ``unsupported_mode`` and ``agent_program_missing``."""
        from ade_runtime.chat import registry
        from ade_runtime.chat.providers.base import ProviderError
        from ade_runtime.chat.surroundings import usual_environment

        entry = registry.provider_entry(provider)
        registry.check_mode(entry, mode)
        try:
            await registry.executable(entry, usual_environment({}))
        except ProviderError:
            raise errors.AgentProgramMissing(title=entry.title, step=entry.hint) from None

    async def _perform(
        self,
        call: Call,
        record: RunRecord,
        member: Member,
        wanted: Wanted,
        fingerprint: Mapping[str, Any],
        receipt: Receipt,
    ) -> RunSpawned:
        try:
            lane = await self._lane(call, record, wanted, receipt)
            return await self._commit(call, record, member, wanted, fingerprint, receipt, lane)
        except Exception:
            await to_the_end(self._take_back(receipt))
            raise

    async def _take_back(self, receipt: Receipt) -> None:
        """Leave nothing of a request that came to nothing."""
        fresh = await self._services.database.read(
            lambda db: receipts.get(db, receipt.run, receipt.kind, receipt.request_id)
        )
        if fresh is None or fresh.state == "completed":
            return
        if fresh.lane is not None:
            await self._remove_lane(fresh.run, fresh.lane)
        await self._services.database.write(lambda db: receipts.forget(db, fresh))

    async def _remove_lane(self, run: str, identifier: str) -> None:
        """Remove a lane that was made for an agent that never was. What is in it is kept for a while, as of every lane."""
        from ade_runtime.lanes.delete import delete_lane

        lane = await self._lane_there(run, identifier)
        if lane is None:
            return
        try:
            everything = ("uncommitted", "untracked", "unpublished")
            await delete_lane(self._services.lanes, lane, everything, delete_branch=True)
        except Exception as problem:
            log.warning("lane %s, made for an agent of run %s, stays: %s", lane.name, run, problem)

    async def _lane_there(self, run: str, identifier: str) -> LaneRecord | None:
        """The lane of this id, whole; one that was half-made is settled first."""
        record = await self._services.database.read(lambda db: store.record(db, run))
        project = next((one for one in await self._services.projects.all() if one.id == record.project), None)
        if project is None:
            return None
        lanes = await self._services.lanes.all(project)
        return next((one for one in lanes if one.id == identifier), None)

    async def _lane(self, call: Call, record: RunRecord, wanted: Wanted, receipt: Receipt) -> LaneRecord:
        """The lane to work in: the one that is named, the one that an earlier attempt has made, or a new one."""
        from ade_runtime.integrations.git.failures import GitError
        from ade_runtime.lanes.base import parent_base
        from ade_runtime.lanes.create import NewLane, checked_lane_name, make_lane

        service = self._services.lanes
        if wanted.lane is not None:
            return await service.find(call.project, wanted.lane)
        if receipt.lane is not None:
            made = await self._lane_there(record.id, receipt.lane)
            if made is not None:
                return made
        parent = await service.find(call.project, wanted.parent or record.lane)
        name = checked_lane_name(f"{wanted.name} {str(receipt.session)[-4:]}"[:120])
        try:
            base = await parent_base(service.repository(parent).git, parent)
            new = NewLane(
                name=name,
                base=base,
                description=f"{wanted.name}, {wanted.role} of run {record.title}"[:500],
                parent_id=None if parent.is_primary else parent.id,
            )
            ledger = NewLaneLedger(receipt)
            return await make_lane(
                service, call.project, new, call.progress, env=call.caller.env, ledger=ledger
            )
        except GitError as problem:
            raise errors.LaneCreationFailed(name=name, reason=str(problem)) from problem

    async def _commit(
        self,
        call: Call,
        record: RunRecord,
        member: Member,
        wanted: Wanted,
        fingerprint: Mapping[str, Any],
        receipt: Receipt,
        lane: LaneRecord,
    ) -> RunSpawned:
        """Session, chat, row, edge, brief and answer, together."""
        session, now = (
            self._session(record, wanted, fingerprint, receipt, lane),
            self._services.sessions.now(),
        )
        brief = ""

        def enter(manifest: Manifest, at: str) -> None:
            nonlocal brief
            check(manifest, record, wanted)
            brief = _brief(manifest, wanted, record)
            row = new_agent(session.id, wanted.role, wanted.name, at, "pending")
            row |= {"tag": wanted.tag, "goalSummary": first_line(wanted.brief), "currentStepId": wanted.step}
            row |= {"spawnFingerprint": dict(fingerprint), "budget": budgets.of(manifest, wanted.budget)}
            manifest["agents"].append(row)
            sent = hashlib.sha256(brief.encode()).hexdigest()
            lineage.add(manifest, parent=record.lead, child=session.id, brief_digest=sent, now=at)

        def write(db: Connection) -> RunSpawned:
            from ade_runtime.chat import store as chats
            from ade_runtime.sessions import store as sessions

            sessions.add(db, session)
            chats.add(db, _chat(session, wanted, fingerprint))
            summary = f"{wanted.name} begins as {wanted.role} with {fingerprint['provider']}"
            self._services.runs.change_in(db, record.id, member.name, "spawned", summary, enter)
            outbox.enqueue(
                db,
                record.id,
                kind="brief",
                target=session.id,
                text=brief,
                at=now,
                sender=record.lead,
                task=wanted.step,
                once=f"brief:{session.id}",
            )
            output = _spawned(store.record(db, record.id), session, wanted, fingerprint, receipt, lane)
            receipts.complete(db, receipt, output.to_wire())
            if call.receipt is not None:
                call.receipt.fulfil(db, output)
            return output

        output = await self._services.database.write(write)
        self._services.sessions.changed()
        self._services.runs.tell(
            await self._services.database.read(lambda db: store.record(db, record.id)), "spawned"
        )
        self._services.deliveries.wake()
        return output

    def _session(
        self,
        record: RunRecord,
        wanted: Wanted,
        fingerprint: Mapping[str, Any],
        receipt: Receipt,
        lane: LaneRecord,
    ) -> SessionRecord:
        """The agent's session. Its token is made when its program is started, and goes to nobody else."""
        return SessionRecord(
            id=str(receipt.session),
            token_hash=tokens.digest(tokens.mint()),
            role="agent",
            kind="worker",
            provider=fingerprint["provider"],
            title=wanted.name,
            project=record.project,
            lane=lane.id,
            run=record.id,
            chat=None,
            parent=record.lead,
            interaction_mode=wanted.role,
            capability_mode="full_tooling",
            standalone=False,
            started_at=self._services.sessions.now(),
        )


def check(manifest: Manifest, record: RunRecord, wanted: Wanted) -> None:
    """Whether an agent may be started now, by the plan as it is in its file. Raises ``run_over``, ``plan_not_approved``,
    ``plan_drifted``, ``brief_incomplete``, ``task_not_found`` and ``too_many_agents``."""
    run = record.id
    if record.state != "active":
        raise errors.RunOver(run=run)
    approval = manifest["planSpec"]["approval"]
    if manifest["leadState"]["planApprovedAt"] is None or approval["planHash"] is None:
        raise errors.PlanNotApproved(run=run)
    found = digest(bundle.read_plan(Path(manifest["bundlePath"])))
    if found != approval["planHash"]:
        raise errors.PlanDrifted(run=run, approved=approval["planHash"], found=found)
    missing = briefs.missing(wanted.brief)
    if missing:
        raise errors.BriefIncomplete(missing=", ".join(missing), details={"missing": list(missing)})
    named = [one["id"] for one in manifest["tasks"]]
    named += [one["id"] for one in manifest["validationStrategy"]["steps"]]
    if wanted.step is not None and wanted.step not in named:
        raise errors.TaskNotFound(run=run, task=wanted.step)
    count = sum(one["role"] != "lead" and one["status"] not in OVER for one in manifest["agents"])
    if count >= MOST_AGENTS:
        raise errors.TooManyRunAgents(run=run, count=count)


def first_line(text: str) -> str:
    """What a brief is about, on one line."""
    goal = next((body for name, body in sections(text).items() if name in briefs.SECTIONS["goal"]), text)
    return " ".join(goal.split())[:200]


def _brief(manifest: Manifest, wanted: Wanted, record: RunRecord) -> str:
    return briefs.written(
        run=record.id,
        title=manifest["title"],
        role=wanted.role,
        lead=record.lead,
        step=wanted.step,
        brief=wanted.brief,
    )


def _chat(session: SessionRecord, wanted: Wanted, fingerprint: Mapping[str, Any]) -> Any:
    from ade_runtime.chat.records import ChatRecord

    return ChatRecord(
        session=session.id,
        state="idle",
        title=wanted.name,
        provider=fingerprint["provider"],
        model=None if fingerprint["modelId"] == OWN_MODEL else fingerprint["modelId"],
        effort=fingerprint["reasoningEffort"],
        permission_mode=wanted.permission_mode,
        role=session.role,
        project=session.project,
        lane=session.lane,
        created_at=session.started_at,
        updated_at=session.started_at,
    )


def _spawned(
    record: RunRecord,
    session: SessionRecord,
    wanted: Wanted,
    fingerprint: Mapping[str, Any],
    receipt: Receipt,
    lane: LaneRecord,
) -> RunSpawned:
    return RunSpawned(
        session=session.id,
        role=wanted.role,
        name=wanted.name,
        lane=lane.id,
        lane_name=lane.name,
        branch=lane.branch,
        path=str(lane.path),
        provider=fingerprint["provider"],
        model=fingerprint["modelId"],
        routing=fingerprint["routingKey"],
        request_id=receipt.request_id,
        attempt=receipt.attempt,
        deduped=False,
        etag=record.etag,
    )
