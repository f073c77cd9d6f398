"""Linear's OAuth 2.0 as Linear documents it: an authorization code with PKCE for a public client, tokens that are refreshed,
and revoked in the end. Nothing here keeps anything; no token is in an error or a log."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

import orjson

from ade_generated import errors
from ade_runtime.integrations.linear.account import ADDRESS, api_address

AUTHORIZE = "https://linear.app/oauth/authorize"
SCOPES = "read,write"
TRIES = 3
PAUSE_SECONDS = 0.25
SECONDS = 20.0
LARGEST_ANSWER = 64 * 1024
LONGEST_REASON = 200
USUAL_LIFE = 86_400
"""Seconds that a token is good for where the answer does not say."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What somebody allowed ADE. ``expires_at`` is in seconds since the epoch; without a ``refresh_token`` it ends then."""

    client_id: str
    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_at: float
    scope: str
    user: str = ""
    email: str = ""

    def to_json(self) -> str:
        return orjson.dumps(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Grant:
        """The grant of a text that :meth:`to_json` wrote; raises ``linear_sign_in_over`` for any other."""
        try:
            return cls(**orjson.loads(text))
        except (orjson.JSONDecodeError, TypeError):
            raise errors.LinearSignInOver(reason="what is stored of it cannot be read") from None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to be let in: ``state`` comes back with the code, ``verifier`` proves who asked for it."""

    client_id: str
    redirect: str
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(64), repr=False)

    @property
    def url(self) -> str:
        """Where the person has to go."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "scope": SCOPES,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        return f"{authorize_address()}?{urlencode(asked)}"


def authorize_address() -> str:
    """Where people are asked; beside another address of the interface it is that one's."""
    named = api_address()
    return AUTHORIZE if named == ADDRESS else _beside(named, "/oauth/authorize")


async def exchanged(attempt: Attempt, code: str, now: float) -> Grant:
    """The grant for a code, which is good once: a lost answer is not asked for again. Raises ``linear_sign_in_failed`` and
    ``linear_unavailable``."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": attempt.redirect,
        "client_id": attempt.client_id,
        "code_verifier": attempt.verifier,
    }
    status, document = await _post("token", form, tries=1)
    if status != 200:
        raise errors.LinearSignInFailed(reason=_reason(status, document))
    empty = Grant(attempt.client_id, "", None, 0.0, SCOPES)
    return _with_tokens(empty, document, now)


async def refreshed(grant: Grant, now: float) -> Grant:
    """The grant with new tokens. Linear answers the same again for half an hour, so a lost answer is asked for again. Raises
    ``linear_sign_in_over`` where it was taken back, and ``linear_unavailable``."""
    if grant.refresh_token is None:
        raise errors.LinearSignInOver(reason="its time is over")
    form = {
        "grant_type": "refresh_token",
        "refresh_token": grant.refresh_token,
        "client_id": grant.client_id,
    }
    status, document = await _post("token", form, tries=TRIES)
    if status != 200:
        raise errors.LinearSignInOver(reason=_reason(status, document))
    return _with_tokens(grant, document, now)


async def revoked(grant: Grant) -> None:
    """Have Linear forget the tokens; those that it does not know any more are no error. Raises ``linear_unavailable``."""
    tokens = {"refresh_token": grant.refresh_token, "access_token": grant.access_token}
    for kind, token in tokens.items():
        if token:
            status, document = await _post("revoke", {"token": token, "token_type_hint": kind}, tries=TRIES)
            if status not in (200, 400, 401):
                raise errors.LinearUnavailable(reason=_reason(status, document))


def _with_tokens(grant: Grant, document: Mapping[str, Any], now: float) -> Grant:
    access, refresh = document.get("access_token"), document.get("refresh_token")
    life, scope = document.get("expires_in"), document.get("scope")
    if not isinstance(access, str) or not access or document.get("token_type", "Bearer") != "Bearer":
        raise errors.LinearSignInFailed(reason="the answer holds no token")
    if isinstance(scope, list):  # applications made before December 2023 are answered so
        scope = " ".join(map(str, scope))
    return replace(
        grant,
        access_token=access,
        refresh_token=refresh if isinstance(refresh, str) else grant.refresh_token,
        expires_at=now + (life if isinstance(life, int) and life > 0 else USUAL_LIFE),
        scope=scope if isinstance(scope, str) else grant.scope,
    )


async def _post(what: str, form: Mapping[str, str], *, tries: int) -> tuple[int, dict[str, Any]]:
    """Status and document of an answer; a broken connection and an outage are tried again."""
    import httpx

    url = _beside(api_address(), f"/oauth/{what}")
    reason = ""
    async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as http:
        for attempt in range(tries):
            if attempt > 1:
                await asyncio.sleep(PAUSE_SECONDS * attempt)
            try:
                answer = await http.post(url, data=dict(form))
            except httpx.HTTPError as problem:
                reason = f"the connection failed ({type(problem).__name__})"
                continue
            if answer.status_code < 500 and len(answer.content) <= LARGEST_ANSWER:
                return answer.status_code, _document(answer.content)
            reason = f"it answered with status {answer.status_code}"
    raise errors.LinearUnavailable(reason=reason)


def _document(raw: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _reason(status: int, document: Mapping[str, Any]) -> str:
    """Why, in Linear's words, of which only the name of the error is sure to hold nothing secret."""
    name = document.get("error")
    return str(name)[:LONGEST_REASON] if isinstance(name, str) and name.isprintable() else f"status {status}"


def _beside(address: str, path: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}{path}"
