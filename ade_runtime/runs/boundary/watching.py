"""Looks at the repository when a member of a run begins to work and when it has worked, and tells of what is not as it was.

A managed chat is watched from the beginning of a turn to its end; a program that was enlisted from then on, and looked at when
it gives a task back, records a check, and with every sweep. What is known of the beginning is kept in this process: after a
restart it begins anew.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.lanes.records import primary_lane
from ade_runtime.machine.ancestry import boot, look
from ade_runtime.runs import store as runs
from ade_runtime.runs.boundary import picture, store, suspects
from ade_runtime.runs.boundary.compare import Change, differences
from ade_runtime.runs.boundary.store import Finding
from ade_runtime.runs.document import instant
from ade_runtime.sessions import store as sessions
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.projects.registry import Project
    from ade_runtime.runs.boundary.picture import Picture
    from ade_runtime.runs.boundary.suspects import Suspects
    from ade_runtime.runs.document import Manifest
    from ade_runtime.services import Services
    from ade_runtime.sessions.records import SessionRecord

MODES = ("worker", "validator")
PATIENCE = 10.0
"""Seconds that a look may take; a member is never kept waiting longer."""

KIND = "outside_lane"
SERVICE = "service"
log = logging.getLogger("ade.runs")


@dataclass(slots=True)
class Window:
    """Since ``before`` the session has been at work. ``made`` are refs that came while it was."""

    session: SessionRecord
    run: str
    project: Project
    before: Picture
    made: set[str] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Boundary:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._windows: dict[str, Window] = {}
        self._made: dict[str, set[str]] = {}
        self._pictures: dict[str, asyncio.Task[Picture]] = {}
        self._taking: dict[str, asyncio.Lock] = {}
        self._looking: set[asyncio.Task[None]] = set()

    async def begins(self, session: SessionRecord) -> None:
        """From now on the session is at work; nothing for one that is no worker or validator in a lane of its own. Trouble
        hinders nobody."""
        if session.run is None or session.lane is None or session.interaction_mode not in MODES:
            return
        if self._services.settings.one_command:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                project = await self._project(session)
                if project is not None:
                    window = Window(session, session.run, project, await self._picture(project))
                    window.made = self._made.setdefault(session.id, set())
                    self._windows[session.id] = window
        except (AdeError, GitError, OSError, TimeoutError) as problem:
            log.warning("what %s changes is not looked at: %s", session.id, problem)

    async def ends(self, session: str) -> None:
        """The session has worked: look, and watch it no longer."""
        await self.looks(session)
        self._windows.pop(session, None)

    async def looks(self, session: str) -> None:
        """Find and tell what was changed outside of the session's lane since it was last looked. Trouble hinders nobody."""
        window = self._windows.get(session)
        if window is None:
            return
        try:
            async with window.lock, asyncio.timeout(PATIENCE):
                await self._look(window)
        except (AdeError, GitError, OSError, TimeoutError) as problem:
            log.warning("what %s changed could not be found out: %s", session, problem)

    def looks_soon(self, session: str | None) -> None:
        """:meth:`looks` without anybody waiting for it."""
        if session in self._windows:
            task = asyncio.get_running_loop().create_task(self.looks(str(session)))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def looks_at_programs(self, run: str) -> None:
        """Look at those members of a run whose work has no turns; whoever is over is watched no longer."""
        for session, window in list(self._windows.items()):
            if window.run != run or await self._is_chat(session):
                continue
            await self.looks(session)
            if (await self._services.sessions.find(session)).ended_at is not None:
                self._windows.pop(session, None)

    async def settled(self) -> None:
        """Wait until nothing that was asked for is being looked at."""
        while self._looking:
            await asyncio.wait(set(self._looking))

    async def close(self) -> None:
        for task in (*self._looking, *self._pictures.values()):
            task.cancel()
        await asyncio.gather(*self._looking, *self._pictures.values(), return_exceptions=True)

    # -- looking

    async def _look(self, window: Window) -> None:
        before, after = window.before, await self._picture(window.project)
        window.before = after
        found = list(differences(before, after, window.session.lane, window.made))
        window.made |= after.refs.keys() - before.refs.keys()
        if not found:
            return
        running = await self._running(window.project.id)
        for lane in sorted({change.lane for change in found if change.lane is not None}):
            if not await self._quiet(lane):
                found = [change for change in found if change.lane != lane]
        others = await self._services.database.read(
            lambda db: suspects.found(db, window.project.id, window.session.id, before.at, running)
        )
        await self._tell(window, [change for change in found if not others.explain(change)], others)

    async def _quiet(self, lane: str) -> bool:
        """Wait for a call that changes the lane right now, so that its row of the audit is there; false where it goes on."""
        try:
            async with asyncio.timeout(PATIENCE / 2), self._services.locks.lane(lane):
                return True
        except TimeoutError:
            return False

    async def _tell(self, window: Window, changes: list[Change], others: Suspects) -> None:
        if not changes:
            return
        names = await self._services.lanes.names(change.lane for change in changes)

        def write(db: Connection) -> list[Finding]:
            return self._keep(db, window, changes, names, others.others, self._services.sessions.now())

        kept = await self._services.database.write(write)
        if kept:
            record = await self._services.database.read(lambda db: runs.record(db, window.run))
            self._services.runs.tell(record, KIND)
        for finding in kept:
            self._services.events.publish(
                "run.outside",
                project=window.project.id,
                lane=finding.change.lane,
                session=finding.session,
                subject=window.run,
                data={"kind": finding.change.kind, "sole": finding.sole, "text": finding.text},
            )

    def _keep(
        self,
        db: Connection,
        window: Window,
        changes: list[Change],
        names: dict[str, str],
        others: tuple[str, ...],
        now: datetime,
    ) -> list[Finding]:
        """In one transaction: the findings that are new, a decision for each, and the promise to tell the lead."""
        if runs.record(db, window.run).state != "active":
            return []
        manifest, session = runs.load(db, window.run), window.session.id
        agent = next((one for one in manifest["agents"] if one["sessionId"] == session), None)
        found = [
            Finding(
                session=session,
                agent=session if agent is None else agent["displayName"],
                lane_name=None if change.lane is None else names.get(change.lane, change.lane),
                others=others,
                change=change,
            )
            for change in changes
        ]
        kept = [finding for finding in found if store.add(db, window.run, finding, now)]
        if not kept:
            return []

        def decided(manifest: Manifest, at: str) -> None:
            for finding in kept:
                decision = {"id": new_id("dec"), "at": instant(now), "by": SERVICE, "text": finding.text}
                manifest["decisions"].append(decision)
                once = f"outside:{finding.change.key}"
                self._services.runs.promise(db, manifest, finding.text, once=once)

        summary = "; ".join(finding.text for finding in kept)
        self._services.runs.change_in(db, window.run, SERVICE, KIND, summary, decided)
        return kept

    # -- pictures

    async def _picture(self, project: Project) -> Picture:
        """The repository as it is from now on: one that was begun before is no answer, one that is yet to begin serves all."""
        pending = self._pictures.get(project.id)
        if pending is None:
            pending = asyncio.get_running_loop().create_task(self._take(project))
            self._pictures[project.id] = pending
        return await asyncio.shield(pending)

    async def _take(self, project: Project) -> Picture:
        async with self._taking.setdefault(project.id, asyncio.Lock()):
            self._pictures.pop(project.id, None)
            now = self._services.clock.now()
            running = await self._running(project.id)
            busy = await self._services.database.read(
                lambda db: suspects.writing(db, project.id, now, running)
            )
            made = [lane for lane in await self._services.lanes.store.all(project) if lane.state == "active"]
            return await picture.take(project, [primary_lane(project), *made], busy, now)

    async def _running(self, project: str) -> set[str]:
        """Sessions of the project without a chat that have a living process."""

        def read(db: Connection) -> dict[str, list[tuple[str, int, int]]]:
            return {one: sessions.processes(db, one) for one in suspects.without_chat(db, project)}

        found, here = await self._services.database.read(read), boot()

        def lives(process: tuple[str, int, int]) -> bool:
            there = look(process[1]) if process[0] == here else None
            return there is not None and there.start == process[2]

        return {session for session, processes in found.items() if any(map(lives, processes))}

    async def _project(self, session: SessionRecord) -> Project | None:
        return next((one for one in await self._services.projects.all() if one.id == session.project), None)

    async def _is_chat(self, session: str) -> bool:
        from ade_runtime.chat import store as chats

        return await self._services.database.read(lambda db: chats.get(db, session)) is not None
