"""What a terminal printed as plain text: without control sequences, with lines as they were last overwritten."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    "\x1b(?:"
    "\\[[0-?]*[ -/]*[@-~]"  # CSI: colours, the cursor, modes
    "|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)"  # OSC: titles, links
    "|[PX^_][^\x1b]*\x1b\\\\"  # strings meant for the terminal itself
    "|[ -/]*[0-~]"  # everything else of two or three characters
    ")"
)
_UNFINISHED = re.compile("\x1b(?:\\[[0-?]*[ -/]*|\\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)?$")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_STRUCK = re.compile("[^\x08\n]\x08")

UNFINISHED_LIMIT = 4096
"""Longest sequence that is waited for; a longer one is no sequence."""


def whole(data: bytes) -> int:
    """How many bytes of ``data`` are there without an unfinished character or control sequence at their end."""
    length = len(data) - _cut_character(data)
    start = data.find(b"\x1b", max(0, length - UNFINISHED_LIMIT), length)
    while start >= 0:
        if _UNFINISHED.fullmatch(data[start:length].decode("utf-8", "replace")):
            return start
        start = data.find(b"\x1b", start + 1, length)
    return length


def first_character(data: bytes) -> int:
    """How many bytes at the start belong to a character that began before them."""
    count = 0
    while count < min(3, len(data)) and data[count] & 0xC0 == 0x80:
        count += 1
    return count


def raw(data: bytes) -> str:
    """The text as it was printed, control sequences included."""
    return data.decode("utf-8", "replace")


def plain(data: bytes) -> str:
    """The text alone. Of a line that was printed over, as progress bars do, the last state stays."""
    text = _ESCAPE.sub("", raw(data)).replace("\r\n", "\n")
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if "\r" in line:
        line = next((part for part in reversed(line.split("\r")) if part), "")
    while "\x08" in line:
        shorter = _STRUCK.sub("", line, count=1)
        line = shorter if shorter != line else line.replace("\x08", "")
    return _CONTROL.sub("", line)


def _cut_character(data: bytes) -> int:
    """How many bytes at the end are the beginning of a character."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        length = 2 if byte & 0xE0 == 0xC0 else 3 if byte & 0xF0 == 0xE0 else 4 if byte & 0xF8 == 0xF0 else 1
        return back if length > back else 0
    return 0
