"""What a command printed, in files of bounded size: ``out.<offset of their first byte>``.

A cursor is an offset into everything the command ever printed. Files that were let go, and bytes that could not be written,
leave a gap in the offsets, so a reader always learns how many bytes it missed.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # typing itself costs more than this module
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "out."


class Output:
    """Appends to the newest file and lets the oldest go. ``end`` is the offset after the last byte."""

    def __init__(self, folder: str, segment: int, keep: int) -> None:
        self._folder = folder
        self._segment = segment
        self._keep = keep
        self._descriptor = -1
        self._size = 0
        self.end = 0

    def write(self, data: bytes) -> None:
        """Append; what the file system refuses is counted as dropped, and never ends the command."""
        view = memoryview(data)
        while view:
            if self._descriptor >= 0 and self._size >= self._segment:
                self._close()
            try:
                if self._descriptor < 0:
                    self._open()
                written = os.write(self._descriptor, view[: self._segment - self._size])
            except OSError:
                self._close()
                self.end += len(view)
                return
            self._size += written
            self.end += written
            view = view[written:]

    def _open(self) -> None:
        path = f"{self._folder}/{_PREFIX}{self.end:020d}"
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._size = 0
        for start in segments(self._folder)[: -self._keep]:
            os.unlink(_path(self._folder, start))  # noqa: PTH108 - pathlib would double what this program needs

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1


def segments(folder: str) -> list[int]:
    """First offsets of the files there are, in order."""
    names = (name[len(_PREFIX) :] for name in os.listdir(folder) if name.startswith(_PREFIX))  # noqa: PTH208
    return sorted(int(name) for name in names if name.isdigit())


def extent(folder: str) -> tuple[int, int]:
    """Offsets of the first byte that is still there and of the one after the last; ``(0, 0)`` where nothing is."""
    try:
        found = segments(folder)
        if not found:
            return 0, 0
        return found[0], found[-1] + os.stat(_path(folder, found[-1])).st_size  # noqa: PTH116
    except FileNotFoundError:
        return (0, 0) if not os.path.isdir(folder) else extent(folder)  # noqa: PTH112


def read(folder: str, cursor: int, limit: int) -> tuple[int, bytes]:
    """At most ``limit`` bytes from ``cursor`` on, and the offset of the first of them, which is later where bytes are gone."""
    data, start = b"", cursor
    for offset, part in _parts(folder, cursor, limit):
        if data and offset != start + len(data):
            break
        if not data:
            start = offset
        data += part
    return start, data


def _parts(folder: str, cursor: int, limit: int) -> Iterator[tuple[int, bytes]]:
    try:
        found = segments(folder)
    except FileNotFoundError:
        return
    for place, start in enumerate(found):
        if place + 1 < len(found) and found[place + 1] <= cursor:
            continue
        try:
            descriptor = os.open(_path(folder, start), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:  # let go of meanwhile: the next one tells how much is missing
            continue
        try:
            part = os.pread(descriptor, limit, max(cursor - start, 0))
        finally:
            os.close(descriptor)
        if part:
            cursor = max(cursor, start)
            yield cursor, part
            cursor += len(part)
            limit -= len(part)
        if limit <= 0:
            return


def _path(folder: str, start: int) -> str:
    return f"{folder}/{_PREFIX}{start:020d}"
