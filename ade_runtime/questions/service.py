"""The questions of one ADE_HOME. The database is the only state: who asks, answers and waits may be different processes."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.questions.records import Answers, Question, question_of
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from ade_runtime.services import Services

ELSEWHERE = 1.0
"""Seconds between looks for an answer that another process may have taken."""

GRACE = timedelta(seconds=2)
"""An answer that comes this long after the wait is still given to whoever waited."""


class Questions:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._news = asyncio.Condition()

    async def add(self, question: Question, done: Callable[[Connection], Any]) -> None:
        """Put a question; ``done`` is called in the same transaction."""
        from sqlalchemy import insert

        from ade_runtime.storage.schema import questions

        def write(db: Connection) -> None:
            db.execute(insert(questions).values(question.row()))
            done(db)

        await self._services.database.write(write)
        self._tell("user.asked", question)

    async def find(self, identifier: str) -> Question:
        """The question; raises ``question_not_found``."""
        found = await self._services.database.read(lambda db: _get(db, identifier))
        if found is None:
            raise errors.QuestionNotFound(question=identifier)
        return found

    async def pending(self, project: str | None) -> list[Question]:
        """Questions nobody has answered, oldest first; those of a project, or all."""
        from sqlalchemy import select

        from ade_runtime.storage.schema import questions

        query = select(questions).where(questions.c.state == "pending")
        if project is not None:
            query = query.where(questions.c.project_id == project)
        query = query.order_by(questions.c.created_at, questions.c.id)
        return await self._services.database.read(
            lambda db: [question_of(row) for row in db.execute(query).mappings()]
        )

    async def settle(self, identifier: str, answers: Answers | None, by: str) -> Question:
        """Answer a question, or without answers dismiss it. The first counts; the same once more is that one. Raises
        ``question_settled`` and ``wrong_answer``.

        A chat that asked and waits no more is told the answer as a message, in the same transaction.
        """
        question = await self.find(identifier)
        state = "dismissed" if answers is None else "answered"
        given = {part: list(values) for part, values in (answers or {}).items()}
        if question.state != "pending":
            if (question.state, question.answers, question.answered_by) == (state, given, by):
                return question
            raise errors.QuestionSettled(question=identifier, state=question.state)
        if answers is not None:
            question.check(answers)
        wake = await self._services.database.write(lambda db: self._settle(db, question, state, given, by))
        async with self._news:
            self._news.notify_all()
        if wake is not None:
            self._services.chats.wake(wake)
        found = await self.find(identifier)
        self._tell("user.answered", found)
        return found

    def _settle(self, db: Connection, question: Question, state: str, given: Answers, by: str) -> str | None:
        from sqlalchemy import update

        from ade_runtime.storage.schema import questions

        now = self._services.clock.now()
        values = {
            "state": state,
            "answers": orjson.dumps(given).decode(),
            "answered_by": by,
            "answered_at": to_ms(now),
        }
        fits = (questions.c.id == question.id, questions.c.state == "pending")
        if db.execute(update(questions).where(*fits).values(values)).rowcount != 1:
            raise errors.QuestionSettled(question=question.id, state="answered")
        fresh = _get(db, question.id)
        if fresh is None or fresh.session is None or fresh.awaited_until + GRACE > now:
            return None
        return _tell_chat(db, fresh, now, by)

    async def withdraw(self, identifier: str) -> None:
        """Nobody needs the answer any more."""
        if await self._services.database.write(lambda db: self.withdraw_in(db, identifier)):
            await self.withdrawn(identifier)

    @staticmethod
    def withdraw_in(db: Connection, identifier: str) -> bool:
        """:meth:`withdraw` inside a transaction of the caller's, who calls :meth:`withdrawn` afterwards; false where it is
        settled."""
        from sqlalchemy import update

        from ade_runtime.storage.schema import questions

        fits = (questions.c.id == identifier, questions.c.state == "pending")
        return db.execute(update(questions).where(*fits).values(state="withdrawn")).rowcount == 1

    async def withdrawn(self, identifier: str) -> None:
        """Tell of a question that was withdrawn."""
        async with self._news:
            self._news.notify_all()
        found = await self.find(identifier)
        if found.state == "withdrawn":
            self._tell("user.withdrawn", found)

    async def wait(self, identifier: str, seconds: float | None) -> Question:
        """The question once it is settled, here or in another process, or the time is over."""
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        await self._await_until(identifier, seconds)
        while True:
            found = await self.find(identifier)
            left = ELSEWHERE if end is None else end - loop.time()
            if found.state != "pending" or left <= 0:
                return found
            try:
                async with self._news:
                    async with asyncio.timeout(min(left, ELSEWHERE)):
                        await self._news.wait()
            except TimeoutError:
                continue

    async def _await_until(self, identifier: str, seconds: float | None) -> None:
        from sqlalchemy import update

        from ade_runtime.storage.schema import questions

        until = self._services.clock.now() + timedelta(seconds=86_400 * 365 if seconds is None else seconds)
        fits = (questions.c.id == identifier, questions.c.awaited_until < to_ms(until))
        await self._services.database.write(
            lambda db: db.execute(update(questions).where(*fits).values(awaited_until=to_ms(until)))
        )

    def _tell(self, type: str, question: Question) -> None:
        self._services.events.publish(
            type,
            project=question.project,
            session=question.session,
            subject=question.id,
            data={"title": question.title, "state": question.state},
        )


def _get(db: Connection, identifier: str) -> Question | None:
    from sqlalchemy import select

    from ade_runtime.storage.schema import questions

    row = db.execute(select(questions).where(questions.c.id == identifier)).mappings().first()
    return None if row is None else question_of(row)


def _tell_chat(db: Connection, question: Question, now: Any, by: str) -> str | None:
    """Queue the answer for the chat that asked, if it is one and goes on."""
    from ade_runtime.chat import store

    chat = store.get(db, str(question.session))
    if chat is None or chat.state == "ended":
        return None
    store.enqueue(db, chat.session, told(question), now, steer=False, identity=by)
    return chat.session


def told(question: Question) -> str:
    """An answer as a message."""
    if question.state == "dismissed":
        return f"You asked: {question.title}\nThe user dismissed the question. Go on without an answer."
    texts = {part.id: part.text for part in question.parts}
    lines = [f"- {texts[part]}: {', '.join(values)}" for part, values in (question.answers or {}).items()]
    return "\n".join([f"You asked: {question.title}", "The user answered:", *lines])
