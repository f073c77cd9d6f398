"""A program that speaks JSON-RPC in lines over its standard streams.

Both sides ask and tell. What the program tells is handed on in order; what it asks is answered on tasks, so that several
questions may be open at once, and a question that it withdraws is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from typing import TYPE_CHECKING, Any

import orjson
import psutil

from ade_runtime.chat.providers.base import ProviderError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from ade_runtime.contracts import JsonObject

log = logging.getLogger("ade.chat.peer")

LONGEST_LINE = 32 * 1024 * 1024
LAST_WORDS = 4096
"""Bytes of the program's standard error that are kept for the account of its end."""

TRIES = 6
FIRST_WAIT = 0.1
"""Seconds before an overloaded program is asked again; doubled each time."""

GRACE = 3.0
"""Seconds that the program has to end by itself once nothing more comes."""

UNKNOWN_METHOD = -32601
INNER_FAULT = -32603
WITHDRAWN = "serverRequest/resolved"


class RpcError(Exception):
    """The program refused a request; ``data`` is what else it said."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class UnknownRequest(Exception):
    """The program asked something that nobody here can answer."""


class Peer:
    """``title`` is what people call the program; ``envelope`` what each message holds besides its own members, such as the
    version of the protocol; ``overloaded`` the code of an error after which it is to be asked again.

    ``heard(method, params)`` is told each notification, in order, and must not wait; ``answer(method, params)`` answers a
    request, or raises :class:`UnknownRequest`; ``ended()`` is told once, when nothing more will be heard.
    """

    def __init__(
        self,
        *,
        title: str,
        heard: Callable[[str, JsonObject], None],
        answer: Callable[[str, JsonObject], Awaitable[JsonObject]],
        ended: Callable[[], None],
        envelope: JsonObject | None = None,
        overloaded: int | None = None,
    ) -> None:
        self._title = title
        self._envelope = envelope or {}
        self._overloaded = overloaded
        self._heard = heard
        self._answer = answer
        self._ended = ended
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._answering: dict[Any, asyncio.Task[None]] = {}
        self._last_words = b""
        self._over = False
        self._tasks: list[asyncio.Task[None]] = []
        self._process: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def start(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
        """Start the program in a session of its own. Raises :class:`OSError` where it cannot be started."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env=dict(env),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._listen()), loop.create_task(self._keep_last_words())]

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """The result. A program that is overloaded is asked again, a few times.

        Raises:
            RpcError: it refused.
            ProviderError: it has ended.
        """
        wait = FIRST_WAIT
        for left in reversed(range(TRIES)):
            try:
                return await self._request_once(method, params)
            except RpcError as problem:
                if problem.code != self._overloaded or not left:
                    raise
            await asyncio.sleep(wait)
            wait *= 2
        raise AssertionError("the last try returns or raises")

    async def _request_once(self, method: str, params: JsonObject) -> JsonObject:
        number = next(self._numbers)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            await self._send({"id": number, "method": method, "params": params})
            result: JsonObject = await future
            return result
        finally:
            self._waiting.pop(number, None)

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Tell something; raises :class:`ProviderError` where the program has ended."""
        await self._send({"method": method} if params is None else {"method": method, "params": params})

    def stop_answering(self) -> None:
        """Give up every answer that is still being found: what the program asked for is over, and nobody waits for it."""
        for task in self._answering.values():
            task.cancel()

    def crashed(self, what: str | None = None) -> ProviderError:
        """The account of an unexpected end, with what the program said last."""
        what = what or f"{self._title} ended."
        said = " ".join(self._last_words.decode("utf-8", "replace").split())
        return ProviderError("crashed", f"{what} It said: {said[-1000:]}" if said else what)

    async def close(self) -> None:
        """End the program and everything below it. Safe to call twice."""
        family = self._family()
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), GRACE)
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()
        await self._process.wait()
        tasks = [*self._tasks, *self._answering.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _family(self) -> list[psutil.Process]:
        """The program and all below it; taken while it lives, since its children are nobody's afterwards."""
        with contextlib.suppress(psutil.Error):
            if self._process.returncode is None:
                process = psutil.Process(self._process.pid)
                return [process, *process.children(recursive=True)]
        return []

    async def _send(self, message: JsonObject) -> None:
        if self._over or self._process.stdin is None:
            await self._hear_out()
            raise self.crashed()
        try:
            self._process.stdin.write(orjson.dumps(self._envelope | message) + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as problem:
            await self._hear_out()
            raise self.crashed() from problem

    # -- what comes

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                self._take(orjson.loads(line))
        except ValueError as problem:
            log.warning("%s said what nobody understands: %s", self._title, problem)
        finally:
            await self._finish()

    async def _finish(self) -> None:
        self._over = True
        await self._hear_out()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(self.crashed())
        self._ended()

    async def _hear_out(self) -> None:
        """Have what a program that has ended said last; what it started may hold its standard error open for longer."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._tasks[1]), 1)

    async def _keep_last_words(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(LAST_WORDS):
            self._last_words = (self._last_words + chunk)[-LAST_WORDS:]

    def _take(self, message: Any) -> None:
        method, identifier = message.get("method"), message.get("id")
        if method is None:
            self._take_answer(identifier, message)
        elif identifier is None:
            self._take_notification(method, message.get("params") or {})
        else:
            answering = self._reply(identifier, method, message.get("params") or {})
            task = asyncio.get_running_loop().create_task(answering)
            self._answering[identifier] = task
            task.add_done_callback(lambda _: self._answering.pop(identifier, None))

    def _take_answer(self, identifier: Any, message: Any) -> None:
        future = self._waiting.get(identifier)
        if future is None or future.done():
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result") or {})
        else:
            code, said = int(error.get("code", 0)), str(error.get("message", ""))
            future.set_exception(RpcError(code, said, error.get("data")))

    def _take_notification(self, method: str, params: JsonObject) -> None:
        if method == WITHDRAWN:
            task = self._answering.get(params.get("requestId"))
            if task is not None:
                task.cancel()
            return
        self._heard(method, params)

    async def _reply(self, identifier: Any, method: str, params: JsonObject) -> None:
        try:
            answer: JsonObject = {"id": identifier, "result": await self._answer(method, params)}
        except UnknownRequest:
            answer = {
                "id": identifier,
                "error": {"code": UNKNOWN_METHOD, "message": f"ADE cannot answer {method}."},
            }
        except Exception as problem:
            log.exception("answering %s failed", method)
            answer = {"id": identifier, "error": {"code": INNER_FAULT, "message": type(problem).__name__}}
        with contextlib.suppress(ProviderError):
            await self._send(answer)
