"""Remembers the runtimes that commands started and that never came to an orderly end, so that a crash is not repeated for ever.

A runtime that ends in order removes the note. Five starts within a minute without such an end are a crash loop: commands start
no more until the code changes, the machine is started anew, or the owner starts one with ``ade serve``.
"""

import os
import time

from ade_runtime.client.build import stamp
from ade_runtime.client.wire import decode, encode

LIMIT = 5
WINDOW_SECONDS = 60
TAIL_BYTES = 8192
TAIL_LINES = 20


def admit(home: str) -> "int | None":
    """Note one more start; or give how many there were in the window, in which case none may follow.

    Called with the starter's lock held.
    """
    key = _key()
    known = _read(home)
    now = int(time.time())
    at = known.get("at") if known.get("key") == key else None
    starts = [one for one in at if isinstance(one, int)] if isinstance(at, list) else []
    if not known.get("held") or known.get("key") != key:
        starts = [one for one in starts if now - WINDOW_SECONDS < one <= now]
    held = len(starts) >= LIMIT
    _write(home, {"key": key, "at": starts if held else [*starts, now], "held": held})
    return len(starts) if held else None


def given_up(home: str) -> bool:
    """Whether commands start no runtime any more."""
    known = _read(home)
    return known.get("held") is True and known.get("key") == _key()


def clear(home: str) -> None:
    """Forget the starts: the last runtime ended in order, or the owner wants another try."""
    try:  # noqa: SIM105
        os.unlink(_file(home))  # noqa: PTH108
    except OSError:
        pass


def tail(log: str) -> "list[str]":
    """The last lines of the log that say something."""
    try:
        with open(log, "rb") as file:  # noqa: PTH123
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    return [line.rstrip() for line in text.splitlines() if line.strip()][-TAIL_LINES:]


def _file(home: str) -> str:
    return home + "/starts.json"


def _key() -> "list[object]":
    """What a start depends on: the code, and this start of the machine."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:  # noqa: PTH123
            boot = file.read().strip()
    except OSError:
        boot = ""
    return [*stamp(), boot]


def _read(home: str) -> "dict[str, object]":
    try:
        with open(_file(home), "rb") as file:  # noqa: PTH123
            return decode(file.read(65536))
    except (OSError, ValueError, StopIteration):
        return {}


def _write(home: str, note: "dict[str, object]") -> None:
    """Where it cannot be written (a full disk) starts go uncounted, which is better than none."""
    draft = f"{_file(home)}.{os.getpid()}"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, encode(note).encode())
        finally:
            os.close(descriptor)
        os.replace(draft, _file(home))  # noqa: PTH105
    except OSError:
        try:  # noqa: SIM105
            os.unlink(draft)  # noqa: PTH108
        except OSError:
            pass
