"""Which processes have a file open, from /proc (Linux) or psutil elsewhere. Other users' processes are seen by root only."""

from __future__ import annotations

import os
from pathlib import Path


def holders(path: Path) -> list[int]:
    """Pids of the processes, this one excepted, that have the file at ``path`` open now."""
    try:
        wanted = path.stat()
    except OSError:
        return []
    key = (wanted.st_dev, wanted.st_ino)
    if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112
        return _holders_by_name(path)
    return sorted(
        int(name)
        for name in os.listdir("/proc")  # noqa: PTH208
        if name.isdigit() and int(name) != os.getpid() and _has_open(name, key)
    )


def _has_open(pid: str, key: tuple[int, int]) -> bool:
    try:
        descriptors = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208
    except OSError:
        return False
    for descriptor in descriptors:
        try:
            status = os.stat(f"/proc/{pid}/fd/{descriptor}")  # noqa: PTH116
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == key:
            return True
    return False


def _holders_by_name(path: Path) -> list[int]:
    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            names = [one.path for one in process.open_files()]
        except psutil.Error:
            continue
        if process.pid != os.getpid() and str(path) in names:
            found.append(process.pid)
    return sorted(found)
