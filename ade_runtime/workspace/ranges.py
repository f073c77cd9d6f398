"""A part of a file, by lines or by bytes, however large the file is."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass, replace

from ade_runtime.workspace.problems import TooLarge
from ade_runtime.workspace.reading import CHUNK, read_all, read_at
from ade_runtime.workspace.text import Style, decode, hash_of, style_of

WHOLE = 32 * 1024 * 1024
"""Files up to this are read whole: hashed, counted and decoded without a guess."""
REACH = 64 * 1024 * 1024
"""How far into a larger file lines are counted."""
_SAMPLE = 64 * 1024
_BYTES = re.compile(rb"\r\n|\r|\n")
_ENDS = {
    "utf-8": _BYTES,
    "utf-8-bom": _BYTES,
    "latin-1": _BYTES,
    "binary": _BYTES,
    "utf-16-le": re.compile(rb"\r\0\n\0|\r\0|\n\0"),
    "utf-16-be": re.compile(rb"\0\r\0\n|\0\r|\0\n"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """``data`` are the file's own bytes from ``offset`` on. Lines are counted from 1; ``start_line`` is ``None`` for a part by
    bytes, ``total_lines`` where the end of the file was not seen, ``hash`` for a file past :data:`WHOLE`."""

    data: bytes
    style: Style
    size: int
    hash: str | None
    offset: int
    start_line: int | None
    end_line: int | None
    total_lines: int | None

    @property
    def end(self) -> int:
        return self.offset + len(self.data)

    @property
    def truncated(self) -> bool:
        return self.end < self.size

    @property
    def text(self) -> str:
        """The part as text; empty for a binary file. Characters cut at its ends by their bytes become U+FFFD."""
        if self.style.binary:
            return ""
        data = self.data.removeprefix(self.style.mark) if self.offset == 0 else self.data
        return data.decode(self.style.codec, "replace")


def lines_part(fd: int, text: str, start: int, count: int | None, most: int) -> Part:
    """Up to ``count`` lines from line ``start`` on, and up to ``most`` bytes, cut behind a line where one fits.

    Raises :class:`TooLarge` where the line is not within :data:`REACH` of a file past :data:`WHOLE`.
    """
    size = os.fstat(fd).st_size
    if size <= WHOLE:
        data = read_all(fd, WHOLE, text)
        style = style_of(data)
        return _of_whole(data, style, start, count, most)
    style = _style_of_large(fd, size)
    if style.binary:
        return Part(read_at(fd, 0, most), style, size, None, 0, None, None, None)
    first = _offset_of_line(fd, style, start, text, size)
    piece = read_at(fd, first, most)
    piece, seen = _lines_of(piece, style, count, first + len(piece) < size)
    return Part(piece, style, size, None, first, start, start + seen - 1, None)


def bytes_part(fd: int, text: str, offset: int, most: int) -> Part:
    """Up to ``most`` bytes from ``offset`` on; of a text none that belong to a character cut at the end."""
    size = os.fstat(fd).st_size
    if size <= WHOLE:
        data = read_all(fd, WHOLE, text)
        style, hash_, size = style_of(data), hash_of(data), len(data)
        piece = data[offset : offset + most]
    else:
        style, hash_ = _style_of_large(fd, size), None
        piece = read_at(fd, offset, most)
    if not style.binary and offset + len(piece) < size:
        piece = _whole_characters(piece, style)
    return Part(piece, style, size, hash_, offset, None, None, None)


def _style_of_large(fd: int, size: int) -> Style:
    """How a file is written, from its beginning and its end."""
    style = style_of(read_at(fd, 0, _SAMPLE), whole=False)
    if style.binary:
        return style
    end = read_at(fd, size - _step(style), _step(style))
    return replace(style, final_newline=end.decode(style.codec, "replace") in ("\n", "\r"))


def _of_whole(data: bytes, style: Style, start: int, count: int | None, most: int) -> Part:
    hash_, size = hash_of(data), len(data)
    if style.binary:
        piece = data[:most]
        return Part(piece, style, size, hash_, 0, None, None, None)
    ends = _line_ends(data, style)
    total = len(ends)
    first = ends[start - 2] if 1 < start <= total else 0 if start == 1 else size
    last = min(total, start - 1 + (count or total))
    stop = size if last == total else ends[last - 1]
    if stop - first > most:
        fitting = [end for end in ends[start - 1 : last] if end - first <= most]
        piece = data[first : fitting[-1]] if fitting else _start_of_line(data[first : first + most], style)
        last = start + max(len(fitting), 1) - 1
    else:
        piece = data[first:stop]
    return Part(piece, style, size, hash_, first, start, max(last, start - 1), total)


def _line_ends(data: bytes, style: Style) -> list[int]:
    """Offsets behind each line; a last line without an end counts."""
    step = _step(style)
    ends = [found.end() for found in _ENDS[style.encoding].finditer(data) if found.start() % step == 0]
    place = ends[-1] if ends else 0
    if place < len(data) and data[place:] != style.mark:
        ends.append(len(data))
    return ends


def _step(style: Style) -> int:
    """Bytes of one unit. A match that begins within a unit covers no beginning of a line end, so none is missed."""
    return 2 if style.encoding.startswith("utf-16") else 1


def _find(data: bytes, unit: bytes, place: int, step: int) -> int | None:
    while (found := data.find(unit, place)) >= 0:
        if found % step == 0:
            return found
        place = found + 1
    return None


def _offset_of_line(fd: int, style: Style, line: int, text: str, size: int) -> int:
    """Where a line begins in a file too large to be read whole; only LF counts there."""
    step, newline = _step(style), "\n".encode(style.codec)
    left, offset = line - 1, 0
    while left and offset < min(size, REACH):
        chunk = read_at(fd, offset, CHUNK)
        if not chunk:
            return offset
        place = 0
        while left and (found := _find(chunk, newline, place, step)) is not None:
            left, place = left - 1, found + step
        if not left:
            return offset + place
        offset += len(chunk)
    if left and offset < size:
        raise TooLarge(text, size, REACH)
    return offset


def _lines_of(piece: bytes, style: Style, count: int | None, cut: bool) -> tuple[bytes, int]:
    """As many lines of ``piece`` as are whole and asked for, and how many they are."""
    ends = _line_ends(piece, style)
    if cut and len(ends) > 1 and decode(piece, style.encoding)[-1:] not in ("\n", "\r"):
        ends.pop()
    ends = ends[:count] if count else ends
    if cut and len(ends) == 1 and ends[0] == len(piece):
        return _start_of_line(piece, style), 1
    return piece[: ends[-1]] if ends else b"", len(ends)


def _start_of_line(piece: bytes, style: Style) -> bytes:
    """The start of a line that does not fit, without a character or a line end that is cut."""
    piece = _whole_characters(piece, style)
    carriage = "\r".encode(style.codec)
    return piece.removesuffix(carriage) if len(piece) > len(style.mark + carriage) else piece


def _whole_characters(piece: bytes, style: Style) -> bytes:
    """``piece`` without the bytes of a character that is cut at its end."""
    if style.binary or style.encoding == "latin-1":
        return piece
    decoder = codecs.getincrementaldecoder(style.codec)("replace")
    decoder.decode(piece)
    left = decoder.getstate()[0]
    return piece[: len(piece) - len(left)] if len(left) < len(piece) else piece
