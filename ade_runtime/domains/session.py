"""Actions about sessions."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import session as models
from ade_generated.models.types import Session
from ade_generated.roles import ROLES
from ade_runtime.machine.ancestry import Process, chain_of, look
from ade_runtime.machine.skill_roots import VARIABLE as SKILLS_VARIABLE
from ade_runtime.machine.skill_roots import as_variable, skill_roots
from ade_runtime.pipeline.call import About
from ade_runtime.pipeline.identify import TOKEN_VARIABLE, may_be
from ade_runtime.pipeline.surroundings import environment_of
from ade_runtime.sessions.records import SessionRecord

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.pipeline.call import Call, Identity
    from ade_runtime.services import Services
    from ade_runtime.sessions.service import Sessions


class SessionHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def start(self, call: Call, args: models.SessionStartInput) -> models.SessionStartOutput:
        _check_grant(call, args)
        draft = await self._draft(call, args)
        process = None if args.pid is None else self._process(call, args.pid)
        record, token = await self._sessions.start(draft, process)
        _note(call, record)
        return models.SessionStartOutput(
            session=await self._told(record),
            token=token,
            environment=await self._environment(call, record),
            next=f"Start the agent with {TOKEN_VARIABLE} set to the token; `ade sessions end {record.id}` revokes it.",
        )

    async def attach(self, call: Call, args: models.SessionAttachInput) -> Session:
        record = await self._sessions.find(args.session)
        _note(call, record)
        process = self._process(call, args.pid)
        await self._check_below(call, process)
        return await self._told(await self._sessions.attach(record.id, process))

    async def end(self, call: Call, args: models.SessionEndInput) -> Session:
        session = call.subject = _meant(call, args.session)
        record = await self._sessions.end(session, args.reason)
        _note(call, record)
        return await self._told(record)

    async def list(self, call: Call, args: models.SessionListInput) -> models.SessionListOutput:
        found = await self._sessions.all(project=call.identity.project, live=not args.all)
        first = 0
        if args.cursor is not None:
            places = [place for place, record in enumerate(found) if record.id == args.cursor]
            if not places:
                raise errors.InvalidCursor(cursor=args.cursor)
            first = places[0] + 1
        page = found[first : first + args.limit]
        more = first + len(page) < len(found)
        items = [await self._told(record) for record in page]
        return models.SessionListOutput(items=items, total=len(found), next=page[-1].id if more else None)

    async def show(self, call: Call, args: models.SessionShowInput) -> Session:
        session = _meant(call, args.session)
        record = await self._sessions.find(session)
        if call.identity.project is not None and record.project != call.identity.project:
            raise errors.SessionNotFound(session=session)
        return await self._told(record)

    async def verify(self, call: Call, args: models.SessionVerifyInput) -> models.SessionVerifyOutput:
        proof = await self._sessions.prove()
        return models.SessionVerifyOutput(
            ok=not proof.problems, entries=proof.entries, head=proof.head, problems=list(proof.problems)
        )

    @property
    def _sessions(self) -> Sessions:
        return self._services.sessions

    async def _draft(self, call: Call, args: models.SessionStartInput) -> SessionRecord:
        """The session to start: what was asked for, and what the caller's own session passes on."""
        who, now = call.identity, self._sessions.now()
        parent = None if who.session is None else await self._sessions.find(who.session)
        project, lane = await self._place(call, args)
        return SessionRecord(
            id="",
            token_hash="",
            role=args.role,
            kind=args.kind,
            provider=args.provider,
            title=args.title,
            project=project,
            lane=lane,
            run=who.run or args.run,
            chat=args.chat,
            parent=who.session,
            interaction_mode=args.interaction_mode or (who.mode if _is_bound(who) else None),
            capability_mode=args.capability_mode,
            standalone=args.standalone or who.standalone,
            started_at=now,
            expires_at=_earlier(now, args.expires_in, parent),
        )

    async def _place(self, call: Call, args: models.SessionStartInput) -> tuple[str | None, str | None]:
        """Ids of project and lane. A lane is looked up in the project; an agent's session passes its own lane on."""
        who, lane = call.identity, args.lane
        if args.project is not None or lane is not None:
            project = await self._services.projects.meant(call, args.project)
        else:
            found = await self._services.projects.resolve(call.caller)
            if found is None:
                return who.project, who.lane if _is_bound(who) else None
            project = found
        if lane is None and _is_bound(who):
            return project.id, who.lane
        return project.id, None if lane is None else (await self._services.lanes.find(project, lane)).id

    def _process(self, call: Call, pid: int | None) -> Process:
        """A running process of the owner's that is not the runtime itself; without ``pid`` the one above the caller's."""
        if pid is None:
            caller = None if call.identity.pid is None else look(call.identity.pid)
            pid = 0 if caller is None else caller.parent
        found = look(pid) if pid > 1 else None
        if found is None:
            raise errors.ProcessNotFound(pid=max(pid, 0), reason="no such process runs")
        if pid == os.getpid() and self._services.settings.listening:
            raise errors.ProcessNotFound(pid=pid, reason="it is the runtime")
        if _owner_of(pid) != os.getuid():
            raise errors.ProcessNotFound(pid=pid, reason="it is another user's")
        return found

    async def _check_below(self, call: Call, process: Process) -> None:
        """A session may only bind what already is below it: to bind somebody else's process would move that one."""
        own = call.identity.session
        if own is None:
            return
        chain = chain_of(process.pid, process.start)
        around = await self._sessions.around([(one, ()) for one in chain.processes])
        if around is None or own not in await self._sessions.lineage(around.id):
            reason = f"Process {process.pid} does not descend from your session."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)

    async def _environment(self, call: Call, record: SessionRecord) -> dict[str, str]:
        """What describes the session to the programs in it. None of it proves anything."""
        values = {"ADE_DEFAULT_ROLE": record.role}
        if record.lane is not None:
            values["ADE_LANE_ID"] = record.lane
        if record.chat is not None:
            values["ADE_CHAT_SESSION_ID"] = record.chat
        if record.run is not None:
            values["ADE_RUN_ID"] = record.run
        folder = None
        for project in await self._services.projects.all():
            if project.id == record.project:
                values["ADE_PROJECT_ROOT"] = str(project.root)
                folder = project.root
                if record.lane is not None:
                    folder = (await self._services.lanes.find(project, record.lane)).path
        environ = environment_of(call.identity, call.caller)
        home = Path(environ.get("HOME") or Path.home())
        roots = await asyncio.to_thread(skill_roots, environ, folder, home)
        return values | {SKILLS_VARIABLE: as_variable(roots)}

    async def _told(self, record: SessionRecord) -> Session:
        return Session(
            id=record.id,
            state=record.state(self._services.clock.now()),
            role=record.role,
            kind=record.kind,
            provider=record.provider,
            title=record.title,
            project=record.project,
            lane=record.lane,
            run=record.run,
            chat=record.chat,
            parent=record.parent,
            interaction_mode=record.interaction_mode,
            capability_mode=record.capability_mode,
            standalone=record.standalone,
            processes=await self._sessions.processes(record.id),
            started_at=record.started_at,
            expires_at=record.expires_at,
            ended_at=record.ended_at,
            end_reason=record.end_reason,
        )


def _note(call: Call, record: SessionRecord) -> None:
    call.subject = record.id
    call.about = About(project=record.project, lane=record.lane, session=record.id)


def _check_grant(call: Call, args: models.SessionStartInput) -> None:
    """Nobody hands out more than they have: no higher role, no other mode, no other run."""
    who, reason = call.identity, None
    if not may_be(args.role, who):
        reason = f"A session gets at most the role of who starts it, {who.role}."
    elif _is_bound(who) and args.interaction_mode not in (None, who.mode):
        reason = f"Your session is in mode {who.mode or 'none'} and passes on no other."
    elif who.run is not None and args.run not in (None, who.run):
        reason = f"Your session is part of run {who.run} and starts others in that run only."
    if reason is not None:
        raise errors.PolicyDenied(role=who.role, action=call.action.id, reason=reason)


def _is_bound(who: Identity) -> bool:
    """Whether the caller is a session that leads no others."""
    return who.session is not None and ROLES[who.role].rank <= ROLES["agent"].rank


def _earlier(now: datetime, seconds: int | None, parent: SessionRecord | None) -> datetime | None:
    """When the token stops working: after ``seconds``, and never after that of the session that starts it."""
    ends = [] if seconds is None else [now + timedelta(seconds=seconds)]
    if parent is not None and parent.expires_at is not None:
        ends.append(parent.expires_at)
    return min(ends, default=None)


def _meant(call: Call, named: str | None) -> str:
    session = named or call.identity.session
    if session is None:
        raise errors.SessionRequired(action=call.action.id)
    return session


def _owner_of(pid: int) -> int | None:
    try:
        return os.stat(f"/proc/{pid}").st_uid  # noqa: PTH116
    except FileNotFoundError:
        import psutil

        try:
            return psutil.Process(pid).uids().real
        except psutil.Error:
            return None
