"""Starting an agent of a run: a chat in a lane of its own, its row, its edge, and the promise of its brief.

Before anything is made a receipt says what will be. The lane comes next, and then all the rest in one transaction with the
receipt's answer. So a call that was killed anywhere in between goes on where it was, and nothing is there twice.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models.types import RunSpawned
from ade_runtime.lanes.failures import to_the_end
from ade_runtime.lanes.ledger import Ledger
from ade_runtime.runs import agent_parts, outbox, receipts, routing, store
from ade_runtime.runs.agent_parts import Start
from ade_runtime.runs.document import instant
from ade_runtime.runs.wanted import OVER, Wanted, check
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.members import Member
    from ade_runtime.runs.receipts import Receipt
    from ade_runtime.runs.store import RunRecord
    from ade_runtime.services import Services

log = logging.getLogger("ade.runs")


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
        receipt = await self._reserve(record.id, request_id, content)
        if receipt.result is not None:
            return RunSpawned.from_wire({**receipt.result, "deduped": True})
        try:
            start = Start(
                call=call,
                record=record,
                member=member,
                wanted=wanted,
                fingerprint=fingerprint,
                receipt=receipt,
            )
            return await self._perform(start)
        finally:
            receipts.end(receipt)

    async def _reserve(self, run: str, request_id: str, content: str) -> Receipt:
        session, now = new_id("ses"), self._services.sessions.now()

        def reserve(db: Connection) -> Receipt:
            return receipts.reserve(db, run, "spawn", request_id, content, session=session, now=now)

        writing = asyncio.ensure_future(self._services.database.write(reserve))
        try:
            return await asyncio.shield(writing)
        except BaseException:
            writing.add_done_callback(receipts.end_reserved)
            raise

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

    async def _perform(self, start: Start) -> RunSpawned:
        try:
            return await self._commit(start, await self._lane(start))
        except Exception:
            await to_the_end(self._take_back(start.receipt))
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

    async def _lane(self, start: Start) -> LaneRecord:
        """The lane to work in: the one that is named, the one that an earlier attempt has made, or a new one."""
        from ade_runtime.integrations.git.failures import GitError
        from ade_runtime.lanes.base import parent_base
        from ade_runtime.lanes.create import NewLane, checked_lane_name, make_lane

        call, record, wanted, receipt = start.call, start.record, start.wanted, start.receipt
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

    async def _commit(self, start: Start, lane: LaneRecord) -> RunSpawned:
        """Session, chat, row, edge, brief and answer, together."""
        run = start.record.id

        def write(db: Connection) -> RunSpawned:
            self._put(db, start, lane)
            output = agent_parts.spawned(start, lane, store.record(db, run).etag)
            receipts.complete(db, start.receipt, output.to_wire())
            if start.call.receipt is not None:
                start.call.receipt.fulfil(db, output)
            return output

        output = await self._services.database.write(write)
        self._services.sessions.changed()
        self._services.runs.tell(
            await self._services.database.read(lambda db: store.record(db, run)), "spawned"
        )
        return output

    def _put(self, db: Connection, start: Start, lane: LaneRecord) -> None:
        from ade_runtime.chat import store as chats
        from ade_runtime.sessions import store as sessions

        run, now = start.record.id, self._services.sessions.now()
        session = agent_parts.session_of(start, lane, now)
        sessions.add(db, session)
        chats.add(db, agent_parts.chat_of(start, session))
        summary = f"{start.wanted.name} begins as {start.wanted.role} with {session.provider}"
        brief = self._services.runs.change_in(
            *(db, run, start.member.name, "spawned", summary),
            lambda manifest, at: agent_parts.enter(manifest, start, at),
        )
        outbox.enqueue(
            db,
            run,
            kind="brief",
            target=session.id,
            text=brief,
            at=now,
            sender=start.record.lead,
            task=start.wanted.step,
            once=f"brief:{session.id}",
        )
