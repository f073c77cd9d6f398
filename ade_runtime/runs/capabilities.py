"""What who leads a run may read beyond it: the project's search, Linear, GitHub, proof. Each read is the action everybody has,
called as the same caller; what hinders it becomes part of the answer, so that a lead plans on without it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import orjson

from ade_generated import errors
from ade_runtime.contracts import AdeError, Exit

if TYPE_CHECKING:
    from collections.abc import Collection

    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

NOT_CONNECTED = frozenset(
    {
        "linear_key_missing",
        "linear_key_malformed",
        "linear_key_refused",
        "linear_address_unsafe",
        "linear_forbidden",
        "github_signed_out",
        "github_sign_in_refused",
        "github_scope_missing",
        "github_sso_required",
        "github_repository_not_found",
        "github_interface_invalid",
        "not_at_github",
    }
)
"""Errors of a service that nobody here is signed in to, besides those that say by their exit code that it is away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``found`` is the action's output; ``None`` where there is nothing to read, or ``error`` says why it was not read."""

    found: JsonObject | None = None
    error: Literal["unavailable", "read_failed"] | None = None
    reason: JsonObject | None = None

    @property
    def head(self) -> JsonObject:
        """The fields that every answer begins with."""
        return {"ok": self.error is None, "error": self.error, "reason": self.reason}


async def read(
    services: Services,
    call: Call,
    action: str,
    arguments: JsonObject,
    *,
    lane: str,
    empty: Collection[str] = (),
) -> Answer:
    """Read with another action, in the run's lane. Errors named in ``empty`` mean that there is nothing to read. Raises
    nothing but cancellation."""
    given = {name: value for name, value in arguments.items() if value is not None}
    caller = replace(call.caller, lane=lane)
    try:
        output = await services.pipeline.call(
            action, given, identity=call.identity, caller=caller, progress=call.progress
        )
    except errors.UnknownAction:
        return _lacking(services, call, action)
    except AdeError as problem:
        if problem.code in empty:
            return Answer()
        away = problem.code in NOT_CONNECTED or problem.exit is Exit.UNAVAILABLE
        return Answer(error="unavailable" if away else "read_failed", reason=_reason(problem))
    return Answer(found=orjson.loads(output))


def _lacking(services: Services, call: Call, action: str) -> Answer:
    """Why an action is not there for the caller, and what would bring it."""
    visibility = services.pipeline.visibility
    entry = visibility.exists(action, call.identity, call.caller)
    why = visibility.why_hidden(entry, call.identity, call.caller) or f"{action} is not there."
    helps = visibility.what_helps(entry, call.identity, call.caller) or "Nothing the caller can do."
    reason = {"code": errors.UnknownAction.code, "message": why, "hint": helps, "retry_after_ms": None}
    return Answer(error="unavailable", reason=reason)


def _reason(problem: AdeError) -> JsonObject:
    return {
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "retry_after_ms": problem.retry_after_ms,
    }
