"""Telling whether a process is still the one it was: a pid alone is reused, so its start time goes with it."""

from __future__ import annotations

import os
from functools import cache


def mark_of(pid: int) -> str | None:
    """``pid:start`` of a running process, ``None`` when there is none. The start is in the kernel's own unit."""
    start = _start_of(pid)
    return None if start is None else f"{pid}:{start}"


def own_mark() -> str:
    """The mark of this process."""
    return _own_mark(os.getpid())


def is_running(mark: str) -> bool:
    """Whether the process that had this mark still runs."""
    pid, _, _ = mark.partition(":")
    return pid.isdigit() and mark_of(int(pid)) == mark


@cache
def _own_mark(pid: int) -> str:
    return mark_of(pid) or f"{pid}:0"


def _start_of(pid: int) -> str | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123 - hot enough to matter
            text = stat.read()
    except FileNotFoundError:
        if os.path.isdir("/proc/self"):  # noqa: PTH112
            return None
        return _start_without_proc(pid)
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].split()
    return None if fields[0] in (b"Z", b"X") else fields[19].decode()


def _start_without_proc(pid: int) -> str | None:
    import psutil

    try:
        return str(int(psutil.Process(pid).create_time() * 1000))
    except psutil.Error:
        return None
