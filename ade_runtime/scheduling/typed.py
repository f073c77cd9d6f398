"""Waking an agent that runs in a terminal: what it is told is typed there, and sent off with the enter key.

Each piece carries the firing's id, and a holder takes a piece once however often it is sent. So a runtime that was killed in
between sends all of it again, and the program reads it once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ade_runtime.holders.ask import Slow, Unreachable

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.services import Services

QUIET_SECONDS = 2.0
"""An agent that has printed nothing for so long has ended its turn: while one works its screen moves."""

ENTER_AFTER = 0.5
"""Seconds after which the enter key is pressed where the screen has not moved: one that comes together with the text is taken
for a part of it."""

PIECE = 4096

Told = Literal["told", "busy", "gone"]


async def tell(services: Services, record: HolderRecord, firing: str, text: str, *, wait: bool) -> Told:
    """Type ``text``; with ``wait`` only where the agent is at no turn.

    A line break would send off half of it, so there is none.
    """
    holders = services.holders
    if not (await holders.seen(record)).live:
        return "gone"
    try:
        _, end = holders.extent(record)
        if wait and await holders.wait(record, "output", cursor=end, timeout=QUIET_SECONDS):
            return "busy" if (await holders.seen(record)).live else "gone"
        for number, piece in enumerate(_pieces(" ".join(text.split()))):
            _, end = holders.extent(record)
            if not await _type(services, record, f"{firing}.{number}", piece):
                return "busy"
        await holders.wait(record, "output", cursor=end, timeout=ENTER_AFTER)
        return "told" if await _type(services, record, f"{firing}.enter", b"\r") else "busy"
    except Unreachable:
        return "gone"
    except Slow:
        return "busy"


async def _type(services: Services, record: HolderRecord, once: str, data: bytes) -> bool:
    """Whether there was room for it."""
    answer = await services.holders.ask(record, {"op": "write", "once": once}, data)
    return not answer["full"]


def _pieces(text: str) -> list[bytes]:
    data = text.encode("utf-8", "replace")
    return [data[start : start + PIECE] for start in range(0, len(data), PIECE)]
