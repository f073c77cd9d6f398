"""What Linear says when it does not do what was asked, as ADE's errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ade_generated import errors
from ade_runtime.integrations.echoes import without
from ade_runtime.integrations.waiting import believed, number_of, seconds_of

USUAL_WAIT_SECONDS = 60.0
LONGEST_REASON = 400
_RESETS = ("x-ratelimit-requests-reset", "x-ratelimit-complexity-reset")
_REMAINING = ("x-ratelimit-requests-remaining", "x-ratelimit-complexity-remaining")


class Interrupted(Exception):
    """The request may or may not have been carried out."""


class Unreached(Interrupted):
    """The request has certainly not been carried out."""


class RateLimited(Exception):
    """Nothing was carried out; ``seconds`` is how long to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"wait {seconds:g} s")
        self.seconds = seconds


class EntityMissing(Exception):
    """Linear has nothing with that id that the account may see."""


def wait_named_by(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait by ``Retry-After``, else until the limit that is used up starts anew; ``None`` where nothing is said.

    Linear's own headers count in milliseconds since the epoch, as its documentation on rate limits says.
    """
    after = seconds_of(headers.get("retry-after"), now)
    if after is not None:
        return after
    for remaining, reset in zip(_REMAINING, _RESETS, strict=True):
        moment = number_of(headers.get(reset))
        if headers.get(remaining, "").strip() == "0" and moment is not None:
            return believed(moment / 1000 - now)
    return None


def failure_of(status: int, document: Any, wait: float | None, *, hidden: str) -> Exception:
    """The exception for an answer that is no success. ``hidden`` is kept out of what it says."""
    problems = document.get("errors") if isinstance(document, dict) else None
    first = problems[0] if isinstance(problems, list) and problems and isinstance(problems[0], dict) else {}
    extensions = first.get("extensions")
    known: Mapping[str, Any] = extensions if isinstance(extensions, dict) else {}
    code = str(known.get("code", ""))
    message = str(first.get("message", ""))
    if status == 429 or code == "RATELIMITED":
        return RateLimited(USUAL_WAIT_SECONDS if wait is None else wait)
    if status == 401 or code == "AUTHENTICATION_ERROR":
        return errors.LinearKeyRefused()
    if message.startswith("Entity not found"):
        return EntityMissing(message)
    said = str(known.get("userPresentableMessage") or message or f"status {status}")
    reason = without(said, hidden)[:LONGEST_REASON]
    if status == 403 or code == "FORBIDDEN":
        return errors.LinearForbidden(reason=reason)
    if status >= 500 or code == "INTERNAL_SERVER_ERROR":
        return Interrupted(f"it answered with status {status}" if status >= 500 else "it failed by itself")
    if not first:
        return Interrupted(f"its answer is not understood (status {status})")
    return errors.LinearRefused(reason=reason)
