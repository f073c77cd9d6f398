"""How many terminals a project may have at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.holders.service import Holders

LIVE_LIMIT = 100
"""Most terminals of a project at a time; each has a process of its own."""

SCROLLBACK = (256 * 1024, 4)
"""Files of so many bytes, and how many of them are kept."""


async def check_room(holders: Holders, project: str) -> None:
    """Raise ``too_many_terminals`` where another would be one too many."""
    records = await holders.all(kind="terminal", project=project, ended=False)
    if len(records) >= LIVE_LIMIT:
        seen = await holders.see(records)
        if sum(one.live for one in seen.values()) >= LIVE_LIMIT:
            raise errors.TooManyTerminals(limit=LIVE_LIMIT)
