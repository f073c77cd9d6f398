"""The processes below a process, and signals that reach exactly them: a pid alone may be somebody else's by now."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing itself costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable


def start_of(pid: int) -> int:
    """When the process was started, in the kernel's unit; 0 when it does not run, or where that cannot be told."""
    row = _row(pid)
    return 0 if row is None else row[2]


def mark(pid: int) -> str:
    """``pid:start``, which means one process for as long as the machine runs."""
    return f"{pid}:{start_of(pid)}"


def below(root: int) -> list[tuple[int, int]]:
    """Pid and start of every process below ``root``, those next to it first; those that have ended do not count."""
    children: dict[int, list[tuple[int, int]]] = {}
    for pid, (parent, _group, start) in _table().items():
        children.setdefault(parent, []).append((pid, start))
    found: list[tuple[int, int]] = []
    wanted = [root]
    while wanted:
        here = children.pop(wanted.pop(0), [])
        found += here
        wanted += [pid for pid, _ in here]
    return found


def group_of(pid: int) -> int:
    """The process group of a process, 0 when it does not run."""
    row = _row(pid)
    return 0 if row is None else row[1]


def send(pid: int, start: int, number: int) -> bool:
    """Send a signal to the process that was started then; whether it was there."""
    try:
        if not hasattr(os, "pidfd_open"):
            if start and start_of(pid) != start:
                return False
            os.kill(pid, number)
            return True
        descriptor = os.pidfd_open(pid)
        try:
            if start_of(pid) != start:
                return False
            _send_by_descriptor()(descriptor, number)
            return True
        finally:
            os.close(descriptor)
    except OSError:
        return False


def _send_by_descriptor() -> Callable[[int, int], None]:
    from ade_runtime.holding.signals import raw

    found: Callable[[int, int], None] = raw.pidfd_send_signal
    return found


def _row(pid: int) -> tuple[int, int, int] | None:
    """Parent, group and start of a running process."""
    if not sys.platform.startswith("linux"):
        return _rows_by_ps(pid).get(pid)
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            text = stat.read()
    except OSError:
        return None
    fields = text[text.rindex(b")") + 2 :].split()
    return None if fields[0] in (b"Z", b"X") else (int(fields[1]), int(fields[2]), int(fields[19]))


def _table() -> dict[int, tuple[int, int, int]]:
    if not sys.platform.startswith("linux"):
        return _rows_by_ps(None)
    rows = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            row = _row(int(name))
            if row is not None:
                rows[int(name)] = row
    return rows


def _rows_by_ps(pid: int | None) -> dict[int, tuple[int, int, int]]:
    """The same from ``ps``, whose start times are in seconds."""
    import subprocess
    import time

    which = ["-A"] if pid is None else ["-p", str(pid)]
    told = subprocess.run(
        ["/bin/ps", *which, "-o", "pid=,ppid=,pgid=,stat=,lstart="],
        capture_output=True,
        text=True,
        env={"LC_ALL": "C"},
        check=False,
    ).stdout
    rows = {}
    for line in told.splitlines():
        fields = line.split(None, 4)
        if len(fields) == 5 and not fields[3].startswith("Z"):
            begun = int(time.mktime(time.strptime(fields[4].strip(), "%a %b %d %H:%M:%S %Y")))
            rows[int(fields[0])] = (int(fields[1]), int(fields[2]), begun)
    return rows
