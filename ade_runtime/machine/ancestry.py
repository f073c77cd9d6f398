"""The processes above a process, each with its start time, so that a reused pid is never taken for an ancestor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

DEPTH_LIMIT = 256
"""Longest chain that is followed. A longer one is not judged by its visible part: see :attr:`Chain.whole`."""

ENVIRON_LIMIT = 1024 * 1024
LAST_PID = 1


@dataclass(frozen=True, slots=True)
class Process:
    """One process. ``start`` is in the kernel's own unit and grows with time; ``group`` is its kernel session, the pid of the
    process that made it."""

    pid: int
    start: int
    parent: int
    group: int


@dataclass(frozen=True, slots=True)
class Chain:
    """A process and those above it, itself first. ``whole`` is false where its top could not be reached."""

    processes: tuple[Process, ...]
    whole: bool


def look(pid: int) -> Process | None:
    """The process as it is now, ``None`` when there is none."""
    if sys.platform != "linux":
        return _look_elsewhere(pid)
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123 - read for every connection
            text = stat.read()
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].split()
    if fields[0] in (b"Z", b"X"):
        return None
    return Process(pid, start=int(fields[19]), parent=int(fields[1]), group=int(fields[3]))


def chain_of(pid: int, start: int) -> Chain:
    """The process with this pid and start time, and its ancestors up to the first one of all."""
    found = look(pid)
    if found is None or found.start != start:
        return Chain((), whole=False)
    chain = [found]
    while len(chain) < DEPTH_LIMIT:
        here = chain[-1]
        if here.parent < LAST_PID or here.pid == LAST_PID:
            return Chain(tuple(chain), whole=True)
        above = look(here.parent)
        if (
            above is None or above.start > here.start
        ):  # it ended meanwhile; who took over its children is above now
            again = look(here.pid)
            if again is None or again.start != here.start:
                return Chain(tuple(chain), whole=False)
            if again.parent == here.parent:
                return Chain(tuple(chain), whole=above is None and here.parent == LAST_PID)
            chain[-1] = again
            continue
        chain.append(above)
    return Chain(tuple(chain), whole=False)


def environment_values(process: Process, name: str) -> Iterator[str]:
    """The values of a variable in the environment the process was started with; none where that cannot be read."""
    data = _environ(process)
    mark = f"{name}=".encode()
    for entry in data.split(b"\0") if mark in data else ():
        if entry.startswith(mark):
            yield os.fsdecode(entry[len(mark) :])


@cache
def boot() -> str:
    """What tells this start of the machine from others, where start times begin anew with each."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:  # noqa: PTH123
            return file.read().strip()
    except OSError:
        return ""


def _environ(process: Process) -> bytes:
    if sys.platform != "linux":
        return _environ_elsewhere(process)
    try:
        with open(f"/proc/{process.pid}/environ", "rb") as file:  # noqa: PTH123
            data = file.read(ENVIRON_LIMIT)
    except OSError:
        return b""
    now = look(process.pid)
    return data if now is not None and now.start == process.start else b""


def _look_elsewhere(pid: int) -> Process | None:
    import psutil

    try:
        found = psutil.Process(pid)
        with found.oneshot():
            start, parent = int(found.create_time() * 1000), found.ppid()
        return Process(pid, start=start, parent=parent, group=os.getsid(pid))
    except (psutil.Error, OSError):
        return None


def _environ_elsewhere(process: Process) -> bytes:
    import psutil

    try:
        values = psutil.Process(process.pid).environ()
    except (psutil.Error, OSError):
        return b""
    return b"\0".join(os.fsencode(f"{key}={value}") for key, value in values.items())
