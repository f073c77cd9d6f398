"""A lease: the right to use the MCP endpoint as one session, for a time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from ade_runtime.storage.times import from_ms, to_ms
from ade_runtime.tooling.shapes import Palette, Shape

PREFIX = "adels_"
"""Begins every token of a lease, so that programs which look for leaked secrets can tell one."""

RANDOM_BYTES = 32
LONGEST = 200
LeaseState = Literal["live", "revoked", "expired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """One lease. ``token_hash`` never leaves the store; times are aware. ``client`` says for whom it is, where given; ``shape``
    and ``tools`` are what its client gets when it asks for nothing else; ``port`` is where it was told to find the endpoint."""

    id: str
    token_hash: str = field(repr=False)
    session: str
    client: str | None
    shape: Shape
    tools: Palette
    port: int
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    @property
    def url(self) -> str:
        """Where its client finds the endpoint. It holds no secret."""
        return f"http://127.0.0.1:{self.port}/mcp/{self.id}"

    def state(self, now: datetime) -> LeaseState:
        """Whether its token still works, as far as the lease itself decides."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at <= now else "live"

    def row(self) -> dict[str, Any]:
        """Column values of the leases table."""
        return {
            "id": self.id,
            "token_hash": self.token_hash,
            "session_id": self.session,
            "client": self.client,
            "shape": self.shape,
            "tools": self.tools,
            "port": self.port,
            "created_at": to_ms(self.created_at),
            "expires_at": to_ms(self.expires_at),
            "revoked_at": None if self.revoked_at is None else to_ms(self.revoked_at),
        }


def from_row(row: Any) -> Lease:
    """The lease of a row mapping of the leases table."""
    return Lease(
        id=row["id"],
        token_hash=row["token_hash"],
        session=row["session_id"],
        client=row["client"],
        shape=row["shape"],
        tools=row["tools"],
        port=row["port"],
        created_at=from_ms(row["created_at"]),
        expires_at=from_ms(row["expires_at"]),
        revoked_at=None if row["revoked_at"] is None else from_ms(row["revoked_at"]),
    )


def mint() -> str:
    """A new token with 256 random bits."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def digest(token: str) -> str:
    """SHA-256 of a token, as it is stored; empty for a text that cannot be the token of a lease, which no lease has."""
    if not token.startswith(PREFIX) or len(token) > LONGEST:
        return ""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two hashes are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
