"""Does the stale sweep: when the runtime starts, again and again, and when the lead asks for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError
from ade_runtime.runs import heartbeats, store
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.sweep import Swept, sweep
from ade_runtime.runs.tasks import HELD

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

EVERY = 60.0
"""Seconds between two sweeps. It is less than what a lease or a silence is measured in."""

SERVICE = "service"
log = logging.getLogger("ade.runs")


class Sweeper:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._task: asyncio.Task[None] | None = None
        self._expected = False

    async def sweep_all(self) -> int:
        """Sweep every run that goes on, and give how many changed. Trouble with one hinders no other. Agents that somebody
        began to start and gave up are let go."""
        changed, expected = 0, False
        await self._services.run_spawning.reap()
        await self._services.heartbeats.flush()
        for run in await self._services.database.read(store.active):
            try:
                due, held = await self._services.database.read(partial(self._look, run=run))
                expected = expected or held
                changed += bool(due and await self.sweep(run, SERVICE))
                if "run_boundary" in self._services.__dict__:
                    await self._services.run_boundary.looks_at_programs(run)
            except AdeError as problem:
                log.warning("run %s could not be swept: %s", run, problem.message)
        self._expected = expected
        return changed

    async def sweep(self, run: str, actor: str, taken: Collection[str] = ()) -> Swept:
        """Sweep one run now; ``taken`` are tasks to take back whoever holds them."""

        def write(db: Connection) -> Swept:
            return self.sweep_in(db, run, actor, taken)

        await self._services.heartbeats.flush()
        found = await self._services.database.write(write)
        if found:
            self.tell(await self._services.database.read(lambda db: store.record(db, run)))
        return found

    def tell(self, record: store.RunRecord) -> None:
        """Tell of a sweep that changed something, once its transaction is over."""
        self._services.runs.tell(record, "swept")

    def sweep_in(self, db: Connection, run: str, actor: str, taken: Collection[str] = ()) -> Swept:
        """:meth:`sweep` inside a transaction of the caller's. What changes nothing is no change of the run."""
        now = self._services.sessions.now()
        manifest = store.load(db, run)
        found = _sweep(db, manifest, now, taken)
        if found:
            self._services.runs.put(db, manifest, actor, "swept", _summary(found), now)
            self._remember(db, manifest, found)
        return found

    def _look(self, db: Connection, run: str) -> tuple[bool, bool]:
        """Whether a run has anything stale, and whether anything is held in it; nothing is kept of it."""
        manifest = store.load(db, run)
        held = any(one["status"] in HELD for one in manifest["tasks"])
        return bool(_sweep(db, manifest, self._services.sessions.now(), ())), held

    def _remember(self, db: Connection, manifest: Manifest, found: Swept) -> None:
        """Tell the lead, each silence and each end once."""
        runs = self._services.runs
        for session, since in found.stalled.items():
            heartbeats.told(db, manifest["runId"], session, since)
            text = f"{session} has been silent since {since.isoformat(timespec='seconds')}; it may be stuck."
            runs.promise(db, manifest, text, once=f"stalled:{session}:{since.isoformat()}")
        for session in found.gone:
            text = f"{session} has ended without giving its work back."
            runs.promise(db, manifest, text, once=f"gone:{session}")
        for one in found.recovered:
            text = f"Task {one.task} waits for a claim again: {one.reason} ({one.holder})."
            runs.promise(db, manifest, text, task=one.task)

    # -- the runtime

    def start(self) -> None:
        """Sweep from now on, where this process is the runtime."""
        if self._task is not None or not self._services.settings.listening:
            return
        self._services.expecting.append(lambda: self._expected)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            try:
                await self.sweep_all()
            except Exception:
                log.exception("runs could not be swept")
            await asyncio.sleep(EVERY)


def _sweep(db: Connection, manifest: Manifest, now: datetime, taken: Collection[str]) -> Swept:
    sessions = [one["sessionId"] for one in manifest["agents"]]
    beats = heartbeats.heard(db, manifest["runId"], sessions)
    return sweep(manifest, beats, _ended(db, sessions, now), now, taken=taken)


def _ended(db: Connection, sessions: Collection[str], now: datetime) -> set[str]:
    """Which of the sessions are over."""
    from sqlalchemy import or_, select

    from ade_runtime.storage.schema import sessions as table
    from ade_runtime.storage.times import to_ms

    over = or_(table.c.ended_at.is_not(None), table.c.expires_at <= to_ms(now))
    return set(db.execute(select(table.c.id).where(table.c.id.in_(list(sessions)), over)).scalars())


def _summary(found: Swept) -> str:
    parts = []
    if found.recovered:
        parts.append(f"Back to pending: {', '.join(one.task for one in found.recovered)}")
    if found.stalled:
        parts.append(f"Silent: {', '.join(found.stalled)}")
    if found.gone:
        parts.append(f"Ended: {', '.join(found.gone)}")
    if found.back:
        parts.append(f"Heard of again: {', '.join(found.back)}")
    return "; ".join(parts) or "Lineage brought up to date"
