"""Bytes of git's as text and back.

A path is shown as it is when it is valid UTF-8. One that is not, or that begins with a double quote, is
shown the way git quotes it: in double quotes, backslash escapes, other bytes as three octal digits
(``"caf\\351.txt"``). The two forms never meet, so :func:`read_path` gives back exactly the bytes that
:func:`show_path` was given.
"""

from __future__ import annotations

import re

_ESCAPES = {
    0x07: "\\a",
    0x08: "\\b",
    0x09: "\\t",
    0x0A: "\\n",
    0x0B: "\\v",
    0x0C: "\\f",
    0x0D: "\\r",
    0x22: '\\"',
    0x5C: "\\\\",
}
_LETTERS = {text[1]: byte for byte, text in _ESCAPES.items()}
_QUOTED = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_PASSWORD = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s@]*@")


def show_path(path: bytes) -> str:
    """A path as text, without loss; see the module's docstring."""
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return _quote(path)
    return _quote(path) if text.startswith('"') else text


def read_path(text: str) -> bytes:
    """The bytes of a path that a caller wrote; raises :class:`ValueError` for a quoted form that is not
    one."""
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        return text.encode("utf-8")
    inner = text[1:-1]
    if '"' in _QUOTED.sub("", inner) or "\\" in _QUOTED.sub("", inner):
        raise ValueError("its quoting is not git's")
    out = bytearray()
    position = 0
    for match in _QUOTED.finditer(inner):
        out += inner[position : match.start()].encode("utf-8")
        out.append(_byte_of(match.group(1)))
        position = match.end()
    out += inner[position:].encode("utf-8")
    return bytes(out)


def show_text(text: bytes) -> str:
    """A message, a name or output of a program: bytes that are not UTF-8 become U+FFFD."""
    return text.decode("utf-8", "replace")


def redact(text: str) -> str:
    """``text`` without the user and password part of any URL in it."""
    return _PASSWORD.sub(r"\1", text)


def _quote(path: bytes) -> str:
    return (
        '"' + "".join(_ESCAPES.get(b) or (chr(b) if 0x20 <= b < 0x7F else f"\\{b:03o}") for b in path) + '"'
    )


def _byte_of(escape: str) -> int:
    if len(escape) == 3:
        return int(escape, 8)
    try:
        return _LETTERS[escape]
    except KeyError:
        raise ValueError("its quoting is not git's") from None
