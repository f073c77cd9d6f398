"""Delivers what runs have promised to tell: to chats as messages, to agents in terminals by typing.

An entry is claimed first, then told, then settled. The entry's id names the message at the receiver, which takes a message of
one name once; so whatever is told again after a process was killed is said once. Only the runtime delivers.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Literal

from ade_runtime.agents import store as agents
from ade_runtime.chat import store as chats
from ade_runtime.chat.records import STOPPED
from ade_runtime.chat.service import QUEUE_LIMIT
from ade_runtime.contracts import AdeError
from ade_runtime.runs import outbox, store
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.runs.document import Manifest
    from ade_runtime.runs.outbox import Entry
    from ade_runtime.services import Services

AT_ONCE = 50
LONGEST_SLEEP = 60.0
"""Seconds after which is looked for what another process has promised."""

BUSY_FOR = timedelta(seconds=5)
"""Until an agent in a terminal that is at work is looked at again."""

SERVICE = "service"
Told = Literal["told", "busy", "gone"]
log = logging.getLogger("ade.runs")


class NotTaken(Exception):
    """The receiver took nothing, for now."""


class Deliveries:
    """``wake`` it once a transaction is over that has promised something."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._next: datetime | None = None

    def wake(self) -> None:
        """There is something to tell. Without a runtime it waits for one."""
        self.start()
        self._news.set()

    def start(self) -> None:
        """Deliver from now on, where this process is the runtime."""
        if self._task is not None or not self._services.settings.listening:
            return
        self._services.expecting.append(lambda: self._next is not None)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def drain(self) -> int:
        """Deliver all that is due now, and give how many entries were settled."""
        await self._services.database.write(outbox.release_left)
        settled = 0
        while True:
            now = self._services.sessions.now()
            claimed = await self._services.database.write(partial(outbox.claim, now=now, limit=AT_ONCE))
            if not claimed:
                return settled
            try:  # each is for another target, and none waits for a slow one
                done = await asyncio.gather(*map(self._deliver, claimed), return_exceptions=True)
            finally:
                for entry in claimed:
                    outbox.let_go(entry)
            for one in done:
                if isinstance(one, BaseException):
                    raise one
                settled += one

    async def _run(self) -> None:
        while True:
            self._news.clear()
            try:
                now = self._services.sessions.now()
                if await self._services.database.read(partial(outbox.anything_due, now=now)):
                    await self.drain()
                self._next = await self._services.database.read(outbox.next_due)
            except Exception:
                log.exception("what runs have to tell could not be told")
            await self._sleep()

    async def _sleep(self) -> None:
        seconds = LONGEST_SLEEP
        if self._next is not None:
            ahead = (self._next - self._services.clock.now()).total_seconds()
            seconds = min(max(ahead, 0.05), LONGEST_SLEEP)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def _deliver(self, entry: Entry) -> bool:
        """Tell one entry; whether it is settled then."""
        try:
            told = await self.tell(entry)
        except (AdeError, NotTaken, OSError) as problem:
            return await self._went_wrong(entry, str(problem))
        now = self._services.sessions.now()
        if told == "busy":
            await self._services.database.write(
                lambda db: outbox.put_back(db, entry, self._services.sessions.now() + BUSY_FOR)
            )
            return False
        if told == "gone":
            await self._services.database.write(lambda db: self._given_up(db, entry, "it is over"))
            return True
        await self._services.database.write(lambda db: outbox.delivered(db, entry, now))
        return True

    async def tell(self, entry: Entry) -> Told:
        """Tell the receiver, whichever it is. A session without a program reads for itself what it is told."""
        state = await self._services.database.read(lambda db: chats.state_of(db, entry.target))
        if state is not None:
            over = state == "ended" and entry.kind != "cancel_interrupt"
            return "gone" if over else await self._tell_chat(entry)
        terminal = await self._services.database.read(lambda db: agents.running(db, entry.target))
        if terminal is not None:
            from ade_runtime.scheduling.typed import tell

            return await tell(self._services, terminal, entry.id, entry.text, wait=True)
        session = await self._services.sessions.find(entry.target)
        return "told" if session.state(self._services.clock.now()) == "live" else "gone"

    async def _tell_chat(self, entry: Entry) -> Told:
        service = self._services.chats
        await service.settled()
        if entry.kind == "cancel_interrupt":
            await service.interrupt(entry.target)
            await service.end(entry.target, entry.text or "cancelled")
            return "told"
        if entry.delivery != "interrupt":
            steer = await self._services.database.write(lambda db: self._put_message(db, entry))
            if steer and await service.steer_queued(entry.target, message_id(entry)):
                return "told"
            service.wake(entry.target)
        if entry.delivery in ("interrupt", "interrupt-replace"):
            await service.interrupt(entry.target)
        return "told"

    def _put_message(self, db: Connection, entry: Entry) -> bool:
        """Queue the message, unless it is there, and whether it may be said into a running turn. The entry is settled in the
        same transaction where nothing more is to be done."""
        now, steer = self._services.sessions.now(), entry.delivery == "steer"
        chat = chats.get(db, entry.target)
        if chat is None or chat.state == "ended":
            raise NotTaken("the chat is over")
        fresh = chats.message(db, entry.target, message_id(entry)) is None
        if fresh:
            if chat.queued >= QUEUE_LIMIT:
                raise NotTaken(f"{chat.queued} messages wait for it already")
            identity = SERVICE if entry.sender is None else f"session:{entry.sender}"
            name = message_id(entry)
            chats.enqueue(db, entry.target, entry.text, now, steer=steer, identity=identity, identifier=name)
            if chat.state in STOPPED:
                chats.change(db, entry.target, now, state="idle", problem=None, retry_at=None)
        if entry.delivery == "sendMessage":
            outbox.delivered(db, entry, now)
        return steer and fresh

    async def _went_wrong(self, entry: Entry, problem: str) -> bool:
        def write(db: Connection) -> bool:
            if entry.attempts >= outbox.MOST_ATTEMPTS:
                self._given_up(db, entry, problem)
                return True
            outbox.retry(db, entry, problem, self._services.sessions.now())
            return False

        return await self._services.database.write(write)

    def _given_up(self, db: Connection, entry: Entry, problem: str) -> None:
        """Nobody is told any more; the run remembers it, and its lead is told."""
        now = self._services.sessions.now()
        outbox.fail(db, entry, problem, now)
        record = store.record(db, entry.run)
        if record.state != "active":
            return
        text = f"{entry.target} could not be told ({entry.kind}): {problem}"[:4000]

        def decided(manifest: Manifest, at: str) -> None:
            decision = {"id": new_id("dec"), "at": at, "by": SERVICE, "text": text}
            manifest["decisions"].append(decision)

        self._services.runs.change_in(db, entry.run, SERVICE, "undelivered", text, decided)
        if entry.target != record.lead:
            outbox.enqueue(
                db,
                entry.run,
                kind="lead_status",
                target=record.lead,
                text=text,
                at=now,
                task=entry.task,
                once=f"undelivered:{entry.id}",
            )


def message_id(entry: Entry) -> str:
    """The name of the message that an entry becomes at its receiver."""
    return f"msg_{entry.id.removeprefix('out_')}"
