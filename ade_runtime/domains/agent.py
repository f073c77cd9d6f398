"""Agents in terminals: a program, the session made for it, and the brief it begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import agent as models
from ade_runtime.agents.view import agent
from ade_runtime.holders.access import check_change, check_read, check_start, may_read
from ade_runtime.holders.launch import NotStarted
from ade_runtime.holders.service import Draft
from ade_runtime.holders.starting import starting_in
from ade_runtime.paging import cut
from ade_runtime.pipeline.call import About
from ade_runtime.terminals.room import SCROLLBACK, check_room

if TYPE_CHECKING:
    from pathlib import Path

    from ade_generated.models.types import Agent
    from ade_runtime.agents.program import Wanted
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services
    from ade_runtime.sessions.records import SessionRecord

NOT_STARTED = "its program was not started"


class AgentHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._holders = services.holders

    async def spawn(self, call: Call, args: models.AgentSpawnInput) -> Agent:
        from ade_runtime.agents.brief import context_file
        from ade_runtime.agents.program import find_program, wanted
        from ade_runtime.holders.environment import folder_in
        from ade_runtime.pipeline.surroundings import environment_of

        check_start(call)
        made = await self._made_before(call)
        if made is not None:
            return made
        asked = wanted(args.provider, args.model, args.permission_mode, args.allowed_tools)
        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        folder_in(self._services.lanes, lane, None)
        context = context_file(lane, args.context_file)
        program = await find_program(asked.entry, environment_of(call.identity, call.caller))
        await check_room(self._holders, lane.project.id)
        record = await self._launch(call, args, lane, asked, program, context)
        call.subject = record.id
        call.about = About(project=record.project_id, lane=record.lane_id, session=record.session)
        return agent(record, await self._holders.seen(record))

    async def list(self, call: Call, args: models.AgentListInput) -> models.AgentListOutput:
        lane = None if args.lane is None else (await self._services.lanes.find(call.project, args.lane)).id
        records = await self._services.agents.all(project=call.project.id, lane=lane, ended=args.all)
        seen = await self._holders.see(records)
        shown = [one for one in records if args.all or seen[one.id].live or seen[one.id].leftovers]
        shown = [one for one in shown if await may_read(self._services, call, one)]
        page, rest = cut(shown, args.cursor, args.limit, key=lambda one: one.id)
        items = [agent(one, seen[one.id]) for one in page]
        return models.AgentListOutput(items=items, total=len(shown), next=rest)

    async def show(self, call: Call, args: models.AgentShowInput) -> Agent:
        record = await self._find(call, args.agent)
        await check_read(self._services, call, record)
        return agent(record, await self._holders.seen(record))

    async def stop(self, call: Call, args: models.AgentStopInput) -> Agent:
        record = await self._find(call, args.agent)
        await check_change(self._services, call, record)
        call.about = About(project=record.project_id, lane=record.lane_id, session=record.session)
        seen = await self._holders.seen(record)
        if record.session is not None:
            await self._services.sessions.end(record.session, "stopped")
        if seen.live or seen.leftovers:
            call.progress(f"Ending {record.label}", None)
            seen = await self._holders.end(record, grace=args.grace)
        return agent(record, seen)

    async def _find(self, call: Call, ref: str) -> HolderRecord:
        record = await self._services.agents.find(ref)
        project = call.identity.project
        if record is None or (project is not None and record.project_id != project):
            raise errors.AgentNotFound(agent=ref)
        call.subject = record.id
        return record

    async def _made_before(self, call: Call) -> Agent | None:
        """The agent of an attempt at this very call that was killed before it could answer, where its program was started."""
        if not call.earlier:
            return None
        record = await self._services.agents.find(str(call.earlier["terminal"]))
        if record is not None:
            seen = await self._holders.seen(record)
            if seen.phase != "lost" or seen.started_at is not None:
                call.subject = record.id
                self._holders.following.follow(record)
                return agent(record, seen)
            await self._holders.forget([record])
        await self._services.sessions.end(str(call.earlier["session"]), NOT_STARTED)
        return None

    async def _launch(
        self,
        call: Call,
        args: models.AgentSpawnInput,
        lane: LaneRecord,
        asked: Wanted,
        program: Path,
        context: Path | None,
    ) -> HolderRecord:
        """Start the program; raises ``command_not_started``. Its session is there first, and ends where it does not start."""
        from ade_runtime.agents.brief import NAME, brief, title_of
        from ade_runtime.agents.program import command, environment
        from ade_runtime.lanes.failures import to_the_end

        title = args.title or title_of(args.prompt)
        draft = await self._session(call, lane, asked, title)
        identifier = self._holders.new_id("terminal")
        session, token = await self._services.sessions.start(draft, None)
        try:
            claim = {"terminal": identifier, "session": session.id}
            await self._services.database.write(lambda db: call.claim(db, claim))
            order = Draft(
                kind="terminal",
                id=identifier,
                lane=lane,
                command=command(asked, program, self._holders.folder(identifier) / NAME),
                cwd=lane.path,
                env=await environment(call, self._services.paths, lane, asked, program, token),
                session=session.id,
                title=title,
                settings={"agent": asked.settings()},
                files={NAME: brief(lane, args.prompt, context)},
                terminal=(args.rows, args.columns),
                segment=SCROLLBACK[0],
                keep=SCROLLBACK[1],
                linger=True,
            )
            async with starting_in(self._services, lane):
                return await self._holders.start(order)
        except (NotStarted, OSError) as problem:
            await self._services.sessions.end(session.id, NOT_STARTED)
            raise errors.CommandNotStarted(command=str(program), reason=str(problem)) from problem
        except BaseException:
            await to_the_end(self._services.sessions.end(session.id, NOT_STARTED))
            raise

    async def _session(self, call: Call, lane: LaneRecord, asked: Wanted, title: str) -> SessionRecord:
        """What the agent may do: what its caller's own session passes on, bound to the lane. ADE's tools are no native tools
        of a program in a terminal, so its capability mode is ``fallback``: it has the command ``ade``."""
        from ade_runtime.sessions.records import SessionRecord

        who, sessions = call.identity, self._services.sessions
        parent = None if who.session is None else await sessions.find(who.session)
        return SessionRecord(
            id="",
            token_hash="",
            role="agent",
            kind="terminal",
            provider=asked.entry.name,
            title=title,
            project=lane.project.id,
            lane=lane.id,
            run=who.run,
            chat=None,
            parent=who.session,
            interaction_mode=who.mode if who.role == "agent" else None,
            capability_mode="fallback",
            standalone=who.standalone,
            started_at=sessions.now(),
            expires_at=None if parent is None else parent.expires_at,
        )
