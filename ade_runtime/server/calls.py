"""The calls of one connection while they run: started, answered exactly once, cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.pipeline.execute import inner_fault
from ade_runtime.server import envelope
from ade_runtime.server.methods import Context, UnknownMethod

if TYPE_CHECKING:
    from ade_runtime.server.connection import Connection
    from ade_runtime.server.envelope import Id, Request
    from ade_runtime.server.server import Server

Steps = Sequence[Callable[[], None]]


class Reply(Protocol):
    """Sends an answer, ``None`` where there is none to send, and then takes the steps that had to wait for it."""

    def __call__(self, body: bytes | None, steps: Steps = (), /) -> None: ...


class Running:
    """One call. ``begun`` turns true with its task's first step: a task cancelled before that never runs at all."""

    __slots__ = ("begun", "reply", "request", "task")

    def __init__(self, request: Request, reply: Reply) -> None:
        self.request = request
        self.reply = reply
        self.begun = False
        self.task: asyncio.Task[None]


class Calls:
    """All calls in flight on a connection; ``on_end`` is called after each answer."""

    __slots__ = ("_connection", "_loop", "_on_end", "_running", "_server")

    def __init__(self, server: Server, connection: Connection, on_end: Callable[[], None]) -> None:
        self._server = server
        self._connection = connection
        self._on_end = on_end
        self._running: set[Running] = set()
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, request: Request, reply: Reply) -> None:
        """Perform a request in a task of its own and give its answer to ``reply``, ``None`` for a notification."""
        call = Running(request, reply)
        self._running.add(call)
        self._server.in_flight += 1
        call.task = self._loop.create_task(self._perform(call))

    def cancel(self, identifier: object) -> bool:
        """Cancel the calls with this id; whether there were any."""
        if isinstance(identifier, bool) or not isinstance(identifier, str | int | float):
            return False
        found = [call for call in self._running if call.request.id == identifier]
        for call in found:
            self._stop(call)
        return bool(found)

    def cancel_all(self) -> list[asyncio.Task[None]]:
        """Cancel every call; its tasks end soon after."""
        found = list(self._running)
        for call in found:
            self._stop(call)
        return [call.task for call in found]

    def _stop(self, call: Running) -> None:
        call.task.cancel()
        if not call.begun:
            self._end(call, _cancelled(call.request.id, call.request.method))

    async def _perform(self, call: Running) -> None:
        call.begun = True
        request = call.request
        context = Context(self._server, self._connection, request)
        try:
            body = envelope.result(request.id, await self._server.methods.call(context))
        except UnknownMethod:
            text = f"there is no method {request.method[:100]!r}"
            body = envelope.failure(request.id, envelope.METHOD_NOT_FOUND, text)
        except AdeError as problem:
            body = envelope.error_answer(request.id, problem)
        except asyncio.CancelledError:
            body = _cancelled(request.id, request.method)
        except Exception as problem:
            body = envelope.error_answer(request.id, inner_fault(request.method, problem))
        self._end(call, body, context.afterwards)

    def _end(self, call: Running, body: bytes, afterwards: Steps = ()) -> None:
        self._running.discard(call)
        self._server.call_ended()
        call.reply(None if call.request.notification else body, afterwards)
        self._on_end()


def _cancelled(identifier: Id, method: str) -> bytes:
    return envelope.error_answer(identifier, errors.Cancelled(action=method))
