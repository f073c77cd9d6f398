"""A user's terminal: a program on a real pseudo-terminal, typed into and read until something shows."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

LIMIT = 30.0


class Screen:
    """Keeps its own descriptor of the program's end, so that the terminal's settings can be looked at afterwards."""

    def __init__(
        self, argv: list[str], *, env: Mapping[str, str], cwd: Path, rows: int = 30, columns: int = 100
    ) -> None:
        self._near, self._far = os.openpty()
        self.resize(rows, columns, tell=False)
        self.before = self.settings()
        self.printed = b""
        self._seen = 0
        self.process = subprocess.Popen(
            argv,
            env=dict(env) | {"TERM": "xterm-256color"},
            cwd=cwd,
            stdin=self._far,
            stdout=self._far,
            stderr=self._far,
            start_new_session=True,
        )

    def settings(self) -> list[Any]:
        return termios.tcgetattr(self._far)

    def resize(self, rows: int, columns: int, *, tell: bool = True) -> None:
        """As a window manager does; without a controlling terminal the kernel tells nobody, so this does."""
        import fcntl

        fcntl.ioctl(self._near, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.process.send_signal(signal.SIGWINCH)

    def type(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._near, data) :]

    def expect(self, pattern: str) -> re.Match[bytes]:
        """Read on until the pattern shows in what was not looked at yet."""
        wanted = re.compile(pattern.encode(), re.DOTALL)
        deadline = time.monotonic() + LIMIT
        while True:
            found = wanted.search(self.printed, self._seen)
            if found:
                self._seen = found.end()
                return found
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(
                    f"{pattern!r} did not show; instead {self.printed[self._seen :][-2000:]!r}"
                )

    def wait(self) -> int:
        """The program's exit code, reading what it prints until then."""
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.printed[-2000:]
            self._read(0.02)
        while self._read(0):
            pass
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._near)
        os.close(self._far)

    def _read(self, seconds: float) -> bool:
        if seconds < 0 or not select.select([self._near], [], [], seconds)[0]:
            return False
        self.printed += os.read(self._near, 65536)
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
