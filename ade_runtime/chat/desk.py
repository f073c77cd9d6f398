"""Where a running turn turns to for decisions: approvals are put down and waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.chat.providers.base import Verdict

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
        record = await self._service.request(
            self._session,
            tool=approval.tool,
            summary=approval.summary,
            details=approval.details,
            call_id=approval.call_id,
        )
        decided = await self._service.decision(record.id)
        if decided.state == "allowed":
            return Verdict(True, decided.message or "")
        return Verdict(False, decided.message or REFUSED)

    async def ask(self, questions: tuple[Question, ...]) -> Mapping[str, tuple[str, ...]] | None:
        """Each question becomes a request: its message is the answer where it is allowed, and it is dismissed where not."""
        answers: dict[str, tuple[str, ...]] = {}
        for question in questions:
            details = {
                "text": question.text,
                "choices": [{"label": one.label, "description": one.description} for one in question.choices],
                "multiple": question.multiple,
            }
            record = await self._service.request(
                self._session, tool="question", summary=question.title, details=details, call_id=question.id
            )
            decided = await self._service.decision(record.id)
            if decided.state != "allowed":
                return None
            answers[question.id] = (decided.message or "",)
        return answers
