"""Who may speak to the endpoint: each request is judged by itself, since some clients share one server between sessions.

Anything on this machine can connect to a port of 127.0.0.1, a web page in a browser included, and the kernel does not say who
does. So a request needs a Host that names this endpoint (a rebound name does not), no Origin of somebody else's, and the token
of a lease that works. Without one nothing is answered. See docs/decisions.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from ade_runtime.mcp_endpoint.service import lease_state
from ade_runtime.pipeline.identity import LEAST_ROLE, session_key
from ade_runtime.pipeline.record import note_denial
from ade_runtime.tooling.shapes import PALETTES, SHAPES

if TYPE_CHECKING:
    from starlette.types import Scope, Send

    from ade_runtime.mcp_endpoint.leases import Lease
    from ade_runtime.mcp_endpoint.service import McpEndpoint
    from ade_runtime.services import Services
    from ade_runtime.sessions.records import SessionRecord
    from ade_runtime.tooling.shapes import Palette, Shape

PATH = "/mcp"
METHODS = ("GET", "POST", "DELETE")
NOTE_GAP = 10.0
"""Least seconds between two audit rows of refusals for the same reason: whoever is refused must not fill the disk."""

REFUSED = -32001
WHY_OVER = {
    "revoked": "it was revoked",
    "expired": "it has expired",
    "session_ended": "its session has ended",
}


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request of who holds ``lease``, with how it wants its tools."""

    lease: Lease
    shape: Shape
    tools: Palette


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a request is not answered. ``lease`` is one that has ended, whose connections go."""

    status: int
    reason: str
    lease: str | None = None


class Guard:
    """Judges the requests to the endpoint at ``port``."""

    def __init__(self, services: Services, endpoint: McpEndpoint, port: int) -> None:
        self._services = services
        self._endpoint = endpoint
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(f"http://{host}" for host in self._hosts)
        self._noted: dict[str, float] = {}

    async def judge(self, scope: Scope) -> Admitted | Refused:
        """What becomes of a request."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        refused = self._from_elsewhere(headers) or self._misplaced(scope)
        if refused is not None:
            return refused
        lease = await self._lease(headers, scope["path"])
        return lease if isinstance(lease, Refused) else self._wishes(lease, scope["query_string"])

    def _from_elsewhere(self, headers: dict[str, list[str]]) -> Refused | None:
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Refused(421, "This endpoint is not known by that Host; use the address of the lease.")
        if any(origin not in self._origins for origin in headers.get("origin", [])):
            return Refused(403, "Web pages may not use this endpoint.")
        return None

    @staticmethod
    def _misplaced(scope: Scope) -> Refused | None:
        path: str = scope["path"]
        if path != PATH and not (path.startswith(f"{PATH}/") and path.count("/") == 2):
            return Refused(404, "There is nothing here; use the address of the lease.")
        if scope["method"] not in METHODS:
            return Refused(405, f"Methods here are {', '.join(METHODS)}.")
        return None

    async def _lease(self, headers: dict[str, list[str]], path: str) -> Lease | Refused:
        given = headers.get("authorization", [])
        kind, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        if kind.lower() != "bearer" or not token.strip():
            await self._note("no lease", None)
            return Refused(
                401, "Needs the token of a lease: Authorization: Bearer TOKEN. `ade mcp lease` gives one."
            )
        lease = await self._endpoint.by_token(token.strip())
        if lease is None:
            await self._note("unknown lease", None)
            return Refused(401, "The token belongs to no lease; ask for another with `ade mcp lease`.")
        session = await self._services.sessions.find(lease.session)
        state = lease_state(lease, session, self._services.clock.now())
        if state != "live":
            await self._note(f"lease {state}", session)
            return Refused(401, f"The lease works no more: {WHY_OVER[state]}.", lease.id)
        named = path[len(PATH) + 1 :]
        if named and named != lease.id:
            await self._note("foreign lease", session)
            return Refused(403, "The token belongs to another lease than the address names.")
        return lease

    @staticmethod
    def _wishes(lease: Lease, query: bytes) -> Admitted | Refused:
        shape, tools = lease.shape, lease.tools
        for name, value in parse_qsl(query.decode("latin-1")):
            if name == "shape" and value in SHAPES:
                shape = value
            elif name == "tools" and value in PALETTES:
                tools = value
            else:
                known = f"shape={'|'.join(SHAPES)} and tools={'|'.join(PALETTES)}"
                return Refused(400, f"The address may end in {known}, and in nothing else.")
        return Admitted(lease, shape, tools)

    async def _note(self, reason: str, session: SessionRecord | None) -> None:
        """Write a refusal down, not more often than now and then for the same reason and session."""
        key = f"{reason}:{'' if session is None else session.id}"
        now = time.monotonic()
        if now - self._noted.get(key, -NOTE_GAP) < NOTE_GAP:
            return
        if len(self._noted) > 1000:
            self._noted.clear()
        self._noted[key] = now
        who, role = ("nobody", LEAST_ROLE) if session is None else (session_key(session.id), session.role)
        await note_denial(self._services, "mcp.connect", "mcp", identity=who, role=role)


async def respond(send: Send, refused: Refused) -> None:
    """Answer a refused request; the text never repeats anything of it."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": REFUSED, "message": refused.reason}}
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if refused.status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="ade"'))
    if refused.status == 405:
        headers.append((b"allow", ", ".join(METHODS).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(error).encode()})
