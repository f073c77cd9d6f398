"""Which answer a caller wants to have made up: ``ADE_MOCK`` of its environment, or ``mock`` of ``ade/actions/call``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Caller

VARIABLE = "ADE_MOCK"
HOW = "Say example:TITLE with the title of an example, or error:CODE with a code that the action may answer."


@dataclass(frozen=True, slots=True)
class Choice:
    """An example by its title, or an error by its code."""

    kind: Literal["example", "error"]
    value: str


def choice_of(caller: Caller, action: str) -> Choice | None:
    """What the caller chose, ``None`` for the usual answer. Raises ``invalid_arguments`` for what is no choice."""
    text = caller.env.get(VARIABLE)
    if not text:
        return None
    kind, colon, value = text.partition(":")
    if colon and value and kind == "example":
        return Choice("example", value)
    if colon and value and kind == "error":
        return Choice("error", value)
    raise wrong_choice(text, action, HOW)


def refuse_choice(caller: Caller, action: str) -> None:
    """Raise ``invalid_arguments`` for a caller that expects a made-up answer where everything is real."""
    if caller.env.get(VARIABLE):
        problem = "a made-up answer is asked for, and this runtime does what it is told"
        hint = f"Start one with `ade serve --mock` in an ADE_HOME of its own, or unset {VARIABLE}."
        raise errors.InvalidArguments(problem=problem, action=action, hint=hint)


def wrong_choice(text: str, action: str, hint: str) -> errors.InvalidArguments:
    return errors.InvalidArguments(
        problem=f"no made-up answer is called {text[:200]!r}", action=action, hint=hint
    )
