"""How much an agent may use, what it has used, and what happens past it. What it has used is measured, never what it says."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from ade_runtime.chat import store as chats
from ade_runtime.chat import usage
from ade_runtime.contracts import AdeError
from ade_runtime.runs import awaiting, outbox, store
from ade_runtime.runs.document import moment

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.events.event import Event
    from ade_runtime.runs.document import Manifest
    from ade_runtime.services import Services

EVERY = 30.0
"""Seconds after which the clocks of agents at work are looked at again."""

TOGETHER = 0.5
"""Seconds between two looks: many things happen at once."""

SERVICE = "service"
WATCHED = frozenset({"pending", "running", "blocked"})
log = logging.getLogger("ade.runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What an agent has used so far; seconds since it was started."""

    tokens: int = 0
    cost_usd: float = 0.0
    seconds: int = 0
    turns: int = 0

    def document(self) -> dict[str, Any]:
        """As a manifest has it."""
        return {
            "tokens": self.tokens,
            "costUsd": self.cost_usd,
            "wallClockSeconds": self.seconds,
            "turns": self.turns,
        }


_LIMITS = {
    "maxTokens": ("tokens", "tokens"),
    "maxCostUsd": ("cost_usd", "dollars"),
    "maxWallClockSeconds": ("seconds", "seconds"),
    "maxTurns": ("turns", "turns"),
}


def of(manifest: Manifest, asked: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The budget of a new agent: what is asked for within the run's own, which nothing that is asked for exceeds."""
    own = manifest["defaultBudget"]
    if asked is None or own is None:
        return dict(asked or own) if asked or own else None
    merged: dict[str, Any] = dict(asked)
    for name in _LIMITS:
        limits = [one[name] for one in (asked, own) if one[name] is not None]
        merged[name] = min(limits) if limits else None
    return merged


def exceeded(budget: Mapping[str, Any] | None, used: Used) -> Iterator[tuple[str, str]]:
    """Each limit that is passed, by its name and in words."""
    if budget is None:
        return
    for name, (field, unit) in _LIMITS.items():
        limit, value = budget[name], getattr(used, field)
        if limit is not None and value >= limit:
            yield name, f"{value} of {limit} {unit}"


def used(db: Connection, agent: Mapping[str, Any], now: datetime) -> Used:
    """What an agent has used, by its chat's own records."""
    session = agent["sessionId"]
    spent = usage.of_session(db, session)
    chat = chats.get(db, session)
    since = moment(agent["spawnedAt"]) or now
    until = now if chat is None or chat.ended_at is None else chat.ended_at
    return Used(
        tokens=spent.tokens_in + spent.tokens_out,
        cost_usd=spent.cost_usd or 0.0,
        seconds=max(0, int((until - since).total_seconds())),
        turns=0 if chat is None else chat.turn,
    )


_Broken = tuple[str, str, str]
"""The session, why it cannot go on, and what tells this time from another."""

_Past = tuple[str, str, str, str]
"""The session, the limit, the limit in words, and what is to be done."""


class Budgets:
    """Watches the agents of all runs, in the runtime: each limit that is passed is acted on once."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Watch from now on, where this process is the runtime."""
        if self._task is None and self._services.settings.listening:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def look(self, run: str) -> list[str]:
        """Look at every agent of a run: note those that have begun, tell of those that cannot go on, and act on the limits they
        pass. Gives what was told."""
        begun, broken, past = await self._services.database.read(partial(self._found, run=run))
        if begun:
            await self._services.runs.change(
                run, SERVICE, "started", f"At work: {', '.join(begun)}", lambda m, _: _mark(m, begun)
            )
        told: list[str] = []
        for session, why, time in broken:
            text = f"{session} cannot go on: {why}"
            await self._services.database.write(
                partial(self._tell, run=run, once=f"broken:{session}:{time}", text=text)
            )
            told.append(text)
        for session, name, words, action in past:
            if action in ("pause", "interrupt"):
                with contextlib.suppress(AdeError):  # it may have ended meanwhile
                    await self._services.chats.pause(session)
                    if action == "interrupt":
                        await self._services.chats.interrupt(session)
            text = f"{session} has used up its budget: {words}. {_DONE[action]}"
            tell = partial(self._tell, run=run, once=_once(session, name), text=text)
            await self._services.database.write(tell)
            told.append(text)
        if told:
            self._services.deliveries.wake()
        return told

    def _found(self, db: Connection, run: str) -> tuple[list[str], list[_Broken], list[_Past]]:
        """What there is to be noted, told and acted on in a run."""
        manifest = store.load(db, run)
        return self._begun(db, manifest), self._broken(db, manifest), self._past(db, manifest)

    def _begun(self, db: Connection, manifest: Manifest) -> list[str]:
        """Agents whose first turn has begun and whose row does not say so."""
        pending = [one["sessionId"] for one in manifest["agents"] if one["status"] == "pending"]
        found = ((session, chats.get(db, session)) for session in pending)
        return [session for session, chat in found if chat is not None and chat.turn > 0]

    def _past(self, db: Connection, manifest: Manifest) -> list[_Past]:
        """Limits that are passed and were not told."""
        run, now = manifest["runId"], self._services.sessions.now()
        found = []
        for agent in manifest["agents"]:
            if agent["budget"] is None or agent["status"] not in WATCHED:
                continue
            session = str(agent["sessionId"])
            for name, words in exceeded(agent["budget"], used(db, agent, now)):
                if not outbox.promised(db, run, _once(session, name)):
                    found.append((session, name, words, str(agent["budget"]["onExceeded"])))
        return found

    def _broken(self, db: Connection, manifest: Manifest) -> list[_Broken]:
        """Agents that cannot go on, and of which the lead was not told."""
        run, found = manifest["runId"], awaiting.broken_down(db, manifest)
        return [one for one in found if not outbox.promised(db, run, f"broken:{one[0]}:{one[2]}")]

    def _tell(self, db: Connection, run: str, once: str, text: str) -> None:
        record, now = store.record(db, run), self._services.sessions.now()
        outbox.enqueue(db, run, kind="lead_status", target=record.lead, text=text, at=now, once=once)

    async def _run(self) -> None:
        from ade_runtime.events.view import View
        from ade_runtime.pipeline.identity import owner_identity

        services = self._services
        owner = owner_identity(wanted=None, ceiling=services.settings.ceiling, uid=os.getuid())
        view, cursor = View(owner, ("chat",)), services.events.start("now")
        loop = asyncio.get_running_loop()
        everything_at = loop.time()
        sessions: set[str] | None = None
        while not services.events.closed:
            if loop.time() >= everything_at:
                sessions, everything_at = None, loop.time() + EVERY
            try:
                for run in await services.database.read(partial(_runs, sessions=sessions)):
                    with contextlib.suppress(AdeError):  # one that is suspended hinders no other
                        await self.look(run)
            except Exception:
                log.exception("budgets of runs could not be looked at")
            await asyncio.sleep(TOGETHER)
            left = max(0.0, everything_at - loop.time())
            reading = await services.events.poll(view, cursor, limit=1000, max_bytes=10**6, wait=left)
            cursor = reading.cursor
            sessions = {one.trace.session for one in reading.events if one.trace.session and _tells(one)}


_DONE = {
    "pause": "It begins no more turns; resume its chat to let it go on.",
    "interrupt": "Its turn was ended; resume its chat to let it go on.",
    "warn": "It goes on.",
}


def _once(session: str, name: str) -> str:
    return f"budget:{session}:{name}"


def _mark(manifest: Manifest, sessions: list[str]) -> None:
    for agent in manifest["agents"]:
        if agent["sessionId"] in sessions and agent["status"] == "pending":
            agent["status"] = "running"


def _tells(event: Event) -> bool:
    """Whether something may have been used up: a turn has begun or ended, or a program said what it used."""
    kind = event.trace.kind.type
    return kind == "chat.state" or (kind == "chat.entry" and event.data.get("kind") == "usage")


def _runs(db: Connection, sessions: set[str] | None) -> list[str]:
    """Runs that go on and have anything to be looked at: those of some sessions, or all."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import runs
    from ade_runtime.storage.schema import sessions as table

    if sessions is not None and not sessions:
        return []
    taking_part = select(table.c.run_id).where(table.c.run_id.is_not(None), table.c.kind == "worker")
    if sessions is not None:
        taking_part = taking_part.where(table.c.id.in_(sorted(sessions)))
    else:
        taking_part = taking_part.where(table.c.ended_at.is_(None), table.c.interaction_mode != "lead")
    active = (runs.c.state == "active", runs.c.phase != "planning", runs.c.id.in_(taking_part))
    return list(db.execute(select(runs.c.id).where(*active)).scalars())
