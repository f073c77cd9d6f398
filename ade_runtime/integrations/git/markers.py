"""Conflict markers that are left in files."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

READ_LIMIT = 16 * 1024 * 1024
_MARKER = re.compile(rb"^<{7,}(?: .*)?\r?$", re.MULTILINE)
_END = re.compile(rb"^>{7,}(?: .*)?\r?$", re.MULTILINE)


def count_markers(worktree: Path, path: bytes) -> int | None:
    """How many conflicts are still marked in a regular file; ``None`` when it is none or too large to look
    into.

    A conflict is marked when both its first and its last line are there, so that a lone ``<<<<<<<`` of an
    article about git does not count.
    """
    full = os.path.join(os.fsencode(worktree), path)  # noqa: PTH118  (paths of git's are bytes)
    try:
        descriptor = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > READ_LIMIT:
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(READ_LIMIT)
    finally:
        os.close(descriptor)
    return min(len(_MARKER.findall(data)), len(_END.findall(data)))
