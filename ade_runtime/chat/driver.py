"""Runs one chat: says what waits, turn after turn, and writes down what happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import orjson

from ade_runtime.chat import flush, registry, store
from ade_runtime.chat.desk import ChatDesk
from ade_runtime.chat.flush import Fullness
from ade_runtime.chat.handover import reminded, retold
from ade_runtime.chat.lending import lend
from ade_runtime.chat.providers.base import (
    Notice,
    Opening,
    ProviderError,
    Text,
    TextPart,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    Usage,
)
from ade_runtime.chat.surroundings import program_environment, usual_environment
from ade_runtime.scheduling.times import PUNCTUAL, span
from ade_runtime.storage.times import to_ms
from ade_runtime.tooling.toolbox import Toolbox

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from ade_runtime.chat.providers.base import Conversation, EndState, Update
    from ade_runtime.chat.records import ChatRecord, ChatState, Message
    from ade_runtime.chat.service import ChatService
    from ade_runtime.services import Services

log = logging.getLogger("ade.chat")

KEPT_WARM = 600.0
"""Seconds that a program without anything to do is kept; the next message starts it again where it was."""

INTERRUPT_LIMIT = 10.0
"""Seconds that a program has to end its turn when asked; then it is ended itself."""

STATES: dict[str, ChatState] = {
    "missing": "missing",
    "refused": "failed",
    "crashed": "failed",
    "exhausted": "exhausted",
    "failed": "failed",
}


class Driver:
    """Made when a chat has something to do; ends by itself when it has had nothing to do for a while."""

    def __init__(
        self, service: ChatService, services: Services, session: str, ended: Callable[[Driver], None]
    ) -> None:
        self.session = session
        self.turn = 0
        self.busy = False
        self._service = service
        self._services = services
        self._ended = ended
        self._news = asyncio.Event()
        self._changed = asyncio.Event()
        self._conversation: Conversation | None = None
        self._task: asyncio.Task[None] | None = None
        self._asked_to_stop = False
        self._watched = False
        self._fill: float | None = None
        self._fullness = Fullness()

    # -- what the service asks for

    def wake(self) -> None:
        """There may be something to say."""
        self._news.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def steer(self, message: Message) -> bool:
        """Say a message into the running turn; false where it must wait for the end of the turn."""
        conversation, turn = self._conversation, self.turn
        if conversation is None or not self.busy or not await conversation.steer(message.text):
            return False
        await self._services.database.write(
            lambda db: store.set_message(db, message.id, "delivered", turn=turn)
        )
        await self._service.note(self.session, turn, "user", message.text)
        return True

    async def interrupt(self) -> None:
        """End the running turn: asked first, and ended with its program where that does not help."""
        conversation = self._conversation
        if conversation is None or not self.busy:
            return
        self._asked_to_stop = True
        await conversation.interrupt()
        end = asyncio.get_running_loop().time() + INTERRUPT_LIMIT
        while self.busy and asyncio.get_running_loop().time() < end:
            await self.changed(0.5)
        if self.busy:
            await conversation.close()
            while self.busy:
                await self.changed(0.5)

    async def changed(self, seconds: float) -> None:
        """Wait until a turn has begun or ended, for so long at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def close(self) -> None:
        """Stop at once; a turn that runs is broken off."""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait([task])
        await self._close_conversation()

    # -- the loop

    async def _run(self) -> None:
        try:
            while True:
                self._news.clear()
                if not await self._next() and not await self._wait_for_news():
                    return
        except asyncio.CancelledError:
            if self.busy:
                await self._broken_off("The runtime stopped during this turn.")
            raise
        except Exception as problem:
            log.exception("chat %s failed", self.session)
            await self._stop(ProviderError("crashed", f"{type(problem).__name__}: {problem}"))
        finally:
            self._set_busy(False)
            await self._close_conversation()
            self._task = None
            self._ended(self)

    async def _wait_for_news(self) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(KEPT_WARM):
                await self._news.wait()
        return self._news.is_set()

    async def _next(self) -> bool:
        """Say the next message; false where there is none, or nothing may be said now."""
        chat = await self._service.find(self.session)
        waiting = await self._services.database.read(lambda db: store.queued(db, self.session))
        if chat.state != "idle" or not waiting:
            return False
        try:
            conversation = await self._open(chat)
        except ProviderError as problem:
            await self._stop(problem)
            return False
        before = await self._services.database.read(
            lambda db: store.spoken(db, self.session, chat.told_until)
        )
        begun = await self._services.database.write(lambda db: self._begin(db, waiting[0]))
        if begun is None:
            return True
        self.turn = begun.turn
        self._set_busy(True)
        self._service.tell(begun)
        text = as_said(waiting[0], self._services.clock.now())
        await self._watch()
        try:
            await self._hold(conversation, (retold if chat.ref is None else reminded)(before, text))
        finally:
            self._set_busy(False)
        return True

    def _begin(self, db: Connection, message: Message) -> ChatRecord | None:
        """In one transaction the message is delivered, the turn begun and written down: it is never said twice."""
        chat = store.get(db, self.session)
        fresh = store.message(db, self.session, message.id)
        if chat is None or chat.state != "idle" or fresh is None or fresh.state != "queued":
            return None
        now = self._services.clock.now()
        turn = chat.turn + 1
        store.set_message(db, message.id, "delivered", turn=turn)
        store.append(db, self.session, turn, "user", as_said(message, now), now)
        return store.change(db, self.session, now, turn=turn, state="running", problem=None, retry_at=None)

    async def _hold(self, conversation: Conversation, text: str) -> None:
        ended: TurnEnded | None = None
        known: str | None = None
        heard = True
        self._asked_to_stop = False
        try:
            async for update in conversation.turn(text):
                if isinstance(update, TurnEnded):
                    ended = update
                else:
                    await self._record(update)
                    known = await self._keep_ref(conversation, known)
        except ProviderError as problem:
            state: EndState = "exhausted" if problem.kind == "exhausted" else "failed"
            ended, heard = TurnEnded(state, problem.reason, problem.retry_after_ms), False
            await self._close_conversation()
        if ended is None:
            heard = False
            ended = TurnEnded("failed", "The program ended the conversation without ending the turn.")
            await self._close_conversation()
        if self._asked_to_stop and ended.state == "failed":
            ended = TurnEnded("interrupted")
        if self._watched:
            await self._services.run_boundary.ends(self.session)
        await self._finish(conversation, ended, heard=heard)

    async def _watch(self) -> None:
        """What a member of a run changes during its turn outside of its lane is found at the end of it. Whom that is about
        the boundary knows; chats that are in no run need not load it."""
        session = await self._services.sessions.find(self.session)
        self._watched = session.run is not None
        if self._watched:
            await self._services.run_boundary.begins(session)

    async def _keep_ref(self, conversation: Conversation, known: str | None) -> str | None:
        """Written down as soon as something happens: where the runtime ends during the turn, the program goes on with what it
        did, and need not do it again."""
        if conversation.ref != known:
            await self._service.set(self.session, ref=conversation.ref)
        return conversation.ref

    async def _finish(self, conversation: Conversation, ended: TurnEnded, *, heard: bool) -> None:
        """``heard`` tells whether the program is known to have been told what was said in this turn."""
        state: ChatState = STATES.get(ended.state, "idle")
        retry_at = None
        if ended.retry_after_ms is not None:
            retry_at = to_ms(self._services.clock.now() + timedelta(milliseconds=ended.retry_after_ms))
        text = ended.reason or ended.state
        failed = ended.state in ("failed", "exhausted")
        await self._service.approvals.withdraw(self.session)
        entry = await self._service.note(self.session, self.turn, "ended", text, is_error=failed)
        chat = await self._service.find(self.session)
        if chat.state == "ended":
            return
        await self._service.set(
            self.session,
            state="paused" if chat.paused and state == "idle" else state,
            problem=ended.reason or None if failed else None,
            retry_at=retry_at,
            ref=conversation.ref,
            told_until=entry.id if heard else chat.told_until,
            capability_mode=conversation.capability_mode,
        )
        if ended.state == "completed" and self._fullness.due(chat, self._fill):
            now = self._services.clock.now()
            await self._services.database.write(
                lambda db: store.enqueue(
                    db, self.session, flush.text(), now, steer=False, identity=flush.IDENTITY
                )
            )

    async def _broken_off(self, reason: str) -> None:
        chat = await self._service.find(self.session)
        if chat.state != "ended":
            await self._service.approvals.withdraw(self.session)
            await self._service.note(self.session, self.turn, "ended", reason, is_error=True)
            await self._service.set(self.session, state="interrupted", problem=reason)

    async def _stop(self, problem: ProviderError) -> None:
        """Nothing can be said for now; what waits goes on waiting."""
        await self._service.note(self.session, self.turn, "notice", problem.reason, is_error=True)
        retry_at = None
        if problem.retry_after_ms is not None:
            retry_at = to_ms(self._services.clock.now() + timedelta(milliseconds=problem.retry_after_ms))
        await self._service.set(
            self.session, state=STATES[problem.kind], problem=problem.reason, retry_at=retry_at
        )

    # -- the program

    async def _open(self, chat: ChatRecord) -> Conversation:
        if self._conversation is not None:
            return self._conversation
        entry = registry.provider_entry(chat.provider)
        folder, root = await self._place(chat)
        given: dict[str, str] = {}
        executable = await registry.executable(entry, usual_environment(given))
        token = await self._services.sessions.renew(self.session)
        usual = usual_environment(given)
        opening = Opening(
            chat=self.session,
            session=self.session,
            cwd=folder,
            env=await asyncio.to_thread(
                program_environment,
                entry,
                chat,
                token,
                self._services.paths,
                root=root,
                folder=folder,
                given=given,
            ),
            executable=executable,
            model=chat.model,
            effort=chat.effort,
            permission_mode=chat.permission_mode,
            system_prompt=await self._prompt(chat),
            toolbox=Toolbox(self._services, self.session, cwd=str(folder), env=usual),
            endpoint=lambda: lend(self._services, self.session, usual),
            desk=ChatDesk(self._service, self.session),
            resume=chat.ref,
        )
        self._conversation = await (await registry.adapter(entry)).open(opening)
        await self._bind(self._conversation.pid)
        return self._conversation

    async def _place(self, chat: ChatRecord) -> tuple[Path, str]:
        """The folder to work in and the project's own."""
        projects = {project.id: project for project in await self._services.projects.all()}
        project = projects.get(chat.project or "")
        if project is None:
            raise ProviderError("refused", "Its project is not registered any more.")
        if chat.lane is None:
            return project.root, str(project.root)
        lane = await self._services.lanes.find(project, chat.lane)
        if not lane.present:
            raise ProviderError(
                "refused", f"The folder of lane {lane.name} is gone; `ade lanes repair` may bring it back."
            )
        return lane.path, str(project.root)

    async def _prompt(self, chat: ChatRecord) -> str:
        from ade_runtime.chat.prompt import system_prompt

        return (await system_prompt(self._services, chat)).text

    async def _bind(self, pid: int | None) -> None:
        """Everything below the program is the session, whatever it does with its token."""
        from ade_runtime.machine.ancestry import look

        process = None if pid is None else look(pid)
        if process is not None:
            await self._services.sessions.attach(self.session, process)

    async def _close_conversation(self) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    # -- writing down

    async def _record(self, update: Update) -> None:
        note = self._service.note
        match update:
            case TextPart(text):
                self._service.tell_part(self.session, text)
            case Text(text, thinking):
                await note(self.session, self.turn, "thinking" if thinking else "assistant", text)
            case ToolStarted(call_id, name, arguments):
                shown = orjson.dumps(arguments).decode()
                await note(self.session, self.turn, "tool_call", shown, tool=name, call_id=call_id)
            case ToolEnded(call_id, text, is_error):
                await note(self.session, self.turn, "tool_result", text, call_id=call_id, is_error=is_error)
                await self._running_again()
            case Usage(into, out, cost, fill):
                self._fill = fill
                await self._service.note_usage(self.session, self.turn, into, out, cost)
            case Notice(text):
                await note(self.session, self.turn, "notice", text)
            case TurnEnded():
                pass

    async def _running_again(self) -> None:
        """What the turn waited for is decided."""
        chat = await self._service.find(self.session)
        if chat.state == "waiting" and not await self._service.approvals.pending([self.session]):
            await self._service.set(self.session, state="running")

    def _set_busy(self, busy: bool) -> None:
        self.busy = busy
        self._changed.set()
        self._changed = asyncio.Event()


def as_said(message: Message, now: datetime) -> str:
    """A message as the program is told it: scheduled work that waited for its turn says so, since a model cannot know."""
    waited = now - message.created_at
    if message.schedule is None or waited <= PUNCTUAL:
        return message.text
    return f"{message.text}\n\n[Scheduled by {message.schedule}; it waited {span(waited)} to be said.]"
