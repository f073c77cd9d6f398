"""The agents of a run: starting them, talking to them, waiting for them, and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated.models import run as models
from ade_generated.models.types import (
    RunAgentListed,
    RunBudget,
    RunMessage,
    RunSent,
    RunSpawned,
    RunStanding,
    RunUsage,
)
from ade_runtime.chat.view import entry_told, within
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.paging import cut
from ade_runtime.runs import budgets, cancelling, messages, outbox, store
from ade_runtime.runs.awaiting import Standing, standing
from ade_runtime.runs.members import member_of
from ade_runtime.runs.tasks import agent_of, find
from ade_runtime.runs.wanted import Wanted

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.messages import Sent
    from ade_runtime.runs.outbox import Entry


class Staffing(RunDomain):
    async def spawn_agent(self, call: Call, args: models.RunSpawnAgentInput) -> RunSpawned:
        member = await self._leading(call, args.run)
        wanted = Wanted(
            role=args.role,
            name=args.name,
            brief=args.brief,
            tag=args.tag,
            step=args.step,
            lane=args.lane,
            parent=args.parent,
            model=None if args.model is None else args.model.to_wire(),
            budget=None if args.budget is None else args.budget.to_wire(),
            permission_mode=args.permission_mode,
        )
        record = await self._find(call, args.run)
        return await self._services.run_spawning.spawn(call, record, member, wanted, args.key)

    async def message_agent(self, call: Call, args: models.RunMessageAgentInput) -> RunSent:
        await self._find(call, args.run)
        said = messages.Said(
            to=args.to, intent=args.intent, text=args.text, delivery=args.delivery, task=args.task
        )

        def write(db: Connection) -> tuple[RunSent, bool]:
            manifest, now = store.load(db, args.run), self._services.sessions.now()
            member = member_of(manifest, call.identity, call.action.id)
            self._services.runs.check_active(db, args.run)
            target = messages.check(manifest, member, said, call.action.id)
            if said.task is not None:
                find(manifest, said.task)
            worded = messages.worded(manifest, member, said)
            sent = messages.send(db, args.run, member, worded, target, args.key, now)
            stops = said.intent == "cancel" and not sent.deduped
            if stops:
                self._services.runs.change_in(
                    db,
                    args.run,
                    member.name,
                    "agent_cancelled",
                    f"Cancelled {target}: {said.text}",
                    lambda m, at: cancelling.cancel_agent(m, target, at, said.text),
                )
            output = _sent(sent)
            if call.receipt is not None:
                call.receipt.fulfil(db, output)
            return output, stops

        output, stops = await self._services.database.write(write)
        if stops:
            record = await self._find(call, args.run)
            self._runs.tell(record, "agent_cancelled")
        self._services.deliveries.wake()
        return output

    async def await_agent(self, call: Call, args: models.RunAwaitAgentInput) -> models.RunAwaitAgentOutput:
        await self._leading(call, args.run)
        found = await self._services.run_awaiting.wait(
            args.run, args.sessions, wait_for=args.wait_for, seconds=args.timeout_ms / 1000
        )
        return models.RunAwaitAgentOutput(
            done=found.done,
            settled=[_standing(one) for one in found.standings if one.settled],
            working=[_standing(one) for one in found.standings if not one.settled],
        )

    async def get_agent_transcript(
        self, call: Call, args: models.RunGetAgentTranscriptInput
    ) -> models.RunGetAgentTranscriptOutput:
        await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        member_of(manifest, call.identity, call.action.id)
        agent_of(manifest, args.session)
        chat = await self._services.chats.find(args.session)
        found, total = await self._services.chats.entries(
            chat.session, turn=None, after=args.after, limit=args.limit
        )
        shown = within(found, args.max_bytes, newest=args.after is None)
        more = len(found) == args.limit or len(shown) < len(found)
        following = shown[-1].id if shown and more and args.after is not None else None
        return models.RunGetAgentTranscriptOutput(
            items=[entry_told(one) for one in shown], total=total, next=following
        )

    async def agents(self, call: Call, args: models.RunAgentsInput) -> models.RunAgentsOutput:
        await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        page, rest = cut(manifest["agents"], args.cursor, args.limit, key=lambda one: str(one["sessionId"]))
        rows = await self._services.database.read(lambda db: self._rows(db, manifest, page))
        names = await self._services.lanes.names(lane for _, lane in rows)
        items = [RunAgentListed(**row, lane=None if lane is None else names.get(lane)) for row, lane in rows]
        return models.RunAgentsOutput(items=items, total=len(manifest["agents"]), next=rest)

    async def messages(self, call: Call, args: models.RunMessagesInput) -> models.RunMessagesOutput:
        await self._find(call, args.run)
        found = await self._services.database.read(
            lambda db: outbox.listed(db, args.run, target=args.session)
        )
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: one.id)
        return models.RunMessagesOutput(items=[_message(one) for one in page], total=len(found), next=rest)

    def _rows(
        self, db: Connection, manifest: Manifest, agents: list[dict[str, Any]]
    ) -> list[tuple[dict[str, Any], str | None]]:
        """What is told of each agent, with its lane's id."""
        from ade_runtime.chat import store as chats

        now = self._services.sessions.now()
        waiting = outbox.waiting(db, manifest["runId"])
        found = []
        for agent in agents:
            session = agent["sessionId"]
            chat = chats.get(db, session)
            told, model = standing(manifest, agent, chat), agent["spawnFingerprint"]
            usage, budget = budgets.used(db, agent, now).document(), agent["budget"]
            row = {
                "session": session,
                "role": agent["role"],
                "tag": agent["tag"],
                "name": agent["displayName"],
                "status": told.status,
                "why": told.why,
                "stalled": agent["stalled"],
                "step": agent["currentStepId"],
                "provider": None if model is None else model["provider"],
                "model": None if model is None else model["modelId"],
                "chat": None if chat is None else chat.state,
                "usage": RunUsage.from_wire(usage),
                "budget": None if budget is None else RunBudget.from_wire(budget),
                "waiting": waiting.get(session, 0),
                "summary": told.summary,
                "spawned_at": agent["spawnedAt"],
            }
            found.append((row, None if chat is None else chat.lane))
        return found


def _standing(one: Standing) -> RunStanding:
    return RunStanding(
        session=one.session,
        role=one.role,
        name=one.name,
        status=one.status,
        why=one.why,
        summary=one.summary,
    )


def _sent(sent: Sent) -> RunSent:
    return RunSent(message=_message(sent.entry), request_id=sent.request_id, deduped=sent.deduped)


def _message(entry: Entry) -> RunMessage:
    return RunMessage(
        id=entry.id,
        kind=entry.kind,
        target=entry.target,
        sender=entry.sender,
        delivery=entry.delivery,
        text=entry.text,
        task=entry.task,
        state=entry.state,
        attempts=entry.attempts,
        next_at=entry.next_at,
        error=entry.last_error,
        created_at=entry.created_at,
        settled_at=entry.settled_at,
    )
