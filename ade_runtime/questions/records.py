"""Questions as they are recorded, and what fits them as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.storage.times import from_ms, to_ms

State = Literal["pending", "answered", "dismissed", "withdrawn"]
Answers = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked; without choices it is answered in free text."""

    id: str
    text: str
    choices: tuple[Choice, ...] = ()
    multiple: bool = False
    free: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked together. ``awaited_until`` is until when somebody waits for it."""

    id: str
    title: str
    body: str | None
    parts: tuple[Part, ...]
    identity: str
    session: str | None
    project: str | None
    awaited_until: datetime
    created_at: datetime
    state: State = "pending"
    answers: Answers | None = None
    answered_by: str | None = None

    def row(self) -> dict[str, Any]:
        """Column values of the questions table."""
        return {
            "id": self.id,
            "state": self.state,
            "title": self.title,
            "body": self.body,
            "parts": orjson.dumps(self.parts).decode(),
            "answers": orjson.dumps(self.answers or {}).decode(),
            "identity": self.identity,
            "session_id": self.session,
            "project_id": self.project,
            "awaited_until": to_ms(self.awaited_until),
            "answered_by": self.answered_by,
            "created_at": to_ms(self.created_at),
        }

    def check(self, answers: Answers) -> None:
        """Refuse answers that do not fit; raises ``wrong_answer``."""
        known = {part.id: part for part in self.parts}
        for identifier in answers:
            if identifier not in known:
                raise errors.WrongAnswer(id=identifier, reason="nothing of that name is asked")
        for part in self.parts:
            _check_part(part, answers.get(part.id, ()))


def _check_part(part: Part, values: Sequence[str]) -> None:
    labels = [choice.label for choice in part.choices]
    if not values:
        raise errors.WrongAnswer(id=part.id, reason="it is missing")
    if len(values) > 1 and not part.multiple:
        raise errors.WrongAnswer(id=part.id, reason="only one may be given")
    if labels and not part.free:
        for value in values:
            if value not in labels:
                raise errors.WrongAnswer(
                    id=part.id, reason=f"{value[:80]!r} is not one of {', '.join(labels)}"
                )


def question_of(row: Any) -> Question:
    """The record of a row mapping of the questions table."""
    return Question(
        id=row["id"],
        title=row["title"],
        body=row["body"],
        parts=tuple(
            Part(
                one["id"],
                one["text"],
                tuple(Choice(**choice) for choice in one["choices"]),
                one["multiple"],
                one["free"],
            )
            for one in orjson.loads(row["parts"])
        ),
        identity=row["identity"],
        session=row["session_id"],
        project=row["project_id"],
        awaited_until=from_ms(row["awaited_until"]),
        created_at=from_ms(row["created_at"]),
        state=row["state"],
        answers=orjson.loads(row["answers"]),
        answered_by=row["answered_by"],
    )
