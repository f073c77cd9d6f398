"""What was typed, read as an answer to one thing that was asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase
from typing import Any

ANSWER_LIMIT = 10_000
"""Most characters of an answer, as `user.respond` takes it."""


class AnswerError(Exception):
    """What was typed answers nothing; the text says what to type."""


def markers(choices: Sequence[dict[str, Any]]) -> list[str]:
    """What to type for each choice: numbers, or letters where a choice is itself a number."""
    labels = {str(choice["label"]).strip().casefold() for choice in choices}
    count = len(choices)
    sets = ([str(number) for number in range(1, count + 1)], list(ascii_lowercase[:count]))
    for found in sets:
        if not labels & set(found):
            return found
    return [f"#{number}" for number in range(1, count + 1)]


def read_answer(part: dict[str, Any], typed: str) -> list[str]:
    """The values that ``typed`` gives for a part of a question; raises :class:`AnswerError`."""
    text = typed.strip()
    if len(text) > ANSWER_LIMIT:
        raise AnswerError(f"an answer has at most {ANSWER_LIMIT} characters")
    choices = part["choices"]
    if not text:
        raise AnswerError("type an answer" if not choices else _offer(part))
    if not choices:
        return [text]
    one = _chosen(choices, text)
    if one is not None:
        return [one]
    if part["multiple"]:
        several = [_chosen(choices, word.strip()) for word in text.split(",") if word.strip()]
        known = [label for label in several if label is not None]
        if known and len(known) == len(several):
            return _once(known)
    if part["free"]:
        return [text]
    raise AnswerError(_offer(part))


def _chosen(choices: Sequence[dict[str, Any]], text: str) -> str | None:
    """The label that ``text`` means: the label itself in any case, or its marker."""
    wanted = text.casefold()
    for choice, marker in zip(choices, markers(choices), strict=True):
        if wanted in (str(choice["label"]).strip().casefold(), marker):
            return str(choice["label"])
    return None


def _offer(part: dict[str, Any]) -> str:
    names = markers(part["choices"])
    several = ", or several with commas between" if part["multiple"] else ""
    free = ", or a text of your own" if part["free"] else ""
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"type {span}{several}{free}"


def _once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
