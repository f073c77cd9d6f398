"""Who put a request there: the process that the kernel says holds its lock, not what the file says.

A lock of this kind (POSIX record lock) belongs to a process, is gone with it, and cannot be set for another. The kernel gives
the holder's pid as it is in the reader's own PID namespace, so that a process in a sandbox's namespace is found, too. Its
command line and environment are then the process's own, as for a caller at the socket. See decision 17.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys

from ade_runtime.machine.ancestry import Process

_LINUX = sys.platform.startswith("linux")
_LAYOUT = "hhqqi4x" if _LINUX else "qqihh"
COMMAND_LINE_LIMIT = 4 * 1024 * 1024


def lock_holder(file: int) -> int | None:
    """Pid of the process that holds a lock on the file: ``None`` without one, 0 for a process that cannot be seen from here."""
    asked = (fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0) if _LINUX else (0, 0, 0, fcntl.F_WRLCK, os.SEEK_SET)
    told = struct.unpack(_LAYOUT, fcntl.fcntl(file, fcntl.F_GETLK, struct.pack(_LAYOUT, *asked)))
    kind, pid = (told[0], told[4]) if _LINUX else (told[3], told[2])
    if kind == fcntl.F_UNLCK:
        return None
    return pid if pid > 0 else 0


def was_started_with(process: Process, words: tuple[str, ...]) -> bool:
    """Whether a process's own command line ends with these words: the request is then the one it was started for."""
    line = _command_line(process.pid)
    wanted = [os.fsencode(word) for word in words]
    return len(line) > len(wanted) and line[len(line) - len(wanted) :] == wanted


def user_of(pid: int) -> int | None:
    """The user a process runs as, ``None`` where that cannot be told."""
    if not _LINUX:
        import psutil

        try:
            return int(psutil.Process(pid).uids().real)
        except psutil.Error:
            return None
    try:
        return os.stat(f"/proc/{pid}").st_uid  # noqa: PTH116
    except OSError:
        return None


def _command_line(pid: int) -> list[bytes]:
    if not _LINUX:
        import psutil

        try:
            return [os.fsencode(word) for word in psutil.Process(pid).cmdline()]
        except psutil.Error:
            return []
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            return file.read(COMMAND_LINE_LIMIT).removesuffix(b"\0").split(b"\0")
    except OSError:
        return []
