"""When members of runs were last heard of: any call of a member's session is a sign of life. It is kept beside the manifest, at
most once in half a minute, and changes no etag."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.services import Services

EVERY = timedelta(seconds=30)
GATHERED_FOR = 0.5
"""Seconds for which the runtime gathers signs of life, to write them down together."""

KNOWN_AT_ONCE = 10_000
"""Sessions whose last sign of life is remembered in this process."""

log = logging.getLogger("ade.runs")


@dataclass(frozen=True, slots=True)
class Beat:
    """The last sign of life, and the moment since which the session was silent when that was last told."""

    at: datetime
    told: datetime | None


class Heartbeats:
    """Notes the signs of life that come in with calls. The runtime writes them down a moment later, many at once: no call waits
    for that, and a kill loses no more than the last moment of a silence that is measured in minutes."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: dict[str, datetime] = {}
        self._gathered: dict[str, tuple[str, datetime]] = {}
        self._writing: asyncio.Task[None] | None = None

    async def note(self, identity: Identity) -> None:
        """The session of a call is alive. Trouble here must not hinder the call."""
        session, run = identity.session, identity.run
        if session is None or run is None:
            return
        now = self._services.sessions.now()
        last = self._known.get(session)
        if last is not None and timedelta(0) <= now - last < EVERY:
            return
        if len(self._known) >= KNOWN_AT_ONCE:
            self._known.clear()
        self._known[session] = now
        self._gathered[session] = run, now
        if not self._services.settings.listening:
            await self.flush()
        elif self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._later())

    async def flush(self) -> None:
        """Write down what was gathered, for who is about to look."""
        gathered, self._gathered = self._gathered, {}
        if not gathered:
            return

        def write(db: Connection) -> None:
            for session, (run, at) in gathered.items():
                beat(db, run, session, at)

        try:
            await self._services.database.write(write)
        except AdeError as problem:
            log.warning("%d signs of life could not be kept: %s", len(gathered), problem.message)

    async def close(self) -> None:
        """Write down what was gathered; nothing is gathered any more."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait([self._writing])
        await self.flush()

    async def _later(self) -> None:
        await asyncio.sleep(GATHERED_FOR)
        self._writing = None
        await self.flush()


def beat(db: Connection, run: str, session: str, now: datetime) -> bool:
    """Note a sign of life, and whether that changed anything: not within half a minute of the last, nor for a run that is over
    or whose manifest is not its own."""
    from sqlalchemy import insert, select, update

    from ade_runtime.storage.schema import run_heartbeats as beats
    from ade_runtime.storage.schema import runs

    row = (beats.c.run_id == run, beats.c.session_id == session)
    last = db.execute(select(beats.c.at).where(*row)).scalar()
    if last is not None and timedelta(0) <= now - from_ms(last) < EVERY:
        return False
    own = runs.c.manifest.contains(f'"runId":"{run}"', autoescape=True)
    if db.execute(select(runs.c.id).where(runs.c.id == run, runs.c.state == "active", own)).scalar() is None:
        return False
    if last is None:
        db.execute(insert(beats).values(run_id=run, session_id=session, at=to_ms(now)))
    else:
        db.execute(update(beats).where(*row).values(at=to_ms(now)))
    return True


def told(db: Connection, run: str, session: str, silent_since: datetime) -> None:
    """Note that a silence was told of."""
    from sqlalchemy import insert, update

    from ade_runtime.storage.schema import run_heartbeats as beats

    row = (beats.c.run_id == run, beats.c.session_id == session)
    since = to_ms(silent_since)
    if not db.execute(update(beats).where(*row).values(told=since)).rowcount:
        db.execute(insert(beats).values(run_id=run, session_id=session, at=since, told=since))


def of_run(db: Connection, run: str) -> dict[str, Beat]:
    """The last sign of life of each session that gave one; what a managed chat says is one, too."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_heartbeats as beats

    found = {}
    for row in db.execute(select(beats).where(beats.c.run_id == run)):
        found[row.session_id] = Beat(from_ms(row.at), None if row.told is None else from_ms(row.told))
    return found


def heard(db: Connection, run: str, sessions: Iterable[str]) -> dict[str, Beat]:
    """:func:`of_run`, with what managed chats among ``sessions`` have said since."""
    from sqlalchemy import func, select

    from ade_runtime.storage.schema import chat_entries as entries

    found = of_run(db, run)
    newest = (
        select(func.max(entries.c.id).label("id"))
        .where(entries.c.session_id.in_(list(sessions)))
        .group_by(entries.c.session_id)
    )
    query = select(entries.c.session_id, entries.c.at).where(entries.c.id.in_(newest))
    for session, at in db.execute(query):
        known = found.get(session)
        if known is None or known.at < from_ms(at):
            found[session] = Beat(from_ms(at), None if known is None else known.told)
    return found


def times(beats: Mapping[str, Beat]) -> dict[str, datetime]:
    """When each session was last heard of."""
    return {session: one.at for session, one in beats.items()}
