"""OAuth as Linear documents it: codes good once and bound to their challenge, tokens that are refreshed and revoked."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

CLIENT = "0a1b2c3d4e5f"
LIFE = 86_399
REPLAYED_SECONDS = 30 * 60
"""How long a refresh token that was used answers the same again."""

Answer = tuple[int, dict[str, Any]]


def problem(status: int, name: str, about: str) -> Answer:
    return status, {"error": name, "error_description": about}


@dataclass
class Desk:
    """What the stand-in has given out. ``denies`` is what the person in the browser says instead of yes."""

    life: int = LIFE
    denies: str | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    access: dict[str, float] = field(default_factory=dict)
    """Tokens that are good, with when they end."""

    refresh: dict[str, str | None] = field(default_factory=dict)
    """Refresh tokens that are good, with the access token that came along."""

    replays: dict[str, tuple[float, Answer]] = field(default_factory=dict)
    refreshed: int = 0
    """How often a refresh token was used for the first time."""

    def authorize(self, query: str) -> tuple[int, str]:
        """Status, and where the browser is sent, or why not."""
        asked = dict(parse_qsl(query))
        needed = {"response_type", "client_id", "redirect_uri", "scope", "code_challenge"}
        if missing := needed - asked.keys():
            return 400, f"{sorted(missing)} missing"
        home = urlsplit(asked["redirect_uri"])
        if asked["response_type"] != "code" or asked["client_id"] != CLIENT or home.hostname != "127.0.0.1":
            return 400, "invalid client, redirect or response type"
        if asked.get("code_challenge_method") != "S256":
            return 400, "invalid challenge"
        brought = {"state": asked["state"]} if "state" in asked else {}
        if self.denies is not None:
            brought["error"] = self.denies
        else:
            brought["code"] = secrets.token_hex(20)
            self.codes[brought["code"]] = asked
        return 302, f"{asked['redirect_uri']}?{urlencode(brought)}"

    def token(self, form: dict[str, str]) -> Answer:
        if form.get("client_id") != CLIENT:
            return problem(400, "invalid_client", "Invalid client: client is invalid")
        if form.get("grant_type") == "refresh_token":
            return self._again(form.get("refresh_token", ""))
        asked = self.codes.pop(form.get("code", ""), None)
        if form.get("grant_type") != "authorization_code" or asked is None:
            return problem(400, "invalid_grant", "Invalid authorization code")
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != asked["code_challenge"] or form.get("redirect_uri") != asked["redirect_uri"]:
            return problem(400, "invalid_grant", "Invalid code verifier or redirect")
        return self._made()

    def revoke(self, form: dict[str, str]) -> Answer:
        token = form.get("token", "")
        if token in self.access:
            del self.access[token]
        elif token in self.refresh:
            self.access.pop(self.refresh.pop(token) or "", None)
        else:
            return problem(400, "invalid_token", "Unable to revoke token")
        return 200, {}

    def knows(self, token: str) -> bool:
        return self.access.get(token, 0.0) > time.time()

    def _again(self, token: str) -> Answer:
        used = self.replays.get(token)
        if used is not None and time.time() - used[0] < REPLAYED_SECONDS:
            return used[1]
        if token not in self.refresh:
            return problem(400, "invalid_grant", "Token has been expired or revoked")
        self.access.pop(self.refresh.pop(token) or "", None)
        self.refreshed += 1
        made = self._made()
        self.replays[token] = (time.time(), made)
        return made

    def _made(self) -> Answer:
        access, refresh = f"lin_oauth_{secrets.token_hex(20)}", f"lin_refresh_{secrets.token_hex(20)}"
        self.access[access] = time.time() + self.life
        self.refresh[refresh] = access
        return 200, {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.life,
            "scope": "read write",
            "refresh_token": refresh,
        }
