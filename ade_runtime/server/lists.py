"""Telling clients that the list of actions they may see has changed, as ``ade/initialize`` promises.

Some capabilities say so when they come or go; others are found out whenever somebody lists or calls, so their changes are
looked for now and then, for as long as there is somebody to tell.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ade_runtime.pipeline.call import Caller
from ade_runtime.pipeline.visibility import sees_as

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.server.connection import Connection
    from ade_runtime.server.server import Server

NOTE = "ade/resources/list_changed"
LOOK_SECONDS = 5.0
_NOWHERE = Caller("socket")


class Lists:
    """What each client that introduced itself was last able to see."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._seen: dict[Connection, tuple[str, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, connection: Connection, who: Identity) -> None:
        """From here on, tell this client; ``who`` is what it introduced itself as."""
        connection.introduced = who
        self._server.pipeline.visibility.on_change = self.look
        self._seen[connection] = self._visible(who)
        self._look_later()

    def look(self) -> None:
        """Tell every client whose list is another one than it was. Clients that see the same are looked at once."""
        lists: dict[Hashable, tuple[str, ...]] = {}
        for connection, before in list(self._seen.items()):
            if connection not in self._server.connections or connection.introduced is None:
                del self._seen[connection]
                continue
            who = connection.introduced
            as_who = sees_as(who)
            if as_who not in lists:
                lists[as_who] = self._visible(who)
            now = lists[as_who]
            if now != before:
                self._seen[connection] = now
                connection.notify(NOTE, {})

    def stop(self) -> None:
        """Look no more: the runtime ends."""
        self._seen.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _look_later(self) -> None:
        if self._timer is None and self._seen:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._due)

    def _due(self) -> None:
        self._timer = None
        self.look()
        self._look_later()

    def _visible(self, who: Identity) -> tuple[str, ...]:
        return tuple(entry.id for entry in self._server.pipeline.visibility.visible(who, _NOWHERE))
