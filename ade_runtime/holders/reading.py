"""Output as text, from a cursor or from near the end, waiting for more where that is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.terminals import text as texts

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen
    from ade_runtime.holders.service import Holders


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A stretch of output. ``cursor`` is the offset of its first byte and ``next`` that of the first one after it. ``dropped``
    is how many bytes before ``cursor`` were asked for and are gone; ``more`` tells that something follows already."""

    text: str
    cursor: int
    next: int
    dropped: int
    more: bool
    seen: Seen


async def read_text(
    holders: Holders, record: HolderRecord, cursor: int | None, limit: int, *, plain: bool, wait: float = 0
) -> Text:
    """At most ``limit`` bytes of output as text: from ``cursor`` on, or without one the last of it.

    With ``wait`` (seconds) it waits that long for something to be there. Raises ``invalid_cursor`` for a cursor after the end.
    """
    first, end = holders.extent(record)
    if cursor is not None and cursor > end:
        raise errors.InvalidCursor(cursor=str(cursor))
    seen = await holders.seen(record)
    if wait and seen.phase in ("running", "waiting") and end <= (cursor or 0):
        await holders.wait(record, "output", cursor=cursor or 0, timeout=wait)
        seen = await holders.seen(record)
    first, end = holders.extent(record)
    wanted = max(first, end - limit) if cursor is None else cursor
    start, data = await asyncio.to_thread(holders.read, record, wanted, limit)
    if cursor is None or start > wanted:
        skipped = texts.first_character(data)
        start, data = start + skipped, data[skipped:]
    more_comes = seen.live or seen.leftovers or start + len(data) < end
    if more_comes:
        data = data[: texts.whole(data)] or (data if len(data) >= limit else b"")
    return Text(
        text=texts.plain(data) if plain else texts.raw(data),
        cursor=start,
        next=start + len(data),
        dropped=0 if cursor is None else start - cursor,
        more=start + len(data) < end,
        seen=seen,
    )
