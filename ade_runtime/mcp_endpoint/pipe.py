"""MCP on a connection of the machine socket, for ``ade mcp``: from the reply to ``mcp/connect`` on, its lines are MCP's.

Who asks is found out as for every other request on that connection, at each call.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from ade_runtime.server.framing import Fault, Frame
from ade_runtime.tooling.mcp_content import Content
from ade_runtime.tooling.mcp_server import mcp_server
from ade_runtime.tooling.toolbox import Toolbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.pipeline.call import Caller, Identity
    from ade_runtime.server.connection import Connection
    from ade_runtime.server.server import Server
    from ade_runtime.tooling.shapes import Palette, Shape

IN_FLIGHT_LIMIT = 256
"""Requests of one client that may be under way before no more are read from it."""

WAITING_LIMIT = 64
log = logging.getLogger("ade.mcp")


class CallersToolbox(Toolbox):
    """The tools of whoever is at the other end of a connection."""

    def __init__(self, server: Server, connection: Connection, caller: Caller, wanted: str | None) -> None:
        super().__init__(server.services, "", transport="mcp")
        self._server = server
        self._connection = connection
        self._caller = caller
        self._wanted = wanted

    async def _who(self) -> tuple[Identity, Caller]:
        self._server.check_open()
        return await self._connection.identity("mcp/connect", self._wanted), self._caller


class Pipe:
    """One client's MCP messages, in and out, until either side ends."""

    def __init__(
        self, server: Server, connection: Connection, toolbox: Toolbox, *, shape: Shape, tools: Palette
    ) -> None:
        self._server = server
        self._connection = connection
        self._mcp = mcp_server(
            toolbox, name="ade", shape=shape, palette=tools, whole=True, content=Content(toolbox)
        )
        self._arrived: deque[Frame | Fault] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._half_closed = False
        self._under_way: set[int | str] = set()
        self._task = asyncio.get_running_loop().create_task(self._run())

    # -- for the connection

    @property
    def full(self) -> bool:
        """Whether the client has asked for enough for now."""
        return len(self._arrived) > WAITING_LIMIT or len(self._under_way) >= IN_FLIGHT_LIMIT

    def feed(self, items: Sequence[Frame | Fault]) -> None:
        """Take what came from the client."""
        self._arrived.extend(items)
        self._news.set()

    def end_reading(self) -> None:
        """The client sends nothing more; what it asked for is still answered."""
        self._half_closed = True
        self._news.set()

    def make_room(self, room: bool) -> None:
        """Whether the client reads what it is sent."""
        (self._room.set if room else self._room.clear)()

    def cancel(self) -> asyncio.Task[None]:
        """End everything the client asked for."""
        self._task.cancel()
        return self._task

    # -- the three that run

    async def _run(self) -> None:
        to_server, from_client = anyio.create_memory_object_stream[Any](0)
        to_client, from_server = anyio.create_memory_object_stream[Any](0)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._read, to_server)
                group.start_soon(self._write, from_server)
                await self._mcp.run(from_client, to_client, self._mcp.create_initialization_options())
                group.cancel_scope.cancel()
        except Exception:
            log.exception("an MCP connection broke")
        finally:
            self._settle(len(self._under_way))
            self._connection.close()

    async def _read(self, to_server: Any) -> None:
        async with to_server:
            while True:
                while self._arrived:
                    await self._pass_on(self._arrived.popleft(), to_server)
                    self._connection.pace()
                if self._half_closed and not self._under_way:
                    return
                self._news.clear()
                await self._news.wait()

    async def _pass_on(self, item: Frame | Fault, to_server: Any) -> None:
        if isinstance(item, Fault):
            self._refuse(types.INVALID_REQUEST, "a message is one line of JSON, of at most 8 MiB")
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(item.body, by_name=False)
        except ValueError:
            self._refuse(types.PARSE_ERROR, "not a message of JSON-RPC")
            return
        if isinstance(message, types.JSONRPCRequest) and message.id not in self._under_way:
            self._under_way.add(message.id)
            self._server.in_flight += 1
        await to_server.send(SessionMessage(message))
        if isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._answered((message.params or {}).get("requestId"))  # to such a request there is no answer

    async def _write(self, from_server: Any) -> None:
        async with from_server:
            async for sent in from_server:
                await self._room.wait()
                message = sent.message
                self._send(message.model_dump_json(by_alias=True, exclude_unset=True).encode())
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                    self._answered(message.id)

    def _answered(self, identifier: object) -> None:
        if isinstance(identifier, int | str) and identifier in self._under_way:
            self._under_way.discard(identifier)
            self._settle(1)
            self._connection.pace()
            self._news.set()

    def _settle(self, calls: int) -> None:
        for _ in range(calls):
            self._server.call_ended()

    def _refuse(self, code: int, text: str) -> None:
        error = types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=text))
        self._send(error.model_dump_json(by_alias=True, exclude_none=False).encode())

    def _send(self, line: bytes) -> None:
        self._connection.write_line(line)
