"""Where a running turn turns to for decisions: approvals are put down and waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.chat.providers.base import Verdict
from ade_runtime.questions.records import Choice, Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.chat.providers.base import Approval, Question
    from ade_runtime.chat.service import ChatService

REFUSED = "The user refused this. Do not try it another way; say what you need it for, or go on without it."


class ChatDesk:
    """The desk of one chat."""

    def __init__(self, service: ChatService, session: str) -> None:
        self._service = service
        self._session = session

    async def approve(self, approval: Approval) -> Verdict:
        """Wait for whoever decides first. A wait that is cancelled withdraws the request."""
        record = await self._service.approvals.request(
            self._session,
            tool=approval.tool,
            summary=approval.summary,
            details=approval.details,
            call_id=approval.call_id,
        )
        decided = await self._service.approvals.decision(record.id)
        if decided.state == "allowed":
            return Verdict(True, decided.message or "")
        return Verdict(False, decided.message or REFUSED)

    async def ask(self, questions: tuple[Question, ...]) -> Mapping[str, tuple[str, ...]] | None:
        """Put all of them to the user as one question, whose parts have names of ADE's own."""
        names = {f"q{place}": question.id for place, question in enumerate(questions)}
        parts = tuple(
            Part(
                name,
                question.text or question.title,
                tuple(Choice(one.label, one.description or None) for one in question.choices),
                question.multiple,
                question.free,
            )
            for name, question in zip(names, questions, strict=True)
        )
        answers = await self._service.ask_user(self._session, questions[0].title, parts)
        if answers is None:
            return None
        return {names[name]: tuple(values) for name, values in answers.items()}
