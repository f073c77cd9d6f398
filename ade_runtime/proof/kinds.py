"""What a content is, told by its bytes and never by its name.

Sources: PNG (ISO/IEC 15948, 5.2 and 11.2.2), JPEG (ITU-T T.81, B.1), GIF89a (17, 18), the WebP container (RFC 9649), ISO base
media files (ISO/IEC 14496-12, 4.3), EBML (RFC 8794, 11.2.6) and PDF (ISO 32000-1, 7.5.2).
"""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from typing import Literal

Kind = Literal["png", "jpeg", "gif", "webp", "mp4", "webm", "pdf", "text", "json", "log"]

MEDIA_TYPES: dict[Kind, str] = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "pdf": "application/pdf",
    "text": "text/plain; charset=utf-8",
    "json": "application/json",
    "log": "text/plain; charset=utf-8",
}
TEXTS: tuple[Kind, ...] = ("text", "json", "log")
IMAGES: tuple[Kind, ...] = ("png", "jpeg", "gif", "webp")

HEAD = 64 * 1024
"""Bytes of the beginning that are looked at; a JPEG's size stands behind its metadata."""
LONGEST_JSON = 8 * 1024 * 1024
"""Bytes up to which a text is read whole to see whether it is JSON."""
_MP4_BRANDS = (
    b"isom",
    b"iso2",
    b"iso4",
    b"iso5",
    b"iso6",
    b"mp41",
    b"mp42",
    b"avc1",
    b"dash",
    b"M4V ",
    b"MSNV",
)
_CONTROLS = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n\r\f\x08\x1b")


@dataclass(frozen=True, slots=True)
class Size:
    """Of a picture, in pixels."""

    width: int
    height: int


def binary_kind(head: bytes) -> Kind | None:
    """The kind of a content that begins with ``head``; ``None`` where it is none of the binary ones."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp" and head[8:12] in _MP4_BRANDS:
        return "mp4"
    if head.startswith(b"\x1a\x45\xdf\xa3") and b"\x42\x82\x84webm" in head[:64]:
        return "webm"
    if head.startswith(b"%PDF-"):
        return "pdf"
    return None


class TextCheck:
    """Tells whether a content that is fed piece by piece is text: UTF-8 without control characters but those of terminals."""

    def __init__(self) -> None:
        self.is_text = True
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, data: bytes, *, final: bool = False) -> None:
        if not self.is_text:
            return
        try:
            self._decoder.decode(data, final)
        except UnicodeDecodeError:
            self.is_text = False
            return
        self.is_text = len(data.translate(None, _CONTROLS)) == len(data)


def text_kind(data: bytes | None, name: str) -> Kind:
    """What kind of text a content is: JSON where it is an object or a list, else a log where it is called one. ``data`` is the
    whole content, ``None`` where it is too long for JSON.
    """
    if data is not None and data.lstrip()[:1] in (b"{", b"["):
        try:
            json.loads(data)
        except (ValueError, RecursionError):
            pass
        else:
            return "json"
    return "log" if name.lower().endswith(".log") else "text"


def fits(wanted: Kind, found: Kind) -> bool:
    """Whether a content of kind ``found`` may be called ``wanted``: any text is a log or a text, nothing else is flexible."""
    return wanted == found or (wanted in ("text", "log") and found in TEXTS)


def picture_size(kind: Kind, head: bytes) -> Size | None:
    """Width and height of a picture, where its beginning tells them."""
    if kind == "png" and len(head) >= 24:
        return _positive(int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))
    if kind == "gif" and len(head) >= 10:
        return _positive(int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little"))
    if kind == "webp" and len(head) >= 30:
        return _webp_size(head)
    return _jpeg_size(head) if kind == "jpeg" else None


def _webp_size(head: bytes) -> Size | None:
    form = head[12:16]
    if form == b"VP8X":
        return _positive(1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little"))
    if form == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return _positive(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if form == b"VP8 ":
        return _positive(
            int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
        )
    return None


def _jpeg_size(head: bytes) -> Size | None:
    """From the frame header: the first SOF marker, which no entropy-coded data comes before."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _positive(
                int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
            )
        else:
            at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def _positive(width: int, height: int) -> Size | None:
    return Size(width, height) if width > 0 and height > 0 else None
