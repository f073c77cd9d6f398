"""The chats of one ADE_HOME: kept in the database, driven by the runtime.

Any process may make, change and read chats; only the runtime runs their programs. What it runs is one
:class:`~ade_runtime.chat.driver.Driver` for each chat that has something to do.
"""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.chat import flush, registry
from ade_runtime.chat.approvals import Approvals
from ade_runtime.chat.providers.base import ProviderError
from ade_runtime.chat.records import (
    ACTIVE,
    STOPPED,
    ChatRecord,
    Entry,
    EntryKind,
    Message,
    known,
    open_chat,
)
from ade_runtime.chat.surroundings import usual_environment
from ade_runtime.pipeline.identity import session_key
from ade_runtime.questions.records import Question
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.chat.driver import Driver
    from ade_runtime.contracts import JsonObject, ProviderEntry
    from ade_runtime.pipeline.receipt import Receipt
    from ade_runtime.questions.records import Answers, Part
    from ade_runtime.services import Services

QUEUE_LIMIT = 100
WAIT_STEP = 0.5


class ChatService:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._drivers: dict[str, Driver] = {}
        self.approvals = Approvals(services, self)
        self._settling: asyncio.Task[None] | None = None
        services.at_work.append(self._at_work)

    # -- finding

    async def find(self, session: str) -> ChatRecord:
        """The chat; raises ``chat_not_found``."""
        from ade_runtime.chat import store

        await self.settled()
        return known(await self._services.database.read(lambda db: store.get(db, session)), session)

    async def all(self, *, project: str | None, everything: bool) -> list[ChatRecord]:
        """Chats, the one where something happened last first."""
        from ade_runtime.chat import store

        return await self._services.database.read(
            lambda db: store.listed(db, project=project, everything=everything)
        )

    async def entries(
        self, session: str, *, turn: int | None, after: int | None, limit: int
    ) -> tuple[list[Entry], int]:
        """Transcript entries, oldest first, and how many there are of that turn."""
        from ade_runtime.chat import store

        return await self._services.database.read(
            lambda db: store.entries(db, session, turn=turn, after=after, limit=limit)
        )

    # -- making and changing

    async def add(self, chat: ChatRecord, prompt: str | None, identity: str) -> ChatRecord:
        """Put a chat there, with its first message where it has one."""
        from ade_runtime.chat import store

        def write(db: Connection) -> ChatRecord:
            store.add(db, chat)
            if prompt is not None:
                store.enqueue(db, chat.session, prompt, chat.created_at, steer=False, identity=identity)
            return known(store.get(db, chat.session), chat.session)

        made = await self._services.database.write(write)
        self.wake(made.session)
        return made

    async def send(
        self,
        session: str,
        text: str,
        *,
        steer: bool,
        identity: str,
        receipt: Receipt | None,
        told: Callable[[Message, ChatRecord], Any],
    ) -> tuple[Message, ChatRecord]:
        """Queue a message; with ``steer`` it is said into the running turn where the program can. A chat that was stopped by a
        failure tries again. ``told`` makes the output that the receipt keeps. Gives the message and the chat as they are
        then."""
        from ade_runtime.chat import store

        await self.settled()

        def write(db: Connection) -> tuple[Message, ChatRecord]:
            chat = open_chat(store.get(db, session), session)
            if chat.queued >= QUEUE_LIMIT:
                raise errors.TooManyMessages(count=chat.queued, session=session)
            message = store.enqueue(db, session, text, self._now(), steer=steer, identity=identity)
            if chat.state in STOPPED:
                store.change(db, session, self._now(), state="idle", problem=None, retry_at=None)
            after = known(store.get(db, session), session)
            if receipt is not None:
                receipt.fulfil(db, told(message, after))
            return message, after

        message, chat = await self._services.database.write(write)
        driver = self._drivers.get(session)
        if steer and driver is not None and await driver.steer(message):
            return dataclasses.replace(message, state="delivered", turn=driver.turn), chat
        self.wake(session)
        return message, chat

    async def steer_queued(self, session: str, identifier: str) -> bool:
        """Say a message that waits into the running turn; false where it goes on waiting."""
        from ade_runtime.chat import store

        driver = self._drivers.get(session)
        message = await self._services.database.read(lambda db: store.message(db, session, identifier))
        if driver is None or message is None or message.state != "queued":
            return False
        return await driver.steer(message)

    async def take_back(self, session: str, identifier: str) -> Message:
        """Cancel a message that was not said; raises ``message_not_found`` and ``message_delivered``."""
        from ade_runtime.chat import store

        def write(db: Connection) -> Message:
            known(store.get(db, session), session)
            message = store.message(db, session, identifier)
            if message is None:
                raise errors.MessageNotFound(id=identifier)
            if message.state == "delivered":
                raise errors.MessageDelivered(id=identifier)
            store.set_message(db, identifier, "cancelled")
            return dataclasses.replace(message, state="cancelled")

        return await self._services.database.write(write)

    async def set(self, session: str, **values: Any) -> ChatRecord:
        """Set columns of a chat and tell of it."""
        from ade_runtime.chat import store

        def write(db: Connection) -> ChatRecord:
            return known(store.change(db, session, self._now(), **values), session)

        chat = await self._services.database.write(write)
        self.tell(chat)
        return chat

    async def pause(self, session: str) -> ChatRecord:
        """Begin no more turns; raises ``chat_ended``."""
        chat = open_chat(await self.find(session), session)
        return await self.set(session, paused=1, state=chat.state if chat.state in ACTIVE else "paused")

    async def resume(self, session: str) -> ChatRecord:
        """Begin turns again, where nothing else keeps it; raises ``chat_ended``."""
        chat = open_chat(await self.find(session), session)
        state = chat.state if chat.state in ACTIVE else "idle"
        found = await self.set(session, paused=0, state=state, problem=None, retry_at=None)
        self.wake(session)
        return found

    async def hand_over(
        self, session: str, provider: str, model: str | None, effort: str | None
    ) -> ChatRecord:
        """Go on in another program or model: the next turn starts it, and tells it what was said. Raises ``chat_busy``
        and ``chat_program_missing``."""
        entry = registry.provider_entry(provider)
        chat = open_chat(await self.find(session), session)
        registry.check_mode(entry, chat.permission_mode)
        if chat.state in ACTIVE:
            raise errors.ChatBusy(session=session)
        if provider != chat.provider:
            await self._check_installed(entry, stays=chat.provider)
        await flush.before_change(self._services, self, chat)
        chat = open_chat(await self.find(session), session)
        await self._stop_driver(session)
        same = provider == chat.provider
        await self.note(
            session, chat.turn, "notice", f"Goes on with {entry.title}{f', {model}' if model else ''}."
        )
        return await self.set(
            session,
            provider=provider,
            model=model,
            effort=effort,
            ref=chat.ref if same else None,
            told_until=chat.told_until if same else 0,
            state="paused" if chat.paused else "idle",
            problem=None,
        )

    async def _check_installed(self, entry: ProviderEntry, *, stays: str) -> None:
        """Refuse to leave a program that is there for one that is not; raises ``chat_program_missing``."""
        try:
            await registry.executable(entry, usual_environment({}))
        except ProviderError as problem:
            raise errors.ChatProgramMissing(reason=problem.reason, stays=stays) from problem

    async def interrupt(self, session: str) -> ChatRecord:
        """End the running turn, if one runs."""
        await self.find(session)
        driver = self._drivers.get(session)
        if driver is not None:
            await driver.interrupt()
        return await self.find(session)

    async def end(self, session: str, reason: str | None) -> ChatRecord:
        """End a chat for good, its program and its session with it."""
        chat = await self.find(session)
        if chat.state == "ended":
            return chat
        found = await self.set(session, state="ended", ended_at=to_ms(self._now()), problem=reason)
        await self._stop_driver(session)
        await self.approvals.withdraw(session, everything=True)
        await self._services.sessions.end(session, reason)
        return found

    async def archive(self, session: str) -> ChatRecord:
        """Put an ended chat away; raises ``chat_not_ended``."""
        chat = await self.find(session)
        if chat.state != "ended":
            raise errors.ChatNotEnded(session=session)
        return (
            chat if chat.archived_at is not None else await self.set(session, archived_at=to_ms(self._now()))
        )

    async def wait(self, session: str, seconds: float) -> ChatRecord:
        """The chat, once no turn runs any more and none is about to, it wants something, or the time is over."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            chat = await self.find(session)
            left = end - asyncio.get_running_loop().time()
            due = chat.state == "running" or (chat.state == "idle" and chat.queued and self._drives)
            if not due or left <= 0:
                return chat
            driver = self._drivers.get(session)
            if driver is None:
                await asyncio.sleep(min(left, WAIT_STEP))
            else:
                await driver.changed(min(left, WAIT_STEP))

    # -- transcript and events

    async def note(self, session: str, turn: int, kind: EntryKind, text: str, **more: Any) -> Entry:
        """Add an entry to the transcript and tell of it."""
        from ade_runtime.chat import store

        entry = await self._services.database.write(
            lambda db: store.append(db, session, turn, kind, text, self._now(), **more)
        )
        return self.tell_entry(session, entry)

    async def note_usage(
        self, session: str, turn: int, tokens_in: int, tokens_out: int, cost_usd: float | None
    ) -> Entry:
        """Add what a turn used, in words and in numbers."""
        from ade_runtime.chat import store, usage

        def write(db: Connection) -> Entry:
            words = usage.text(tokens_in, tokens_out, cost_usd)
            entry = store.append(db, session, turn, "usage", words, self._now())
            usage.add(db, session, entry, tokens_in, tokens_out, cost_usd)
            return entry

        return self.tell_entry(session, await self._services.database.write(write))

    def tell_entry(self, session: str, entry: Entry) -> Entry:
        """Tell of what was added to the transcript."""
        data: JsonObject = {"id": entry.id, "turn": entry.turn, "kind": entry.kind, "tool": entry.tool}
        self._publish("chat.entry", session, data)
        return entry

    def tell(self, chat: ChatRecord) -> None:
        """Tell of a chat's state."""
        data = {"state": chat.state, "turn": chat.turn, "problem": chat.problem}
        self._publish("chat.state", chat.session, data, project=chat.project, lane=chat.lane)

    def tell_part(self, session: str, text: str) -> None:
        """Tell of a piece of a passage that is still being written."""
        self._publish("chat.text", session, {"text": text})

    def _publish(self, type: str, session: str, data: JsonObject, **place: Any) -> None:
        self._services.events.publish(type, session=session, subject=session, data=data, **place)

    # -- questions of the program

    async def ask_user(self, session: str, title: str, parts: tuple[Part, ...]) -> Answers | None:
        """Put the program's own question to the user and wait for the answer; ``None`` where it was dismissed. A wait that is
        cancelled withdraws the question."""
        chat = await self.find(session)
        question = Question(
            id=new_id("qst"),
            title=title,
            body=None,
            parts=parts,
            identity=session_key(session),
            session=session,
            project=chat.project,
            awaited_until=self._now(),
            created_at=self._now(),
        )
        await self._services.questions.add(question, lambda db: None)
        await self.note(session, chat.turn, "question", title, call_id=question.id)
        if chat.state == "running":
            await self.set(session, state="waiting")
        try:
            found = await self._services.questions.wait(question.id, None)
        except asyncio.CancelledError:
            await self._services.questions.withdraw(question.id)
            raise
        if (await self.find(session)).state == "waiting" and not await self.approvals.pending([session]):
            await self.set(session, state="running")
        return found.answers if found.state == "answered" else None

    # -- driving

    @property
    def _drives(self) -> bool:
        return self._services.settings.listening

    def wake(self, session: str) -> None:
        """See to it that what waits for a chat is said, where this process is the runtime."""
        if not self._drives:
            return
        driver = self._drivers.get(session)
        if driver is None:
            from ade_runtime.chat.driver import Driver

            driver = self._drivers[session] = Driver(self, self._services, session, self._driver_ended)
        driver.wake()

    async def recover(self) -> None:
        """At the start of a runtime: turns that the last one left are over, and messages that wait are said."""
        from ade_runtime.chat import store

        await self.settled()
        for session in await self._services.database.read(store.with_messages):
            self.wake(session)

    async def settled(self) -> None:
        """Return once the turns that the last runtime left are over. Nothing is said to a chat before: what was left would be
        taken for what runs now, and what runs now for what was left."""
        if not self._drives:
            return
        before = self._settling
        if before is None or (before.done() and before.exception() is not None):
            from ade_runtime.chat.leftovers import settle

            before = asyncio.get_running_loop().create_task(settle(self._services, self))
            self._settling = before
        await asyncio.shield(before)

    async def close(self) -> None:
        """Stop every program; turns that run are broken off and said to be."""
        if self._settling is not None:
            await asyncio.wait([self._settling])
        for session in list(self._drivers):
            await self._stop_driver(session)

    async def _stop_driver(self, session: str) -> None:
        driver = self._drivers.pop(session, None)
        if driver is not None:
            await driver.close()

    def _driver_ended(self, driver: Driver) -> None:
        if self._drivers.get(driver.session) is driver:
            del self._drivers[driver.session]

    def _at_work(self) -> bool:
        return any(driver.busy for driver in self._drivers.values())

    def _now(self) -> datetime:
        return self._services.clock.now()
