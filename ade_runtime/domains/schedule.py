"""Actions about schedules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_generated.models import schedule as models
from ade_generated.models.types import Schedule, ScheduleFiring, ScheduleTime
from ade_runtime.chat.records import ChatRecord
from ade_runtime.contracts import Effect
from ade_runtime.holders.access import check_change
from ade_runtime.paging import cut
from ade_runtime.pipeline.call import About
from ade_runtime.scheduling import times
from ade_runtime.scheduling.cron import Cron, CronError
from ade_runtime.scheduling.records import MACHINE
from ade_runtime.scheduling.records import Schedule as Record
from ade_runtime.scheduling.view import around, firing_told, schedule_told, time_told
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from sqlalchemy import Connection

    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.scheduling.service import ScheduleService
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True)
class _When:
    kind: Literal["delay", "instant", "cron"]
    expression: str
    first: datetime
    recurring: bool = False


OWNER_ONLY = "Only the owner may, outside of every session."


class ScheduleHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def create(self, call: Call, args: models.ScheduleCreateInput) -> Schedule:
        now = self._services.sessions.now()
        zone = _zone(args.zone)
        when = _when(args, now, zone)
        session = None if args.run is not None else await self._woken(call, args.session)
        if args.run is not None:
            self._check_action(call, args)
        who = call.identity
        record = Record(
            id=new_id("sch"),
            project=call.project.id,
            owner=who.session,
            identity=who.key,
            role=who.role,
            session=session,
            prompt=args.prompt,
            action=args.run,
            arguments=None if args.run is None else dict(args.arguments or {}),
            lane=who.lane or call.caller.lane,
            zone=zone.key,
            catch_up=args.catch_up,
            max_age=args.max_age_seconds,
            reason=args.reason,
            state="active",
            created_at=now,
            kind=when.kind,
            expression=when.expression,
            next_at=when.first,
            recurring=when.recurring,
        )
        told = await self._told(self._note(call, record))

        def keep(db: Connection) -> None:
            if call.receipt is not None:
                call.receipt.fulfil(db, told)

        await self._schedules.add(record, keep)
        return told

    async def list(self, call: Call, args: models.ScheduleListInput) -> models.ScheduleListOutput:
        woken = None if args.session is None else await self._known(call, args.session)
        found = await self._schedules.all(project=call.project.id, session=woken, everything=args.all)
        page, following = cut(found, args.cursor, args.limit, key=lambda one: one.id)
        beside, now = await around(self._services, page), self._services.clock.now()
        items = [schedule_told(one, beside, now) for one in page]
        return models.ScheduleListOutput(items=items, total=len(found), next=following)

    async def show(self, call: Call, args: models.ScheduleShowInput) -> Schedule:
        return await self._told(await self._meant(call, args.schedule))

    async def cancel(self, call: Call, args: models.ScheduleCancelInput) -> Schedule:
        return await self._told(await self._schedules.cancel(await self._own(call, args.schedule)))

    async def pause(self, call: Call, args: models.SchedulePauseInput) -> models.SchedulePauseOutput:
        count = await self._pause(call, args.schedule, args.session, paused=True)
        return models.SchedulePauseOutput(paused=True, schedules=count)

    async def resume(self, call: Call, args: models.ScheduleResumeInput) -> models.ScheduleResumeOutput:
        count = await self._pause(call, args.schedule, args.session, paused=False)
        return models.ScheduleResumeOutput(paused=False, schedules=count)

    async def run_now(self, call: Call, args: models.ScheduleRunNowInput) -> ScheduleFiring:
        return firing_told(await self._schedules.fire_now(call, await self._own(call, args.schedule)))

    async def history(self, call: Call, args: models.ScheduleHistoryInput) -> models.ScheduleHistoryOutput:
        schedule = None if args.schedule is None else (await self._meant(call, args.schedule)).id
        found = await self._schedules.history(schedule=schedule, project=call.project.id)
        page, following = cut(found, args.cursor, args.limit, key=lambda one: one.id)
        return models.ScheduleHistoryOutput(
            items=[firing_told(one) for one in page], total=len(found), next=following
        )

    async def preview(self, call: Call, args: models.SchedulePreviewInput) -> models.SchedulePreviewOutput:
        now = self._services.clock.now()
        zone = _zone(args.zone)
        cron = _cron(args.cron)
        after = now if args.after is None else times.read_instant(args.after, now, zone)
        items: list[ScheduleTime] = []
        while len(items) < args.count:
            found = cron.next_after(after, zone)
            if found is None:
                break
            items.append(time_told(found, now, zone))
            after = found
        return models.SchedulePreviewOutput(
            cron=cron.expression, zone=zone.key, items=items, total=len(items), next=None
        )

    @property
    def _schedules(self) -> ScheduleService:
        return self._services.schedules

    async def _woken(self, call: Call, named: str | None) -> str:
        """The session that is told: a chat's, or that of an agent in a terminal."""
        session = named or call.identity.session
        if session is None:
            raise errors.SessionRequired(action=call.action.id)
        found = await self._target(call, session)
        if not isinstance(found, ChatRecord):
            return await self._agent(call, found, session)
        if found.state == "ended":
            raise errors.ChatEnded(session=session)
        return session

    async def _known(self, call: Call, named: str) -> str:
        """The session of a chat or an agent in a terminal that schedules may wake or have woken, also where it is over."""
        found = await self._target(call, named)
        if found.session is None:
            raise errors.ChatNotFound(session=named)
        return found.session

    async def _target(self, call: Call, named: str) -> ChatRecord | HolderRecord:
        """The chat, or the agent in a terminal, of the call's project; raises ``chat_not_found``."""
        try:
            chat = await self._services.chats.find(named)
        except errors.ChatNotFound:
            agent = await self._services.agents.find(named)
            if agent is None or agent.project_id != call.project.id:
                raise
            return agent
        if chat.project != call.project.id:
            raise errors.ChatNotFound(session=named)
        return chat

    async def _agent(self, call: Call, agent: HolderRecord, named: str) -> str:
        await check_change(self._services, call, agent)
        if agent.session is None or not (await self._services.holders.seen(agent)).live:
            step = f"Start another with `ade agents spawn`; `ade terminals read {agent.id}` shows what it printed last."
            raise errors.ChatEnded(session=named, hint=step)
        return agent.session

    def _check_action(self, call: Call, args: models.ScheduleCreateInput) -> None:
        """What will be performed later is checked now: that it exists, is allowed, and that its arguments are right."""
        pipeline = self._services.pipeline
        entry = pipeline.visibility.find(str(args.run), call.identity, call.caller)
        if entry.effect in (Effect.SECRET, Effect.DESTRUCTIVE):
            problem = f"{entry.id} is {entry.effect.value}; such actions are not done unattended."
            raise errors.InvalidArguments(problem=problem, action=call.action.id)
        pipeline.check(entry.id, dict(args.arguments or {}), identity=call.identity, caller=call.caller)

    async def _meant(self, call: Call, identifier: str) -> Record:
        record = await self._schedules.find(identifier)
        if record.project != call.project.id:
            raise errors.ScheduleNotFound(schedule=identifier)
        return self._note(call, record)

    async def _own(self, call: Call, identifier: str) -> Record:
        """The schedule, where the caller may change it: its maker, who leads its maker, and the owner."""
        record = await self._meant(call, identifier)
        if call.identity.session is not None and record.owner != call.identity.session:
            if record.owner is None:
                raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=OWNER_ONLY)
            await self._services.pipeline.reach.check_session(call, record.owner)
        return record

    async def _pause(self, call: Call, schedule: str | None, session: str | None, *, paused: bool) -> int:
        if schedule is not None:
            await self._schedules.pause(await self._own(call, schedule), paused=paused)
            return 1
        if session is None and call.identity.session is not None:
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=OWNER_ONLY)
        woken = None if session is None else await self._known(call, session)
        await self._schedules.pause_scope(woken or MACHINE, paused=paused)
        return len(await self._schedules.all(project=None, session=woken, everything=False))

    async def _told(self, record: Record) -> Schedule:
        beside = await around(self._services, [record])
        return schedule_told(record, beside, self._services.clock.now())

    @staticmethod
    def _note(call: Call, record: Record) -> Record:
        call.subject = record.id
        call.about = About(project=record.project, session=record.session)
        return record


def _when(args: models.ScheduleCreateInput, now: datetime, zone: ZoneInfo) -> _When:
    """The time as it was given, and the first one that follows from it."""
    if args.cron is not None:
        cron = _cron(args.cron)
        first = cron.next_after(now, zone)
        if first is None:
            raise errors.InvalidCron(cron=args.cron, reason="it never fires")
        recurring = True if args.recurring is None else args.recurring
        return _When("cron", cron.expression, first, recurring)
    if args.recurring:
        problem = "recurring: only a cron expression fires again and again"
        raise errors.InvalidArguments(problem=problem, action="schedule.create")
    if args.delay_seconds is not None:
        due = now + timedelta(seconds=args.delay_seconds)
        text = times.span_text(args.delay_seconds)
        return _When("delay", text, due)
    text = str(args.run_at)
    due = times.read_instant(text, now, zone)
    times.check_ahead(text, due, now)
    return _When("instant", text, due)


def _zone(asked: str | None) -> ZoneInfo:
    return times.zone_named(times.machine_zone()) if asked is None else times.zone_asked(asked)


def _cron(text: str) -> Cron:
    try:
        return Cron.parse(text)
    except CronError as problem:
        raise errors.InvalidCron(cron=text, reason=str(problem)) from problem
