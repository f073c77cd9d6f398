"""Reading open files, never more than was agreed."""

from __future__ import annotations

import os

from ade_runtime.workspace.problems import TooLarge

CHUNK = 1024 * 1024


def read_all(fd: int, limit: int, text: str) -> bytes:
    """The whole file; raises :class:`TooLarge` past ``limit`` bytes, also where it grows while it is read."""
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := os.read(fd, min(left, CHUNK))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise TooLarge(text, max(os.fstat(fd).st_size, limit + 1), limit)
    return b"".join(parts)


def read_at(fd: int, offset: int, count: int) -> bytes:
    """Up to ``count`` bytes from ``offset`` on, fewer only at the end of the file."""
    parts: list[bytes] = []
    while count > 0 and (part := os.pread(fd, min(count, CHUNK), offset)):
        parts.append(part)
        offset += len(part)
        count -= len(part)
    return b"".join(parts)
