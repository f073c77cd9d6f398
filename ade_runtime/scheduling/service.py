"""The schedules of one ADE_HOME: kept in the database, fired by the runtime."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.scheduling.records import GIVEN_UP, WAITING, Firing, Schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.scheduling.firing import Done
    from ade_runtime.scheduling.runner import Runner
    from ade_runtime.services import Services

log = logging.getLogger("ade.schedule")

WAITING_LIMIT = 100
"""Schedules of one session that may wait: an agent in a loop must not bury the machine."""


class ScheduleService:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._runner: Runner | None = None
        self._task: asyncio.Task[None] | None = None

    async def add(self, schedule: Schedule, done: Callable[[Connection], None]) -> Schedule:
        """Keep a promise from now on; ``done`` is called in the same transaction. Raises ``too_many_schedules``."""
        from ade_runtime.scheduling import store

        def write(db: Connection) -> None:
            if schedule.owner is not None:
                count = store.waiting_of(db, schedule.owner)
                if count >= WAITING_LIMIT:
                    raise errors.TooManySchedules(count=count)
            store.add(db, schedule)
            done(db)

        await self._services.database.write(write)
        self._changed()
        return schedule

    async def find(self, identifier: str) -> Schedule:
        """The schedule; raises ``schedule_not_found``."""
        from ade_runtime.scheduling import store

        found = await self._services.database.read(lambda db: store.get(db, identifier))
        if found is None:
            raise errors.ScheduleNotFound(schedule=identifier)
        return found

    async def all(self, *, project: str | None, session: str | None, everything: bool) -> list[Schedule]:
        """Schedules, the one that fires next first."""
        from ade_runtime.scheduling import store

        return await self._services.database.read(
            lambda db: store.listed(db, project=project, session=session, everything=everything)
        )

    async def cancel(self, schedule: Schedule) -> Schedule:
        """Fire no more. One that is over stays what it is."""
        if schedule.state not in WAITING:
            return schedule
        return await self._set(schedule, state="cancelled", next_at=None)

    async def pause(self, schedule: Schedule, *, paused: bool) -> Schedule:
        """Fire no more until resumed; raises ``schedule_over``."""
        if schedule.state not in WAITING:
            raise errors.ScheduleOver(schedule=schedule.id, state=schedule.state)
        return await self._set(schedule, state="paused" if paused else "active")

    async def pause_scope(self, scope: str, *, paused: bool) -> None:
        """Pause or resume a chat's schedules, by its id, or all of the ``machine``."""
        from ade_runtime.scheduling import store

        now = self._services.clock.now()
        await self._services.database.write(
            lambda db: store.pause(db, scope, now) if paused else store.resume(db, scope)
        )
        self._changed()

    async def pauses(self) -> frozenset[str]:
        """Chats whose schedules are paused, and ``machine`` where all are."""
        from ade_runtime.scheduling import store

        return await self._services.database.read(store.pauses)

    async def fire_now(self, call: Call, schedule: Schedule) -> Firing:
        """Fire once besides its own times, and give the firing once it is settled. Who repeats a call whose process was killed
        gets the firing that it had made. Raises ``schedule_over`` where it was given up, or the chat it is for has ended."""
        from ade_runtime.scheduling import store
        from ade_runtime.scheduling.firing import Done, fire_once
        from ade_runtime.scheduling.runner import perform, resume

        now, done = self._services.clock.now(), Done()
        made = call.earlier.get("firing")
        if made is not None:
            firing = await self._services.database.read(lambda db: store.fired(db, str(made)))
            if firing.state == "claimed":
                return await resume(self._services, schedule, firing)
            if schedule.session is not None:
                self._services.chats.wake(schedule.session)
            return firing

        def write(db: Connection) -> Firing:
            due_at = now
            while store.has_fired(
                db, schedule.id, due_at
            ):  # a time of its own, so that no two firings are one
                due_at += timedelta(milliseconds=1)
            fresh = store.get(db, schedule.id) or schedule
            if fresh.state in GIVEN_UP:
                raise errors.ScheduleOver(schedule=fresh.id, state=fresh.state)
            firing = fire_once(db, fresh, due_at, now, 0, done)
            done.put(db, now)
            call.claim(db, {"firing": firing.id})
            return firing

        firing = await self._services.database.write(write)
        await self.after(done)
        for claimed, one in done.perform:
            firing = await perform(self._services, claimed, one, again=False)
        return firing

    async def history(self, *, schedule: str | None, project: str | None) -> list[Firing]:
        """Firings, the newest first."""
        from ade_runtime.scheduling import store

        return await self._services.database.read(
            lambda db: store.history(db, schedule=schedule, project=project)
        )

    async def after(self, done: Done) -> None:
        """What follows a transaction that fired: chats are woken and events told."""
        for session in sorted(done.wake):
            self._services.chats.wake(session)
        for schedule, firing in done.fired:
            self._services.events.publish(
                "schedule.fired",
                project=schedule.project,
                session=schedule.session,
                subject=schedule.id,
                data={"firing": firing.id, "state": firing.state, "late_seconds": firing.late_seconds},
            )

    # -- the runtime

    def start(self) -> None:
        """Fire what falls due from now on, where this process is the runtime."""
        if self._task is not None or not self._services.settings.listening:
            return
        from ade_runtime.scheduling.runner import Runner

        self._runner = Runner(self._services, self)
        self._services.expecting.append(self._runner.expects)
        self._task = asyncio.get_running_loop().create_task(self._runner.run())
        self._task.add_done_callback(_log_failure)

    async def close(self) -> None:
        """Fire no more in this process."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _set(self, schedule: Schedule, **values: object) -> Schedule:
        from ade_runtime.scheduling import store

        await self._services.database.write(lambda db: store.change(db, schedule.id, **values))
        self._changed()
        return await self.find(schedule.id)

    def _changed(self) -> None:
        self.start()
        if self._runner is not None:
            self._runner.wake()


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("nothing fires any more", exc_info=task.exception())
