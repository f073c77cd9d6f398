"""Telling clients that the list of actions they may see has changed, as ``ade/initialize`` promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.pipeline.call import Caller

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.server.server import Server

NOTE = "ade/resources/list_changed"
_NOWHERE = Caller("socket")


def watch_lists(server: Server) -> None:
    """From here on, tell every client that introduced itself when a capability that comes or goes changes what it sees."""
    visibility = server.pipeline.visibility

    def tell(before: frozenset[str]) -> None:
        for connection in list(server.connections):
            who = connection.introduced
            if who is not None and _seen(server, who, before) != _seen(server, who, visibility.capabilities):
                connection.notify(NOTE, {})

    visibility.on_change = tell


def _seen(server: Server, who: Identity, capabilities: frozenset[str]) -> list[str]:
    visible = server.pipeline.visibility.visible(who, _NOWHERE, capabilities)
    return [entry.id for entry in visible]
