"""What agents want to do and ask for: put down, decided once, waited for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.chat.records import ApprovalRecord, open_chat

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.chat.service import ChatService
    from ade_runtime.contracts import JsonObject
    from ade_runtime.services import Services

ELSEWHERE = 1.0
"""Seconds between looks for a decision that another process may have made."""


class Approvals:
    """The database is the only state: who asks, who decides and who waits may be different processes."""

    def __init__(self, services: Services, chats: ChatService) -> None:
        self._services = services
        self._chats = chats
        self._decided = asyncio.Condition()

    async def request(
        self, session: str, *, tool: str, summary: str, details: JsonObject, call_id: str | None
    ) -> ApprovalRecord:
        """Put down what an agent wants to do. One that still waits and asks the same is not asked twice."""
        from ade_runtime.chat import store

        def write(db: Connection) -> ApprovalRecord:
            chat = open_chat(store.get(db, session), session)
            for known in store.pending(db, [session]):
                if (known.tool, known.summary, known.details) == (tool, summary, details) and call_id is None:
                    return known
            if chat.state == "running" and call_id is not None:
                store.change(db, session, self._now(), state="waiting")
            return store.ask(
                db,
                session,
                chat.turn,
                self._now(),
                tool=tool,
                summary=summary,
                details=details,
                call_id=call_id,
            )

        record = await self._services.database.write(write)
        await self._chats.note(session, record.turn, "approval", summary, tool=tool, call_id=record.id)
        self._chats.tell(await self._chats.find(session))
        return record

    async def find(self, identifier: str) -> ApprovalRecord:
        """The approval; raises ``approval_not_found``."""
        from ade_runtime.chat import store

        found = await self._services.database.read(lambda db: store.approval(db, identifier))
        if found is None:
            raise errors.ApprovalNotFound(approval=identifier)
        return found

    async def pending(self, sessions: list[str] | None) -> list[ApprovalRecord]:
        """What nobody has decided, oldest first."""
        from ade_runtime.chat import store

        return await self._services.database.read(lambda db: store.pending(db, sessions))

    async def decide(self, identifier: str, *, allowed: bool, by: str, message: str | None) -> ApprovalRecord:
        """Decide; the first decision counts. The same one given again is that one; another raises ``approval_decided``. A chat
        that waited for nothing else runs on from here, not only from when its tool is done."""
        from ade_runtime.chat import store

        state = "allowed" if allowed else "refused"

        def write(db: Connection) -> bool:
            if not store.decide(db, identifier, state, self._now(), decided_by=by, message=message):
                return False
            chat = store.get(db, asked.session)
            if chat is not None and chat.state == "waiting" and not store.pending(db, [asked.session]):
                store.change(db, asked.session, self._now(), state="running")
            return True

        asked = await self.find(identifier)
        first = await self._services.database.write(write)
        found = await self.find(identifier)
        if not first and (found.state, found.decided_by, found.message) != (state, by, message):
            raise errors.ApprovalDecided(approval=identifier, state=found.state)
        if first:
            self._chats.tell(await self._chats.find(asked.session))
        async with self._decided:
            self._decided.notify_all()
        return found

    async def decision(self, identifier: str, seconds: float | None = None) -> ApprovalRecord:
        """The approval once somebody has decided, here or in another process, or the time is over."""
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        while True:
            found = await self.find(identifier)
            left = ELSEWHERE if end is None else end - loop.time()
            if found.state != "pending" or left <= 0:
                return found
            try:
                async with self._decided:
                    async with asyncio.timeout(min(left, ELSEWHERE)):
                        await self._decided.wait()
            except TimeoutError:
                continue

    async def withdraw(self, session: str, *, everything: bool = False) -> None:
        """Nobody needs the decisions any more that a chat's turn waited for; ``everything`` where the chat is over, which asks
        for nothing any more."""
        from ade_runtime.chat import store

        now = self._now()
        await self._services.database.write(
            lambda db: store.withdraw(db, session, now, everything=everything)
        )
        async with self._decided:
            self._decided.notify_all()

    def _now(self) -> datetime:
        return self._services.clock.now()
