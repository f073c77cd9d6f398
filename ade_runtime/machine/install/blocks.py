"""Our marked block of lines in a file that belongs to somebody else, put in and taken out to the byte.

Everything that removing needs to know stands in the block's own first line: whether the file is there only because of the
block, and whether the line before it had no end and was given one. Files are bytes here: their encoding and line ends are
their owner's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FIRST = "# >>> ade >>>"
LAST = "# <<< ade <<<"
NEW_FILE = " (new file)"
LINE_ENDED = " (line end added)"


class DamagedBlockError(Exception):
    """The marks in a file do not fit each other, so nobody can say what lies between them. The text says what is wrong."""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    note: str
    body: bytes


def put(data: bytes | None, lines: str) -> bytes:
    """``data`` (``None``: there is no file) with a block of ``lines`` at its end, or in the place of an older block."""
    found = _find(data or b"")
    if found is not None:
        assert data is not None
        return data[: found.start] + _block(lines, found.note) + data[found.end :]
    if data is None:
        return _block(lines, NEW_FILE)
    if not data or data.endswith(b"\n"):
        return data + _block(lines, "")
    return data + b"\n" + _block(lines, LINE_ENDED)


def take(data: bytes) -> bytes | None:
    """``data`` as it was before :func:`put`; ``None`` where the file should be gone with the block."""
    found = _find(data)
    if found is None:
        return data
    before, after = data[: found.start], data[found.end :]
    if found.note == NEW_FILE and not before and not after:
        return None
    if found.note == LINE_ENDED and not after:
        before = before.removesuffix(b"\n")
    return before + after


def body(data: bytes) -> bytes | None:
    """The lines of the block in ``data``, ``None`` where there is none."""
    found = _find(data)
    return None if found is None else found.body


def _block(lines: str, note: str) -> bytes:
    return f"{FIRST}{note}\n{lines.rstrip()}\n{LAST}\n".encode("utf-8", "surrogateescape")


def _find(data: bytes) -> _Found | None:
    first, last, *notes = (re.escape(mark.encode()) for mark in (FIRST, LAST, NEW_FILE, LINE_ENDED))
    opened = list(re.finditer(rb"^%b(%b)?\r?$\n?" % (first, b"|".join(notes)), data, re.MULTILINE))
    closed = list(re.finditer(rb"^%b\r?$\n?" % last, data, re.MULTILINE))
    if not opened and not closed:
        return None
    if len(opened) != 1 or len(closed) != 1 or opened[0].end() > closed[0].start():
        lines = ", ".join(str(data.count(b"\n", 0, one.start()) + 1) for one in (*opened, *closed))
        raise DamagedBlockError(f"has marks of ade (lines {lines}) that do not fit each other")
    inside = data[opened[0].end() : closed[0].start()]
    return _Found(opened[0].start(), closed[0].end(), (opened[0][1] or b"").decode(), inside)
