"""Fires schedules when they are due: one timer for all of them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from ade_generated.dispatch import ACTIONS
from ade_runtime.agents import store as agents
from ade_runtime.contracts import AdeError, Effect, Idempotency
from ade_runtime.pipeline.call import Caller
from ade_runtime.pipeline.identity import dead_session, owner_identity, session_identity
from ade_runtime.scheduling import store
from ade_runtime.scheduling.firing import GONE, fire_due, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.scheduling.records import Firing, FiringState, Schedule
    from ade_runtime.scheduling.service import ScheduleService
    from ade_runtime.services import Services

log = logging.getLogger("ade.schedule")

AT_ONCE = 25
"""Schedules fired in one transaction, so that calls go on between them."""

PERFORMED_AT_ONCE = 4
"""Actions of schedules that are under way at a time: callers go first."""

LONGEST_SLEEP = 15.0
"""Seconds after which the clocks are compared again while something waits: the wall clock may be set at any time."""

CLOCK_WAS_SET = timedelta(seconds=2)
RETRY_AFTER = (10, 60, 300)
"""Seconds until an action that failed for now is tried again."""

LONGEST_RESULT = 2000
LOOK_AGAIN = 5
"""Seconds until an agent in a terminal that is at work is looked at again."""

LONGEST_PATIENCE = timedelta(hours=1)


class Runner:
    """``wake`` it when schedules changed."""

    def __init__(self, services: Services, service: ScheduleService) -> None:
        self._services = services
        self._service = service
        self._news = asyncio.Event()
        self._next: datetime | None = None
        self._wall, self._elapsed = services.clock.now(), services.clock.elapsed()
        self._performing: dict[str, asyncio.Task[None]] = {}
        self._claimed: list[tuple[Schedule, Firing, bool]] = []
        self._room = asyncio.Semaphore(PERFORMED_AT_ONCE)

    def wake(self) -> None:
        self._news.set()

    def expects(self) -> bool:
        """Whether something falls due later by itself."""
        return self._next is not None or bool(self._performing)

    async def run(self) -> None:
        """Go on until cancelled."""
        await self._take_up()
        while True:
            self._news.clear()
            await self._compare_clocks()
            while await self._fire():
                pass
            self._start_claimed()
            self._next = await self._services.database.read(store.next_due)
            await self._sleep()

    async def _compare_clocks(self) -> None:
        """A delay counts the time that passes: when the wall clock is set, its end moves along."""
        clock = self._services.clock
        wall, elapsed = clock.now(), clock.elapsed()
        set_by = wall - self._wall - timedelta(seconds=elapsed - self._elapsed)
        if abs(set_by) > CLOCK_WAS_SET:
            log.info("the clock was set by %s; delays move along", set_by)
            await self._services.database.write(partial(store.shift_delays, by=set_by))
        self._wall, self._elapsed = wall, elapsed

    async def _sleep(self) -> None:
        """Until something is due, or changed."""
        seconds = None
        if self._next is not None:
            ahead = (self._next - self._services.clock.now()).total_seconds()
            seconds = min(max(ahead, 0.0), LONGEST_SLEEP)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def _fire(self) -> bool:
        """Fire some of what is due; whether there may be more."""
        now = self._services.clock.now()
        again = await self._services.database.read(lambda db: store.claimed(db, now))
        for firing in again:
            self._claimed.append((await self._service.find(firing.schedule), firing, True))
        done = await self._services.database.write(lambda db: fire_due(db, now, AT_ONCE))
        await self._service.after(done)
        self._claimed += [(schedule, firing, False) for schedule, firing in done.perform]
        return done.handled >= AT_ONCE

    def _start_claimed(self) -> None:
        """Only once everything that is due was claimed: a long action makes nothing else late."""
        claimed, self._claimed = self._claimed, []
        for schedule, firing, again in claimed:
            self._start(schedule, firing, again=again)

    def _start(self, schedule: Schedule, firing: Firing, *, again: bool) -> None:
        if firing.id in self._performing:
            return

        async def one() -> None:
            waits = schedule.session is not None  # for the agent in the terminal, and not for the machine
            async with contextlib.nullcontext() if waits else self._room:
                settled = await perform(self._services, schedule, firing, again=again)
            if settled.state == "claimed":
                self.wake()

        task = self._performing[firing.id] = asyncio.get_running_loop().create_task(one())
        task.add_done_callback(lambda _done: self._performing.pop(firing.id, None))

    async def _take_up(self) -> None:
        """Firings that the last runtime claimed: done again where that is safe, else said to be unknown."""
        for firing in await self._services.database.read(store.claimed):
            schedule = await self._service.find(firing.schedule)
            if _repeatable(schedule):
                self._start(schedule, firing, again=True)
            else:
                await resume(self._services, schedule, firing)


async def resume(services: Services, schedule: Schedule, firing: Firing) -> Firing:
    """Go on with a firing that a process claimed which is no more: it is done again where that is safe."""
    if _repeatable(schedule):
        return await perform(services, schedule, firing, again=True)
    return await _settle(services, schedule, firing, "unknown", "the runtime ended while it was being done")


async def perform(services: Services, schedule: Schedule, firing: Firing, *, again: bool) -> Firing:
    """Perform the action of a claimed firing, or wake its agent, and say what came of it.

    A write carries the firing's id as its request id, so that it happens once however often it is tried.
    """
    if schedule.session is not None:
        return await _wake_agent(services, schedule, firing)
    attempts = firing.attempts + again
    if again:
        firing = dataclasses.replace(firing, attempts=attempts)
        await services.database.write(
            lambda db: store.settle(db, firing.id, "claimed", None, attempts=attempts)
        )
    try:
        output = await services.pipeline.call(
            str(schedule.action),
            schedule.arguments or {},
            identity=await _identity(services, schedule),
            caller=Caller(transport="in_process", project=schedule.project, lane=schedule.lane),
            request_id=firing.id,
        )
    except AdeError as problem:
        text = f"{problem.code}: {problem.message}"
        if problem.retry and attempts <= len(RETRY_AFTER):
            return await _later(services, firing, text, attempts)
        return await _settle(services, schedule, firing, "failed", text)
    return await _settle(services, schedule, firing, "delivered", _kept(output.decode()))


def _kept(output: str) -> str:
    """What is kept of an action's output, and how much is not."""
    left = len(output) - LONGEST_RESULT
    return output if left <= 0 else f"{output[:LONGEST_RESULT]}… ({left} more characters)"


async def _wake_agent(services: Services, schedule: Schedule, firing: Firing) -> Firing:
    """Tell the agent in its terminal. One that is at work is told after its turn, or after an hour: what its program gets then
    waits in the program itself."""
    from ade_runtime.scheduling.typed import tell

    session, now = str(schedule.session), services.clock.now()
    record = await services.database.read(lambda db: agents.running(db, session))
    patient = now - firing.fired_at < LONGEST_PATIENCE
    text = message(schedule, firing.due_at, now, firing.missed)
    told = "gone" if record is None else await tell(services, record, firing.id, text, wait=patient)
    if told == "busy":
        return await _again(services, firing, "its agent is at work", firing.attempts, LOOK_AGAIN)
    if told == "told":
        return await _settle(services, schedule, firing, "delivered", "told the agent in its terminal")
    await services.database.write(lambda db: store.change(db, schedule.id, state="ended", next_at=None))
    return await _settle(services, schedule, firing, "failed", GONE)


async def _later(services: Services, firing: Firing, text: str, attempts: int) -> Firing:
    return await _again(services, firing, text, attempts, RETRY_AFTER[attempts - 1])


async def _again(services: Services, firing: Firing, text: str, attempts: int, seconds: float) -> Firing:
    again = services.clock.now() + timedelta(seconds=seconds)
    await services.database.write(
        lambda db: store.settle(db, firing.id, "claimed", text, attempts=attempts, retry_at=again)
    )
    return dataclasses.replace(firing, result=text)


async def _settle(
    services: Services, schedule: Schedule, firing: Firing, state: FiringState, text: str
) -> Firing:
    def write(db: Connection) -> None:
        store.settle(db, firing.id, state, text, attempts=firing.attempts)
        store.change(db, schedule.id, last=text)

    await services.database.write(write)
    return dataclasses.replace(firing, state=state, result=text)


def _repeatable(schedule: Schedule) -> bool:
    if schedule.session is not None:
        return True
    entry = ACTIONS.get(str(schedule.action))
    if entry is None:
        return False
    return entry.effect is Effect.READ or entry.idempotency in (Idempotency.REQUEST_ID, Idempotency.NATURAL)


async def _identity(services: Services, schedule: Schedule) -> Identity:
    """Who made the schedule, as far as that still may act: raises ``policy_denied`` for a session that is over."""
    ceiling = services.settings.ceiling
    if schedule.owner is None:
        return owner_identity(wanted=schedule.role, ceiling=ceiling, uid=os.getuid())
    record = await services.sessions.find(schedule.owner)
    state = record.state(services.clock.now())
    if state != "live":
        raise dead_session(record, state)
    return session_identity(record, "token", wanted=schedule.role, ceiling=ceiling, uid=os.getuid())
