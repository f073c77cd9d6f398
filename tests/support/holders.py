"""The holders of an ADE_HOME in a test: which there are, and their end."""

from __future__ import annotations

import os
import select
import signal
import time
from pathlib import Path

from ade_runtime.holders.look import runs
from ade_runtime.holding import state, tree


def marks(home: Path) -> list[tuple[str, str]]:
    """Holder and command of every folder, as ``pid:start``."""
    found = []
    for folder in sorted((home / "holders").glob("*")):
        document = state.load(str(folder))
        if document is not None:
            found.append((str(document["holder"]), str(document["command"])))
    return found


def end_holders(home: Path, limit: float = 20.0) -> None:
    """Kill every holder of ``home`` and all that it holds, each by pid and start time, and wait until they are gone."""
    for holder, command in marks(home):
        for mark in (holder, command):
            if not runs(mark):
                continue
            pid, start = (int(part) for part in mark.split(":"))
            members = [*tree.below(pid), (pid, start)]
            for member in members:
                tree.send(*member, signal.SIGKILL)
            for member in members:
                await_end(*member, limit)


def await_end(pid: int, start: int, limit: float = 20.0) -> None:
    """Return once the process that was started then has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if tree.start_of(pid) == start and not select.select([descriptor], [], [], limit)[0]:
            raise AssertionError(f"process {pid} did not end at {time.monotonic()}")
    finally:
        os.close(descriptor)
