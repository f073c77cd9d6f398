"""The modes that a program in a terminal switched on, and what switches them off when the terminal is left before it ends."""

from __future__ import annotations

import re

_MODE = re.compile(rb"\x1b\[\?([0-9;]{1,60})([hl])")
_KEPT = 64
_NORMAL_ON = frozenset([7, 25])
"""Wrapping and the cursor: on in a terminal that nobody changed. All other modes here are off."""

_KNOWN = frozenset(
    [1, 7, 9, 25, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1048, 1049, 2004, 2026, 2031]
)
_RESET = b"\x1b[0m\x1b>\x1b[<u\x1b(B"
"""Plain letters, the keypad for digits, no telling keys apart, the character set everybody has."""


class Modes:
    """Reads along with what is printed."""

    def __init__(self) -> None:
        self._changed: dict[int, bool] = {}
        self._tail = b""
        self._any = False

    def note(self, data: bytes) -> None:
        """Read what is printed next; a sequence may be cut anywhere."""
        text = self._tail + data
        self._any = self._any or b"\x1b" in data
        for found in _MODE.finditer(text):
            for word in found[1].split(b";"):
                if word and len(word) < 6 and int(word) in _KNOWN:
                    self._changed[int(word)] = found[2] == b"h"
        self._tail = text[-_KEPT:]

    def undo(self) -> bytes:
        """What brings the terminal back to what it was."""
        parts = [
            b"\x1b[?%d%c" % (mode, b"h" if mode in _NORMAL_ON else b"l")
            for mode, on in self._changed.items()
            if on != (mode in _NORMAL_ON)
        ]
        return b"".join(parts) + _RESET if self._any else b""
