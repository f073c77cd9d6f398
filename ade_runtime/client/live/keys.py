"""Keys out of the bytes that a terminal sends."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
_PASTE, _PASTE_END = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_NAMES = {
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\r": "enter",
    "\n": "enter",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "interrupt",
    "\x04": "end",
    "\x0c": "redraw",
    "\x15": "clear",
    "\x17": "word",
}
ESCAPE_SECONDS = 0.05
"""How long an escape may wait for the rest of a sequence before it is the key itself."""


class Keys:
    """Reads along; a sequence or a letter may be cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""

    @property
    def waiting(self) -> bool:
        """Whether an escape waits for what may follow it."""
        return self._text.startswith("\x1b") and not self._text.startswith(_PASTE)

    def read(self, data: bytes) -> Iterator[tuple[str, str]]:
        """``(key, "")`` for a key with a name, ``("text", letters)`` for what is typed or pasted."""
        self._text += self._decoder.decode(data)
        yield from self._split(last=False)

    def flush(self) -> Iterator[tuple[str, str]]:
        """What waited for more that did not come."""
        yield from self._split(last=True)

    def _split(self, *, last: bool) -> Iterator[tuple[str, str]]:
        while self._text:
            if self._text.startswith(_PASTE):
                pasted, end, rest = self._text[len(_PASTE) :].partition(_PASTE_END)
                if not end:
                    return
                self._text = rest
                yield "text", pasted.replace("\r\n", "\n").replace("\r", "\n")
                continue
            found = _SEQUENCE.match(self._text)
            if found is not None:
                self._text = self._text[found.end() :]
                if found[0] in _NAMES:
                    yield _NAMES[found[0]], ""
                continue
            if self._text.startswith("\x1b") and not last and self._incomplete():
                return
            letter, self._text = self._text[0], self._text[1:]
            if letter in _NAMES:
                yield _NAMES[letter], ""
            elif letter.isprintable():
                yield "text", letter

    def _incomplete(self) -> bool:
        rest = self._text[1:]
        return not rest or rest[0] in "[O"
