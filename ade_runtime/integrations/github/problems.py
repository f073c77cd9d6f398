"""What GitHub's refusals mean, as errors that say what to do. Nothing of a request's headers is ever told."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.integrations.echoes import without
from ade_runtime.integrations.waiting import LONGEST, believed, number_of, seconds_of
from ade_runtime.redaction import redact

if TYPE_CHECKING:
    from httpx import Response

    from ade_runtime.contracts import AdeError

LONGEST_REASON = 400
_AT_LEAST = 60.0
"""Seconds to wait where GitHub says no number; its own advice."""
_SHORTEST = 1.0
"""Seconds to wait where GitHub says fewer: a limit that is over at once would be asked about without end."""
_SSO = re.compile(r"url=(https://[^\s;,]+)")


class Unanswered(Exception):
    """No whole answer came, or one that says that a machine in between failed: what was asked for may be done or not.

    ``never_sent`` tells that it cannot be.
    """

    def __init__(self, reason: str, *, never_sent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.never_sent = never_sent


class LedElsewhere(Exception):
    """An answer leads to another server, where nothing of a request is for."""


class Refused(Exception):
    """GitHub answered no. ``status`` is that of HTTP, ``reason`` its words; ``error`` is what a caller is told by default."""

    def __init__(self, status: int, reason: str, error: AdeError) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.error = error


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: ``what`` follows "GitHub refused to". ``token`` is what must not be told, should the answer repeat it."""

    host: str
    what: str
    source: str
    token: str = field(default="", repr=False)


def judge(response: Response, asked: Asked) -> Refused:
    """The meaning of an answer whose status says that something is wrong, 5xx aside."""
    status, reason = response.status_code, reason_of(response, asked.token)
    waited = wait_of(response)
    if waited is not None:
        return Refused(status, reason, limited(asked.host, waited))
    if status == 401:
        return Refused(
            status, reason, errors.GithubSignInRefused(host=asked.host, source=asked.source, reason=reason)
        )
    if status == 403:
        return Refused(status, reason, _forbidden(response, asked, reason))
    return Refused(status, reason, errors.GithubRefused(operation=asked.what, reason=reason))


def wait_of(response: Response) -> float | None:
    """For how many seconds GitHub wants to be left alone, ``None`` where it wants something else."""
    if response.status_code not in (403, 429):
        return None
    after = seconds_of(response.headers.get("retry-after"), time.time())
    if after is not None:
        return max(_SHORTEST, after)
    if response.headers.get("x-ratelimit-remaining") == "0":
        reset = number_of(response.headers.get("x-ratelimit-reset"))
        return _AT_LEAST if reset is None else max(_SHORTEST, believed(reset - time.time()))
    if response.status_code == 429 or "secondary rate limit" in reason_of(response).lower():
        return _AT_LEAST
    return None


async def stay_here(response: Response) -> None:
    """Raise :class:`LedElsewhere` before a request, with what it carries, is sent on to another server."""
    if response.has_redirect_location:
        here, there = response.url, response.url.join(response.headers["location"])
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise LedElsewhere


async def make_readable(response: Response) -> None:
    """Have the headers about limits say numbers: githubkit reads them, too, and fails at a date or at nonsense."""
    headers, now = response.headers, time.time()
    if "retry-after" in headers:
        after = seconds_of(headers.pop("retry-after"), now)
        if after is not None:
            headers["retry-after"] = str(math.ceil(after))
    if "x-ratelimit-reset" in headers:
        reset = number_of(headers.pop("x-ratelimit-reset"))
        if reset is not None:
            headers["x-ratelimit-reset"] = str(int(min(reset, now + LONGEST)))


def limited(host: str, seconds: float) -> errors.GithubRateLimited:
    error = errors.GithubRateLimited(host=host, seconds=round(seconds, 1))
    error.retry_after_ms = round(seconds * 1000)
    return error


def reason_of(response: Response, token: str = "") -> str:
    """What the answer says, in one bounded line without secrets, the token that was sent among them."""
    try:
        document = response.json()
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        return f"it answered with status {response.status_code}"
    said = [str(document.get("message") or "")]
    details = document.get("errors")
    said += [_detail(one) for one in (details if isinstance(details, list) else ()) if one]
    text = "; ".join(part.strip().rstrip(".") for part in said if part.strip())
    return shorten(without(text, token)) or f"it answered with status {response.status_code}"


def shorten(text: str) -> str:
    text = " ".join(redact(text).split())
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + "…"


def _detail(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    return str(one.get("message") or " ".join(str(one.get(k)) for k in ("field", "code") if one.get(k)))


def _forbidden(response: Response, asked: Asked, reason: str) -> AdeError:
    sso = response.headers.get("x-github-sso", "")
    if sso.startswith("required"):
        found = _SSO.search(sso)
        return errors.GithubSsoRequired(source=asked.source, url=found[1] if found else "https://github.com")
    granted = response.headers.get("x-oauth-scopes")
    wanted = response.headers.get("x-accepted-oauth-scopes", "")
    if granted is not None and wanted and not _set(granted) & _set(wanted):
        return errors.GithubScopeMissing(source=asked.source, scopes=wanted, operation=asked.what)
    if "not accessible by" in reason:
        needed = response.headers.get("x-accepted-github-permissions") or "write access to pull requests"
        return errors.GithubScopeMissing(source=asked.source, scopes=needed, operation=asked.what)
    if "archived" in reason:
        return errors.GithubRepositoryArchived(repository=asked.what)
    return errors.GithubRefused(operation=asked.what, reason=reason)


def _set(scopes: str) -> set[str]:
    return {scope.strip() for scope in scopes.split(",") if scope.strip()}
