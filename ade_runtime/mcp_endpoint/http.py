"""The endpoint's side that speaks HTTP: every request is judged first, then handed to the server of its lease."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from ade_runtime.mcp_endpoint.guard import Admitted, Guard, Refused, respond
from ade_runtime.mcp_endpoint.toolbox import LeaseToolbox
from ade_runtime.tooling.mcp_content import Content
from ade_runtime.tooling.mcp_server import mcp_server

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from starlette.types import Receive, Scope, Send

    from ade_runtime.mcp_endpoint.service import McpEndpoint
    from ade_runtime.services import Services
    from ade_runtime.tooling.shapes import Palette, Shape

SERVER_NAME = "ade"
BODY_LIMIT = 4 * 1024 * 1024
MOST_CONNECTIONS = 256
MOST_SESSIONS = 64
"""Sessions of the older protocol revisions that one lease may have open at once."""

DRAIN_SECONDS = 3
log = logging.getLogger("ade.mcp")

Key = tuple[str, "Shape", "Palette"]


class HttpEndpoint:
    """Serves on ``listener`` until :meth:`close`."""

    def __init__(self, services: Services, endpoint: McpEndpoint, listener: socket.socket) -> None:
        self._services = services
        self._endpoint = endpoint
        self._listener = listener
        self._guard = Guard(services, endpoint, int(listener.getsockname()[1]))
        self._served: dict[Key, _Served] = {}
        self._serving: asyncio.Task[None]
        self._requests = 0
        self._streams = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            lifespan="off",
            proxy_headers=False,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
        self._server = _Quiet(config)

    @property
    def busy(self) -> bool:
        """Whether a client waits for an answer, streams that merely stay open aside."""
        return self._requests > self._streams

    def serves(self, lease: str) -> bool:
        """Whether a client has come with this lease and was given its tools."""
        return any(key[0] == lease and served.toolbox.given for key, served in self._served.items())

    async def start(self) -> None:
        """Begin to serve."""
        self._serving = asyncio.get_running_loop().create_task(self._server.serve([self._listener]))

    async def drop(self, lease: str) -> None:
        """End all that is open for a lease."""
        self._endpoint.environments.pop(lease, None)
        for key in [key for key in self._served if key[0] == lease]:
            await self._served.pop(key).close()

    async def close(self) -> None:
        """Answer what is under way, for at most some seconds, then end."""
        self._server.should_exit = True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._quiet.wait(), DRAIN_SECONDS)
        for served in list(self._served.values()):
            served.release_streams()
        await asyncio.wait([self._serving])
        for served in list(self._served.values()):
            await served.close()
        self._served.clear()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        admitted = await self._guard.judge(scope)
        if isinstance(admitted, Refused):
            if admitted.lease is not None:
                await self.drop(admitted.lease)
            await respond(send, admitted)
            return
        with self._counted(stream=scope["method"] == "GET"):
            served = await self._server_of(admitted)
            await served.manager.handle_request(scope, receive, send)

    @contextlib.contextmanager
    def _counted(self, *, stream: bool) -> Iterator[None]:
        """A request as long as it is answered."""
        self._requests += 1
        self._streams += stream
        if self.busy:
            self._quiet.clear()
        try:
            yield
        finally:
            self._requests -= 1
            self._streams -= stream
            if not self.busy:
                self._quiet.set()

    async def _server_of(self, admitted: Admitted) -> _Served:
        key = (admitted.lease.id, admitted.shape, admitted.tools)
        found = self._served.get(key)
        if found is None:
            env = self._endpoint.environments.get(admitted.lease.id)
            toolbox = LeaseToolbox(self._services, admitted.lease.session, env)
            found = self._served[key] = _Served(toolbox, admitted.shape, admitted.tools)
        await found.ready()
        return found


class _Served:
    """One lease's MCP server in one shape, with the sessions of clients that have such."""

    def __init__(self, toolbox: LeaseToolbox, shape: Shape, tools: Palette) -> None:
        server = mcp_server(
            toolbox, name=SERVER_NAME, shape=shape, palette=tools, whole=True, content=Content(toolbox)
        )
        self.toolbox = toolbox
        self.manager = StreamableHTTPSessionManager(
            server, max_request_body_size=BODY_LIMIT, max_sessions=MOST_SESSIONS
        )
        self._ready = asyncio.Event()
        self._over = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def ready(self) -> None:
        await self._ready.wait()

    def release_streams(self) -> None:
        """End the sessions, and with them the streams that stay open for as long as those."""
        self._over.set()

    async def close(self) -> None:
        self._over.set()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        """What began in one task must end in it."""
        try:
            async with self.manager.run():
                self._ready.set()
                await self._over.wait()
        finally:
            self._ready.set()


class _Quiet(uvicorn.Server):
    """uvicorn within a process whose signals are somebody else's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
