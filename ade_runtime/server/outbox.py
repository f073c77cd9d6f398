"""Frames on their way to one client. What is said in one turn leaves in one piece: each write wakes the client, and that costs
more than a whole short call."""

from __future__ import annotations

import asyncio

PIECES = 8
"""Most frames that wait for more."""

LARGE = 16 * 1024
"""Bytes of a frame that waits for none, and is work."""


class Outbox:
    """Writes to a transport; ``put`` says whether more is about to come. ``heavy`` is whether the last frame was large."""

    __slots__ = ("_ahead", "_frames", "_loop", "_transport", "heavy")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._frames: list[bytes] = []
        self._ahead = False
        self.heavy = False

    def put(self, frame: bytes, *, more: bool, others: bool) -> None:
        """Write ``frame`` now, or together with what follows.

        With ``more`` requests of this client wait, and its answers with them; who says so calls :meth:`soon` when none wait any
        more. With ``others`` calls are under way, of which some may end at this very moment.
        """
        self._frames.append(frame)
        self.heavy = len(frame) >= LARGE
        if self.heavy or len(self._frames) >= PIECES or not (more or others):
            self.flush()
        elif not more:
            self.soon()

    def soon(self) -> None:
        """Write what is there once everything that is ready to go on has gone on."""
        if self._frames and not self._ahead:
            self._ahead = True
            self._loop.call_soon(self._due)

    def flush(self) -> None:
        """Write what is there."""
        if self._frames:
            frames, self._frames = self._frames, []
            if not self._transport.is_closing():
                self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def _due(self) -> None:
        self._ahead = False
        self.flush()
