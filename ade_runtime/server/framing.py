"""Bytes in, frames out. Two framings share a connection and may alternate from frame to frame.

A *line* frame ends at a newline (CRLF is fine, blank lines are skipped). A *header* frame begins with lines like
``Content-Length: 40``, a blank line, then exactly that many bytes; the reply uses the framing of its request.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

FRAME_LIMIT = 8 * 1024 * 1024
HEADER_LIMIT = 8 * 1024
_HEADER_START = b"content-"


@dataclass(slots=True)
class Frame:
    """One message as it came, never changed: ``headed`` tells which framing its reply must use."""

    body: bytes
    headed: bool


class Fault(Enum):
    """What can be wrong with framing itself. After ``BAD_HEADER`` the connection cannot be read any further."""

    TOO_LARGE = auto()
    BAD_HEADER = auto()


class FrameReader:
    """Splits a byte stream into frames with bounded memory.

    A line beyond ``limit`` is reported once as ``TOO_LARGE``, and its rest is dropped up to the newline, so the connection
    stays usable. A headed frame beyond it is skipped by its length in the same way.
    """

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._scanned = 0
        self._body_length: int | None = None
        self._skip = 0
        self._skipping_line = False
        self._broken = False

    def feed(self, data: bytes) -> list[Frame | Fault]:
        """Frames and faults completed by ``data``, in order."""
        if self._broken:
            return []
        if not self._buffer and self._idle() and data.endswith(b"\n") and len(data) <= self._limit:
            whole = self._whole_lines(data)
            if whole is not None:
                return whole
        self._buffer += data
        found: list[Frame | Fault] = []
        while not self._broken and self._step(found):
            pass
        return found

    def _idle(self) -> bool:
        return self._body_length is None and not self._skip and not self._skipping_line

    @staticmethod
    def _whole_lines(data: bytes) -> list[Frame | Fault] | None:
        """The usual case, complete lines and no header among them; ``None`` for every other."""
        first = data[:1]
        if first not in (b"{", b"["):
            return None
        if data.count(b"\n") == 1:
            return [Frame(data, False)]
        lines = data.split(b"\n")
        if any(line[:1].lower() == b"c" for line in lines):
            return None
        return [Frame(line, False) for line in lines if not line.isspace() and line]

    def _step(self, found: list[Frame | Fault]) -> bool:
        """Take one thing off the buffer; false when it needs more bytes first."""
        if self._skip:
            dropped = min(self._skip, len(self._buffer))
            del self._buffer[:dropped]
            self._skip -= dropped
            return not self._skip
        if self._body_length is not None:
            return self._take_body(self._body_length, found)
        if self._skipping_line:
            return self._skip_line()
        if not self._buffer:
            return False
        if self._at_header():
            return self._take_header(found)
        return self._take_line(found)

    def _at_header(self) -> bool:
        start = bytes(self._buffer[: len(_HEADER_START)]).lower()
        return start[:1] == b"c" and _HEADER_START.startswith(start)

    def _take_line(self, found: list[Frame | Fault]) -> bool:
        end = self._buffer.find(b"\n", self._scanned)
        if end < 0:
            if len(self._buffer) > self._limit:
                found.append(Fault.TOO_LARGE)
                self._buffer.clear()
                self._skipping_line = True
            self._scanned = len(self._buffer)
            return False
        line = None if end > self._limit else self._copy(end)
        del self._buffer[: end + 1]
        self._scanned = 0
        if line is None:
            found.append(Fault.TOO_LARGE)
        elif line and not line.isspace():
            found.append(Frame(line, False))
        return True

    def _copy(self, length: int) -> bytes:
        """The start of the buffer, copied once: a slice of a large one would be a copy of its own."""
        with memoryview(self._buffer) as whole:
            return bytes(whole[:length])

    def _skip_line(self) -> bool:
        end = self._buffer.find(b"\n")
        if end < 0:
            self._buffer.clear()
            return False
        del self._buffer[: end + 1]
        self._skipping_line = False
        return True

    def _take_header(self, found: list[Frame | Fault]) -> bool:
        end, size = self._header_end()
        if end < 0:
            if len(self._buffer) > HEADER_LIMIT:
                return self._break(found)
            return False
        length = _content_length(bytes(self._buffer[:end]))
        if length is None:
            return self._break(found)
        del self._buffer[: end + size]
        if length > self._limit:
            found.append(Fault.TOO_LARGE)
            self._skip = length
        else:
            self._body_length = length
        return True

    def _header_end(self) -> tuple[int, int]:
        """Where the blank line after the headers begins and how long the separator is; -1 when it is not there yet."""
        candidates = [
            (at, len(mark)) for mark in (b"\r\n\r\n", b"\n\n") if (at := self._buffer.find(mark)) >= 0
        ]
        return min(candidates, default=(-1, 0))

    def _take_body(self, length: int, found: list[Frame | Fault]) -> bool:
        if len(self._buffer) < length:
            return False
        found.append(Frame(self._copy(length), True))
        del self._buffer[:length]
        self._body_length = None
        return True

    def _break(self, found: list[Frame | Fault]) -> bool:
        found.append(Fault.BAD_HEADER)
        self._buffer.clear()
        self._broken = True
        return False


def _content_length(block: bytes) -> int | None:
    """The one ``Content-Length`` of a header block, ``None`` when it is missing, repeated or no plain number."""
    lengths = []
    for line in block.splitlines():
        name, colon, value = line.partition(b":")
        if not colon:
            return None
        if name.strip().lower() == b"content-length":
            lengths.append(value.strip())
    if len(lengths) != 1 or not lengths[0].isdigit() or len(lengths[0]) > 18:
        return None
    return int(lengths[0])


def encode(body: bytes, *, headed: bool) -> bytes:
    """``body`` as one frame. It holds no raw newline: JSON text escapes them."""
    if headed:
        return b"Content-Length: %d\r\n\r\n" % len(body) + body
    return body + b"\n"
