"""One connection to the runtime: calls are answered, and news comes, in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from ade_runtime.client.tail import Ended, Refused
from ade_runtime.client.wire import DONT_WAIT, Socket
from ade_runtime.contracts import JsonObject

Answered = Callable[[JsonObject], None]
"""Given a JSON-RPC answer, with ``result`` or ``error``."""


@dataclass(frozen=True, slots=True)
class News:
    """Which events are news: those of a type with one of these beginnings. ``categories`` are what is asked for."""

    categories: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call of an action. ``where`` is the method's ``project`` or ``cwd``, where the action needs one."""

    action: str
    arguments: JsonObject
    where: Mapping[str, str] = field(default_factory=dict)


class Link:
    """``changed`` is called when there is news, or some may have been missed. Methods raise :class:`Ended` or ``OSError`` when
    the runtime is gone."""

    def __init__(
        self, connection: Socket, token: str | None, news: News, changed: Callable[[], None]
    ) -> None:
        self._connection = connection
        self._types = news.types
        self._changed = changed
        self._waiting: dict[int, Answered] = {}
        self._last = 0
        self._buffer = b""
        self._ask("ade/initialize", {"session_token": token} if token else {}, _must_work)
        wanted = {"start": "now", "categories": [*news.categories]}
        self._ask("runtimeEvents.subscribe", wanted, _must_work)

    def fileno(self) -> int:
        return self._connection.fileno()

    def close(self) -> None:
        self._connection.close()

    def call(self, wanted: Wanted, answered: Answered) -> None:
        """Call an action; what comes back is given to ``answered``."""
        params: dict[str, Any] = {"name": wanted.action, "arguments": wanted.arguments, **wanted.where}
        self._ask("ade/actions/call", params, answered)

    def receive(self) -> None:
        """Take what has come."""
        try:
            data = self._connection.recv(65536, DONT_WAIT)
        except BlockingIOError:
            return
        if not data:
            raise Ended
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._take(orjson.loads(line))

    def _ask(self, method: str, params: JsonObject, answered: Answered) -> None:
        self._last += 1
        self._waiting[self._last] = answered
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self._connection.sendall(orjson.dumps(message) + b"\n")

    def _take(self, message: JsonObject) -> None:
        method = message.get("method")
        if method == "runtime/closing":
            raise Ended
        if method == "runtime/event":
            note = message["params"]
            if note["ended"] is not None:
                raise Refused(note["ended"])
            event = note["event"]
            if event is None or event["type"].startswith(self._types):
                self._changed()
        elif message.get("id") in self._waiting:
            self._waiting.pop(message["id"])(message)


def problem_of(answer: JsonObject) -> JsonObject | None:
    """The error document of an answer that is one."""
    error = answer.get("error")
    if error is None:
        return None
    found: JsonObject = error.get("data") or {"code": "internal_error", **error}
    return found


def _must_work(answer: JsonObject) -> None:
    problem = problem_of(answer)
    if problem is not None:
        raise Refused(problem)
