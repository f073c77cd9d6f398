"""Questions of a run to the user. What becomes of an answer is decided when the question is put, and is done exactly once,
by whoever looks first: the lead that waits, or the person who answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.questions.records import Part, Question
from ade_runtime.runs import store
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.outcomes import OUTCOMES, Answer
from ade_runtime.runs.plan_text import digest
from ade_runtime.runs.planning import planning_of
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.services import Services

Check = Callable[[Manifest], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked. ``kind`` and ``payload`` say what becomes of the answer and tell one question from another; ``check`` is
    asked about the manifest in the transaction that puts it; ``wait`` is in seconds."""

    kind: str
    payload: dict[str, Any]
    title: str = ""
    body: str | None = None
    parts: tuple[Part, ...] = ()
    check: Check
    wait: float


class _RecordedBefore(Exception):
    """Somebody else has recorded the answer meanwhile; nothing is to be changed."""


class Asking:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def ask(self, run: str, identity: Identity, asked: Asked) -> bool:
        """Put a question, or wait on for the one that was put, and give whether its answer is recorded.

        A question of another kind or with another payload must be settled first (``run_question_pending``).
        """
        pending = planning_of(await self._services.runs.manifest(run))["pendingQuestion"]
        if pending is None:
            pending = await self._put(run, identity, asked)
        elif (pending["kind"], pending["payload"]) != (asked.kind, asked.payload):
            if (await self._services.questions.find(pending["questionId"])).state == "pending":
                raise errors.RunQuestionPending(run=run, question=pending["questionId"])
            await self.settle(run)
            pending = await self._put(run, identity, asked)
        found = await self._services.questions.wait(pending["questionId"], asked.wait)
        if found.state == "pending":
            return False
        refusal = await self.settle(run) or await self._refused(run, found.id)
        if refusal is not None:
            raise refusal
        return True

    async def _put(self, run: str, identity: Identity, asked: Asked) -> dict[str, Any]:
        now = self._services.sessions.now()
        record = await self._services.database.read(lambda db: store.record(db, run))
        question = Question(
            id=new_id("qst"),
            title=asked.title,
            body=asked.body,
            parts=asked.parts,
            identity=identity.key,
            session=identity.session,
            project=record.project,
            awaited_until=now + timedelta(seconds=asked.wait),
            created_at=now,
        )
        pending = {"kind": asked.kind, "questionId": question.id, "payload": asked.payload}

        def mutate(manifest: Manifest, now: str) -> None:
            asked.check(manifest)
            waiting = planning_of(manifest)["pendingQuestion"]
            if waiting is not None:
                raise errors.RunQuestionPending(run=run, question=waiting["questionId"])
            planning_of(manifest)["pendingQuestion"] = pending
            if asked.kind == "approval":
                approval = manifest["planSpec"]["approval"]
                approval |= {"questionId": question.id, "comment": None}
                if not asked.payload.get("again"):
                    approval |= {"state": "pending", "planHash": None}
                approval["reviewedHash"] = asked.payload["sha256"]

        def keep(db: Connection) -> None:
            self._services.runs.change_in(db, run, identity.key, "asked", f"Asked: {asked.title}", mutate)

        await self._services.questions.add(question, keep)
        self._services.runs.tell(
            await self._services.database.read(lambda db: store.record(db, run)), "asked"
        )
        return pending

    async def settle(self, run: str) -> AdeError | None:
        """Record the answer to the question that waits, if there is one and it was answered, and give what that refuses. It is
        kept, too, for the lead, who may come later than the person."""
        manifest = await self._services.runs.manifest(run)
        pending = planning_of(manifest)["pendingQuestion"]
        if pending is None:
            return None
        question = await self._services.questions.find(pending["questionId"])
        if question.state == "pending":
            return None
        answer = Answer(
            question=question.id,
            values=None
            if question.state != "answered"
            else {part: [*words] for part, words in (question.answers or {}).items()},
            by=await self._decider(question),
            plan=digest(await self._services.runs.plan(manifest)),
        )

        def mutate(manifest: Manifest, now: str) -> AdeError | None:
            waiting = planning_of(manifest)["pendingQuestion"]
            if waiting != pending:
                raise _RecordedBefore
            planning_of(manifest)["pendingQuestion"] = None
            planning_of(manifest)["lastRefusal"] = None
            try:
                OUTCOMES[pending["kind"]](manifest, answer, pending["payload"], now)
            except AdeError as refusal:
                planning_of(manifest)["lastRefusal"] = _kept(question.id, refusal)
                return refusal
            return None

        summary = f"Answered: {question.title}"
        try:
            return await self._services.runs.change(
                run, question.answered_by or "nobody", "answered", summary, mutate
            )
        except _RecordedBefore:
            return None

    async def _refused(self, run: str, question: str) -> AdeError | None:
        """What somebody else has recorded that the answer refuses."""
        kept = planning_of(await self._services.runs.manifest(run))["lastRefusal"]
        if kept is None or kept["questionId"] != question:
            return None
        kind = errors.ERRORS[kept["code"]]
        refusal = kind.__new__(kind)
        AdeError.__init__(refusal, kept["message"], hint=kept["hint"])
        return refusal

    async def _decider(self, question: Question) -> str | None:
        """Who answered, where that is somebody who decides for the user: the owner in person, or a session of the CTO."""
        by = question.answered_by
        if by is None or by.startswith("owner:"):
            return by
        if not by.startswith("session:"):
            return None
        record = await self._services.sessions.find(by.removeprefix("session:"))
        return by if record.role == "cto" else None


def _kept(question: str, refusal: AdeError) -> dict[str, str]:
    message, hint = refusal.message[:20_000], refusal.hint[:4_000]
    return {"questionId": question, "code": refusal.code, "message": message, "hint": hint}
