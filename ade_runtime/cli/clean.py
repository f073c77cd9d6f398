"""Making data safe to print: a name or a commit message must not drive the reader's terminal."""

from __future__ import annotations

import re
import unicodedata

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """``text`` with control characters, direction overrides and lone surrogates shown as escapes; tabs and newlines stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_shown, text)


def clean_line(text: str) -> str:
    """Like :func:`clean`, on one line."""
    return clean(text).replace("\n", "\\n").replace("\t", " ")


def cells(text: str) -> int:
    """How many columns of a terminal ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
