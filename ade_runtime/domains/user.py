"""Actions about questions to the user."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import user as models
from ade_generated.models.types import AskedChoice, AskedPart, InboxItem, UserAnswer, UserQuestion
from ade_runtime.pipeline.call import About
from ade_runtime.questions.records import Choice, Part, Question
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from ade_runtime.chat.records import ApprovalRecord, ChatRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.questions.records import Answers
    from ade_runtime.questions.service import Questions
    from ade_runtime.services import Services

ONLY_PART = "answer"
"""Name of the answer where no parts were given."""


async def requester(services: Services, call: Call, request: str) -> str | None:
    """The session that asked a question."""
    return (await services.questions.find(request)).session


class UserHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def ask(self, call: Call, args: models.UserAskInput) -> UserQuestion:
        now = self._services.sessions.now()
        project = call.identity.project
        question = Question(
            id=new_id("qst"),
            title=args.title,
            body=args.body,
            parts=_parts(args),
            identity=call.identity.key,
            session=call.identity.session,
            project=project,
            awaited_until=now + timedelta(seconds=args.wait),
            created_at=now,
        )
        call.subject = question.id
        call.about = About(project=project, session=question.session)

        def keep(db: Connection) -> None:
            if call.receipt is not None:
                call.receipt.fulfil(db, _told(question))

        await self._questions.add(question, keep)
        return _told(await self._questions.wait(question.id, args.wait))

    async def wait(self, call: Call, args: models.UserWaitInput) -> UserQuestion:
        await self._seen(call, args.question)
        return _told(await self._questions.wait(args.question, args.seconds))

    async def pending(self, call: Call, args: models.UserPendingInput) -> models.UserPendingOutput:
        found = await self._questions.pending(call.identity.project)
        return models.UserPendingOutput(items=[_told(one) for one in found], total=len(found), next=None)

    async def inbox(self, call: Call, args: models.UserInboxInput) -> models.UserInboxOutput:
        own = call.identity.project
        roots = {project.id: str(project.root) for project in await self._services.projects.all()}
        chats = {chat.session: chat for chat in await self._services.chats.all(project=own, everything=True)}
        items = [
            _asked(question, chats.get(question.session or ""), roots)
            for question in await self._questions.pending(own)
        ]
        items += [
            _wanted(approval, chats[approval.session], roots)
            for approval in await self._services.chats.approvals.pending(list(chats))
        ]
        items.sort(key=lambda item: (item.created_at, item.id))
        return models.UserInboxOutput(items=items, total=len(items), next=None)

    async def respond(self, call: Call, args: models.UserRespondInput) -> UserQuestion:
        question = await self._seen(call, args.question)
        call.subject = question.id
        call.about = About(project=question.project, session=question.session)
        return _told(await self._questions.settle(question.id, _answers(question, args), call.identity.key))

    @property
    def _questions(self) -> Questions:
        return self._services.questions

    async def _seen(self, call: Call, identifier: str) -> Question:
        """The question, where the caller may know of it: a session knows those of its project."""
        question = await self._questions.find(identifier)
        if call.identity.project is not None and question.project != call.identity.project:
            raise errors.QuestionNotFound(question=identifier)
        return question


def _parts(args: models.UserAskInput) -> tuple[Part, ...]:
    if not args.parts:
        return (Part(ONLY_PART, args.title),)
    seen: set[str] = set()
    for part in args.parts:
        if part.id in seen:
            raise errors.DuplicatePart(id=part.id)
        seen.add(part.id)
    return tuple(
        Part(
            part.id,
            part.text,
            tuple(Choice(choice.label, choice.description) for choice in part.choices or ()),
            part.multiple,
            part.free,
        )
        for part in args.parts
    )


def _answers(question: Question, args: models.UserRespondInput) -> Answers | None:
    if args.dismiss:
        return None
    if args.answers is not None:
        return {one.id: list(one.values) for one in args.answers}
    if len(question.parts) != 1:
        first = question.parts[0].id
        raise errors.WrongAnswer(id=first, reason="several things are asked; give answers, one for each id")
    return {question.parts[0].id: [str(args.answer)]}


def _asked(question: Question, chat: ChatRecord | None, roots: Mapping[str, str]) -> InboxItem:
    many = len(question.parts) > 1
    return InboxItem(
        kind="question",
        id=question.id,
        title=question.title,
        project=roots.get(question.project or ""),
        session=question.session,
        asked_by=question.identity if chat is None or chat.title is None else chat.title,
        created_at=question.created_at,
        answer=f"ade user respond {question.id} {'--answers JSON' if many else 'ANSWER'}",
        question=_told(question),
        approval=None,
    )


def _wanted(approval: ApprovalRecord, chat: ChatRecord, roots: Mapping[str, str]) -> InboxItem:
    from ade_runtime.chat.view import approval_told

    return InboxItem(
        kind="approval",
        id=approval.id,
        title=approval.summary,
        project=roots.get(chat.project or ""),
        session=approval.session,
        asked_by=chat.title or approval.session,
        created_at=approval.created_at,
        answer=f"ade chats approve {approval.id}",
        question=None,
        approval=approval_told(approval),
    )


_NEXT = {
    "pending": "`ade user respond {0} ANSWER` answers it; whoever asked may `ade user wait {0}`.",
    "answered": "Go on with the answer.",
    "dismissed": "Go on without an answer.",
    "withdrawn": "Nothing; nobody needs the answer any more.",
}


def _next(question: Question) -> str:
    if question.state == "pending" and len(question.parts) > 1:
        given = '--answers \'{"id": "' + question.parts[0].id + '", "values": ["ANSWER"]}\''
        return f"`ade user respond {question.id} {given}` answers it, with --answers once for each part."
    return _NEXT[question.state].format(question.id)


def _told(question: Question) -> UserQuestion:
    answers = question.answers or {}
    return UserQuestion(
        id=question.id,
        state=question.state,
        title=question.title,
        body=question.body,
        parts=[
            AskedPart(
                id=part.id,
                text=part.text,
                choices=[AskedChoice(label=one.label, description=one.description) for one in part.choices],
                multiple=part.multiple,
                free=part.free,
            )
            for part in question.parts
        ],
        answers=[UserAnswer(id=part, values=list(values)) for part, values in answers.items()],
        asked_by=question.identity,
        session=question.session,
        answered_by=question.answered_by,
        created_at=question.created_at,
        next=_next(question),
    )
