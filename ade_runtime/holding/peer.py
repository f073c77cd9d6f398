"""One connection to the holder: lines of JSON, each followed by as many bytes as its ``size`` says, in both directions.

Nothing is kept for a slow reader but its cursor: what it has yet to see is read from the output's files when it can take more.
"""

from __future__ import annotations

import os

from ade_runtime.client.wire import Socket, decode, encode
from ade_runtime.holding import output
from ade_runtime.holding.command import CHUNK

LINE_LIMIT = 4096
PAYLOAD_LIMIT = 65536


class Broken(Exception):
    """The other end has gone, or does not speak the protocol."""


class Peer:
    """``cursor`` is how far an attached one has seen the output, ``None`` for others. ``waits`` is a question whose answer is
    not there yet. One that is ``held_back`` is not heard until the command has read what was typed."""

    def __init__(self, connection: Socket) -> None:
        self.connection = connection
        self.descriptor = connection.fileno()
        self.cursor: int | None = None
        self.waits: dict[str, object] | None = None
        self._read = bytearray()
        self._unsent = bytearray()
        self.told_end = False
        self.held_back = False

    @property
    def busy(self) -> bool:
        """Whether something is still to be sent."""
        return bool(self._unsent)

    def receive(self) -> None:
        """Take in what has come; raises :class:`Broken`."""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            raise Broken from None
        if not data:
            raise Broken
        self._read += data

    def next(self) -> tuple[dict[str, object], bytes] | None:
        """The next request that is there as a whole, with its bytes."""
        end = self._read.find(b"\n")
        if end < 0:
            if len(self._read) > LINE_LIMIT:
                raise Broken
            return None
        try:
            request = decode(bytes(self._read[:end]))
        except (ValueError, StopIteration):
            raise Broken from None
        size = request.get("size", 0)
        if not isinstance(size, int) or not 0 <= size <= PAYLOAD_LIMIT:
            raise Broken
        if len(self._read) < end + 1 + size:
            return None
        payload = bytes(self._read[end + 1 : end + 1 + size])
        del self._read[: end + 1 + size]
        return request, payload

    def answer(self, document: dict[str, object], payload: bytes = b"") -> None:
        if payload:
            document["size"] = len(payload)
        self._unsent += (encode(document) + "\n").encode() + payload
        self.send()

    def show(self, folder: str, end: int) -> None:
        """Send an attached peer what it has not seen, as much as it takes now."""
        while self.cursor is not None and self.cursor < end and not self._unsent:
            start, data = output.read(folder, self.cursor, CHUNK)
            if not data:
                start = end  # nothing of it is left
            gone, self.cursor = start - self.cursor, start + len(data)
            self.answer({"output": True, "dropped": gone}, data)

    def send(self) -> None:
        """Send what can be sent without waiting; raises :class:`Broken`."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self.descriptor, self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            raise Broken from None

    def close(self) -> None:
        self.connection.close()
