"""Events pushed to a connection: each subscription reads the buffer from its own cursor, as fast as its client takes them.

There is no queue beside the buffer. A client that reads slowly holds up its own subscriptions only; what has left the buffer
when it comes back is told as a gap.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.events.cursor import Cursor, read_cursor
from ade_runtime.events.describe import event_model, gap_model
from ade_runtime.events.view import View

if TYPE_CHECKING:
    from ade_runtime.events.service import Events, Reading
    from ade_runtime.server.connection import Connection
    from ade_runtime.server.methods import Context

NOTE = "runtime/event"
LIMIT = 16
"""Subscriptions of one connection."""

CHUNK = 100
CHUNK_BYTES = 64 * 1024
"""Most of what is written before the client must have read some of it."""

Check = Callable[[], Awaitable[None]]


class Following:
    """The subscriptions of one connection, each a task from its reply on."""

    __slots__ = ("_connection", "_names", "_room", "_tasks")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._names = itertools.count(1)
        self._room: asyncio.Future[None] | None = None
        self._tasks: dict[str, asyncio.Task[None] | None] = {}

    def take(self) -> str:
        """A name for one more subscription; raises ``too_many_subscriptions``."""
        if len(self._tasks) >= LIMIT:
            raise errors.TooManySubscriptions(limit=LIMIT)
        name = f"sub_{next(self._names)}"
        self._tasks[name] = None
        return name

    def begin(self, name: str, events: Events, view: View, cursor: Cursor, check: Check) -> None:
        """Replay from ``cursor`` and go on live; not if it was ended before it began."""
        if name in self._tasks:
            pump = self._pump(name, events, view, cursor, check)
            self._tasks[name] = asyncio.get_running_loop().create_task(pump)

    def end(self, name: str) -> bool:
        """End one subscription; whether there was one."""
        if name not in self._tasks:
            return False
        task = self._tasks.pop(name)
        if task is not None:
            task.cancel()
        return True

    def end_all(self) -> None:
        for name in list(self._tasks):
            self.end(name)

    def make_room(self) -> None:
        """The client has read what was written."""
        if self._room is not None:
            self._room.set_result(None)
            self._room = None

    async def _pump(self, name: str, events: Events, view: View, cursor: Cursor, check: Check) -> None:
        try:
            while not events.closed:
                await self._until_room()
                reading = events.read(view, cursor, limit=CHUNK, max_bytes=CHUNK_BYTES)
                cursor = reading.cursor
                if reading.events or reading.gap is not None:
                    await check()
                    self._write(name, events.epoch, reading)
                    await asyncio.sleep(0)  # others have their turn between two chunks
                else:
                    await events.news()
        except AdeError as refusal:
            self._note(name, cursor, ended=refusal.envelope())
        self._tasks.pop(name, None)

    async def _until_room(self) -> None:
        while self._connection.congested:
            if self._room is None:
                self._room = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._room])

    def _write(self, name: str, epoch: str, reading: Reading) -> None:
        gap = gap_model(reading.gap)
        if gap is not None:
            before = reading.events[0].seq - 1 if reading.events else reading.cursor.seq
            self._note(name, Cursor(epoch, before), gap=gap.to_wire())
        for event in reading.events:
            self._note(name, Cursor(epoch, event.seq), event=event_model(event, epoch).to_wire())

    def _note(self, name: str, cursor: Cursor, **told: Any) -> None:
        note = {"subscription": name, "cursor": str(cursor), "event": None, "gap": None, "ended": None}
        self._connection.notify(NOTE, {**note, **told})


async def subscribe(context: Context) -> Any:
    """``{cursor?, start?, categories?, role?}`` → ``{subscription, cursor, pending, categories}``; events follow the reply."""
    import orjson

    params = dict(context.request.params)
    role = params.pop("role", None)
    if role is not None and not isinstance(role, str):
        raise errors.InvalidArguments(problem="role must be a text", action=context.request.method)
    who = await context.identity("event.subscribe", wanted=role)
    told = orjson.loads(await context.perform("event.subscribe", params, who))
    del told["gap"]  # comes as the first notification
    services, following = context.server.services, context.connection.following
    view, cursor = View(who, told["categories"]), read_cursor(told["cursor"])
    name = following.take()

    async def check() -> None:
        await services.identification.check_live(who, "event.subscribe", "socket")

    if context.request.notification:  # nobody learns the subscription's name
        following.end(name)
    context.afterwards.append(lambda: following.begin(name, services.events, view, cursor, check))
    return {"subscription": name, **told}


async def unsubscribe(context: Context) -> Any:
    """``{subscription}`` → ``{unsubscribed}``. Nothing of the subscription comes after the reply."""
    from ade_runtime.server.params import Params

    params = Params(context.request.method, context.request.params)
    name = params.text("subscription")
    params.end()
    return {"unsubscribed": context.connection.following.end(name)}
