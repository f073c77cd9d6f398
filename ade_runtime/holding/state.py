"""What is known of the command, in a file that is replaced as a whole: it is there when the holder no longer is."""

from __future__ import annotations

import os
import time

from ade_runtime.client.wire import decode, encode
from ade_runtime.holding import tree

FILE = "state.json"

RUNNING, WAITING, ENDED = "running", "waiting", "ended"


class State:
    """``phase`` is running, waiting (to be started again at ``restart_at``) or ended. Times are milliseconds since the epoch.

    ``reason`` of the end: exited, stopped, timed_out, crash_loop or not_started. ``exit_code`` and ``signal`` are those of the
    command's last run. ``command`` and ``holder`` are marks, see :func:`tree.mark`.
    """

    def __init__(self, folder: str, boot: str) -> None:
        self._path = f"{folder}/{FILE}"
        self._saved = ""
        self.boot = boot
        self.holder = tree.mark(os.getpid())
        self.command = ""
        self.phase = RUNNING
        self.starts = 0
        self.started_at = 0
        self.ended_at: int | None = None
        self.exit_code: int | None = None
        self.signal: int | None = None
        self.reason: str | None = None
        self.failure: str | None = None
        self.restart_at: int | None = None
        self.rows = 0
        self.columns = 0

    def document(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def save(self) -> bool:
        """Replace the file where something changed. A full disk is tried again with the next change."""
        text = encode(self.document())
        if text == self._saved:
            return True
        fresh = f"{self._path}.new"
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, text.encode())
            finally:
                os.close(descriptor)
            os.rename(fresh, self._path)  # noqa: PTH104
        except OSError:
            return False
        self._saved = text
        return True


def load(folder: str) -> dict[str, object] | None:
    """The document of a holder's folder, ``None`` where there is none."""
    try:
        with open(f"{folder}/{FILE}", "rb") as file:  # noqa: PTH123
            found = decode(file.read(65536))
    except (OSError, ValueError, StopIteration):
        return None
    return found or None


def now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
