"""Bytes of a file as text and back: encoding, line ends and the end of the last line, as the file has them."""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass
from typing import Literal

Encoding = Literal["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be", "latin-1", "binary"]
Newline = Literal["lf", "crlf", "cr", "mixed", "none"]

MARKS: dict[str, bytes] = {
    "utf-8-bom": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
"""What a file in an encoding begins with."""
SNIFFED = 8000
"""Bytes in which a NUL means binary; git looks at as many."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_ENDS: dict[str, str] = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is written. ``guessed`` tells that the bytes are no UTF-8, so that the encoding is no more than a guess."""

    encoding: Encoding
    newline: Newline
    final_newline: bool
    guessed: bool = False

    @property
    def binary(self) -> bool:
        return self.encoding == "binary"

    @property
    def mark(self) -> bytes:
        return MARKS.get(self.encoding, b"")

    @property
    def codec(self) -> str:
        return codec_of(self.encoding)


def codec_of(encoding: str) -> str:
    """Python's codec for the bytes behind the mark."""
    return "utf-8" if encoding == "utf-8-bom" else encoding


def hash_of(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def encoding_of(data: bytes, *, whole: bool) -> Encoding:
    """The encoding of a file that begins with ``data``, or is ``data`` when ``whole``."""
    for name in ("utf-8-bom", "utf-16-le", "utf-16-be"):
        if data.startswith(MARKS[name]):
            return _checked(data, name, whole)
    if b"\0" in data[:SNIFFED]:
        return "binary"
    return _checked(data, "utf-8", whole)


def _checked(data: bytes, name: str, whole: bool) -> Encoding:
    decoder = codecs.getincrementaldecoder(codec_of(name))()
    try:
        decoder.decode(data[len(MARKS.get(name, b"")) :], final=whole)
    except UnicodeDecodeError:
        return "binary" if name.startswith("utf-16") else "latin-1"
    return name  # type: ignore[return-value]


def style_of(data: bytes, *, whole: bool = True) -> Style:
    """How ``data`` is written; all of a file, or its beginning when not ``whole``."""
    encoding = encoding_of(data, whole=whole)
    if encoding == "binary":
        return Style(encoding, "none", final_newline=False)
    text = decode(data, encoding)
    return Style(encoding, newline_of(text), text.endswith(("\n", "\r")), guessed=encoding == "latin-1")


def decode(data: bytes, encoding: str) -> str:
    """The text behind the mark; bytes that do not fit become U+FFFD."""
    return data.removeprefix(MARKS.get(encoding, b"")).decode(codec_of(encoding), "replace")


def encode(text: str, encoding: str) -> bytes:
    """Raises :class:`UnicodeEncodeError` for characters that the encoding does not have."""
    return MARKS.get(encoding, b"") + text.encode(codec_of(encoding))


def newline_of(text: str) -> Newline:
    """What ends the lines of ``text``."""
    crlf = text.count("\r\n")
    lf, cr = text.count("\n") - crlf, text.count("\r") - crlf
    used: list[Newline] = [name for name, count in (("lf", lf), ("crlf", crlf), ("cr", cr)) if count]  # type: ignore[misc]
    return used[0] if len(used) == 1 else "mixed" if used else "none"


def with_ends(text: str, newline: str) -> str:
    """``text`` with every line ended that way; ``mixed`` and ``none`` say nothing and change nothing."""
    end = _ENDS.get(newline)
    return text if end is None else _LINE_END.sub(lambda _: end, text)


def fitted(text: str, old: Style) -> tuple[str, list[str]]:
    """``text`` with line ends and last line as the file had them, and what was done to it in words."""
    notes = []
    made = with_ends(text, old.newline)
    if made != text:
        notes.append(
            f"Its lines end in {old.newline.upper()} as before; write with newline exact to change that."
        )
    end = _ENDS.get(old.newline, "\n")
    if made and old.newline != "none" and made.endswith(("\n", "\r")) != old.final_newline:
        made = made + end if old.final_newline else made.removesuffix(end)
        what = "ends" if old.final_newline else "does not end"
        notes.append(
            f"Its last line {what} with a line end, as before; write with newline exact to change that."
        )
    return made, notes
