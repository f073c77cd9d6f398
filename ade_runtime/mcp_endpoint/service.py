"""The leases of one ADE_HOME, and the endpoint that serves who holds one.

The endpoint listens from the first lease on, and again at the same port in a later runtime for as long as a lease works. What
speaks HTTP and MCP takes a second to load, so it is loaded when the first client comes.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_runtime.mcp_endpoint import leases
from ade_runtime.mcp_endpoint.leases import Lease
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.mcp_endpoint.http import HttpEndpoint
    from ade_runtime.mcp_endpoint.leases import LeaseState
    from ade_runtime.services import Services
    from ade_runtime.sessions.records import SessionRecord
    from ade_runtime.tooling.shapes import Palette, Shape

ADDRESS = "127.0.0.1"
RECORD = "mcp-clients.json"
"""Where in ADE_HOME it is written down which clients' files start ``ade mcp``."""

BACKLOG = 256
LONGEST_SECONDS = 30 * 24 * 3600
USUAL_SECONDS = 12 * 3600
RECOUNT_SECONDS = 60.0
_loading = threading.Lock()
log = logging.getLogger("ade.mcp")


class McpEndpoint:
    """Grants and checks leases; ``environments`` holds what programs started through a lease get, by the lease's id, for as
    long as this process lives."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._listener: socket.socket | None = None
        self._http: HttpEndpoint | None = None
        self._starting: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._live_until: datetime | None = None
        self._counted_at = 0.0
        self._counting: asyncio.Task[list[Lease]] | None = None
        self.environments: dict[str, Mapping[str, str]] = {}
        services.expecting.append(self._awaited)
        services.at_work.append(lambda: self._http is not None and self._http.busy)

    # -- leases

    async def grant(
        self,
        session: SessionRecord,
        *,
        client: str | None = None,
        shape: Shape = "text",
        tools: Palette = "first",
        seconds: int = USUAL_SECONDS,
        env: Mapping[str, str] | None = None,
    ) -> tuple[Lease, str]:
        """A lease for a live session, and its token, which nothing else will ever give again. It ends with the session at the
        latest. Raises ``session_ended`` and ``endpoint_unavailable``."""
        from ade_runtime.mcp_endpoint import store
        from ade_runtime.sessions import store as session_store

        now = self._services.sessions.now()
        port = await self.listen()
        token = leases.mint()
        ends = now + timedelta(seconds=min(seconds, LONGEST_SECONDS))
        lease = Lease(
            id=new_id("lse"),
            token_hash=leases.digest(token),
            session=session.id,
            client=client,
            shape=shape,
            tools=tools,
            port=port,
            created_at=now,
            expires_at=ends if session.expires_at is None else min(ends, session.expires_at),
        )

        def write(db: Connection) -> None:
            record = session_store.by_id(db, session.id)
            if record is None or record.state(now) != "live":
                raise errors.SessionEnded(session=session.id)
            store.add(db, lease)

        await self._services.database.write(write)
        self._live_until = max(self._live_until or now, lease.expires_at)
        if env:
            self.environments[lease.id] = dict(env)
        return lease, token

    async def find(self, lease: str) -> Lease:
        """The lease with this id; raises ``lease_not_found``."""
        from ade_runtime.mcp_endpoint import store

        found = await self._services.database.read(lambda db: store.by_id(db, lease))
        if found is None:
            raise errors.LeaseNotFound(lease=lease)
        return found

    async def by_token(self, token: str) -> Lease | None:
        """The lease this token was made for, whether it still works or not."""
        from ade_runtime.mcp_endpoint import store

        wanted = leases.digest(token)
        if not wanted:
            return None
        return await self._services.database.read(lambda db: store.by_token_hash(db, wanted))

    async def revoke(self, lease: str) -> Lease:
        """End a lease: its token is refused from then on, and its connections are closed."""
        from ade_runtime.mcp_endpoint import store

        now = self._services.sessions.now()
        await self._services.database.write(lambda db: store.revoke(db, lease, now))
        if self._http is not None:
            await self._http.drop(lease)
        await self._recount()
        return await self.find(lease)

    def serves(self, lease: str) -> bool:
        """Whether a client has come with this lease to this process and was given its tools."""
        return self._http is not None and self._http.serves(lease)

    async def all(self, *, session: str | None, live: bool) -> list[Lease]:
        """Leases, the newest first."""
        from ade_runtime.mcp_endpoint import store

        at = self._services.sessions.now() if live else None
        return await self._services.database.read(lambda db: store.listed(db, session=session, live_at=at))

    # -- listening

    async def listen(self, port: int = 0) -> int:
        """Have the endpoint listen, and give its port; ``port`` is where it should where that is free. Raises
        ``endpoint_unavailable`` in a process that ends with its command, and where no socket can be had."""
        if self._listener is not None:
            return _port(self._listener)
        if self._services.settings.one_command:
            raise errors.EndpointUnavailable(reason="a command that runs without the runtime cannot serve it")
        if not port:
            known = await self.all(session=None, live=True)
            port = known[0].port if known else 0
        if self._listener is None:  # nobody else was quicker
            self._listener = _bind(port)
            self._wait_for_client()
        return _port(self._listener)

    async def recover(self) -> None:
        """Listen again where an earlier runtime did, if a lease of its still works. A port that is taken is only logged: a
        runtime must start all the same."""
        live = await self._recount()
        if live or (self._services.paths.home / RECORD).exists():
            self._loading = asyncio.create_task(asyncio.to_thread(load))  # a client is to be expected
        if not live or self._listener is not None:
            return
        try:
            listening = await self.listen(live[0].port)
        except errors.EndpointUnavailable as problem:
            log.warning("%s", problem.message)
            return
        lost = [lease.id for lease in live if lease.port != listening]
        if lost:
            log.warning("port of %d leases is taken; they have to be asked for again", len(lost))

    async def close(self) -> None:
        """Hear nobody any more, and end what is served."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
        begun = [task for task in (self._starting, self._loading, self._counting) if task is not None]
        if begun:
            await asyncio.wait(begun)
        if self._http is not None:
            await self._http.close()
            self._http = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _awaited(self) -> bool:
        """Whether a client may still come, which cannot start a runtime by itself. That its session has ended is noticed now
        and then."""
        if self._live_until is None or self._live_until <= self._services.clock.now():
            return False
        if time.monotonic() - self._counted_at > RECOUNT_SECONDS and (
            self._counting is None or self._counting.done()
        ):
            self._counting = asyncio.get_running_loop().create_task(self._recount())
        return True

    async def _recount(self) -> list[Lease]:
        """The leases that work, and until when the last of them does."""
        self._counted_at = time.monotonic()
        live = await self.all(session=None, live=True)
        self._live_until = max((lease.expires_at for lease in live), default=None)
        return live

    def _wait_for_client(self) -> None:
        assert self._listener is not None
        asyncio.get_running_loop().add_reader(self._listener, self._first_client)

    def _first_client(self) -> None:
        assert self._listener is not None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listener)
        self._starting = loop.create_task(self._start(self._listener))

    async def _start(self, listener: socket.socket) -> None:
        await asyncio.to_thread(load)
        from ade_runtime.mcp_endpoint.http import HttpEndpoint

        self._http = HttpEndpoint(self._services, self, listener)
        await self._http.start()


def load() -> None:
    """Import what speaks HTTP and MCP, on whichever thread this is called."""
    with _loading:
        import ade_runtime.mcp_endpoint.http
        import ade_runtime.mcp_endpoint.pipe  # noqa: F401


def lease_state(lease: Lease, session: SessionRecord, now: datetime) -> LeaseState | Literal["session_ended"]:
    """Whether a lease works: live, revoked, expired, or session_ended."""
    state = lease.state(now)
    return "session_ended" if state == "live" and session.state(now) != "live" else state


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
        except OSError:
            if not port:
                raise
            listener.bind((ADDRESS, 0))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as problem:
        listener.close()
        raise errors.EndpointUnavailable(reason=problem.strerror or str(problem)) from None
    return listener


def _port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])
