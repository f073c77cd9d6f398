"""Starting a holder in two steps: first its process and the command's are there and wait, then they are let go.

In between both can be bound to a session and put into the database. Whatever fails or dies before the second step leaves
nothing running.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import sys
import time
from typing import Any

from ade_runtime.client.wire import decode, encode

LIMIT = 30.0
"""Seconds that each step may take on a machine under load."""

_REPORT = 3


class NotStarted(Exception):
    """Why the command does not run."""


class Launch:
    """One holder on its way. All methods block; after :meth:`begin` either :meth:`go` or :meth:`abandon` must follow."""

    def __init__(self, holder_id: str, order: dict[str, Any]) -> None:
        self._id = holder_id
        self._order = order
        self._orders = -1
        self._reports = -1
        self._read = b""

    def begin(self) -> tuple[str, str]:
        """Marks of the holder and of the command, which both wait."""
        reading, self._orders = os.pipe()
        self._reports, writing = os.pipe()
        try:
            pid = self._spawn(reading, writing)
        finally:
            os.close(reading)
            os.close(writing)
        try:
            os.waitpid(pid, 0)  # it forks and ends: the holder is nobody's child
            self._send((encode(self._order) + "\n").encode())
            told = self._report()
        except BaseException:
            self.abandon()
            raise
        return str(told["holder"]), str(told["command"])

    def go(self) -> None:
        """Let the command run; raises :class:`NotStarted`."""
        try:
            self._send(b"go\n")
            self._report()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the pipes. A holder that was not told to go ends, with its command."""
        for descriptor in (self._orders, self._reports):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._orders = self._reports = -1

    def _spawn(self, reading: int, writing: int) -> int:
        orders, reports = (fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (reading, writing))
        actions: list[tuple[object, ...]] = [
            (os.POSIX_SPAWN_DUP2, orders, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, reports, _REPORT),
        ]
        argv = [sys.executable, "-I", "-m", "ade_runtime.holding", "start", self._id]
        try:
            return os.posix_spawn(sys.executable, argv, {}, file_actions=actions)
        finally:
            os.close(orders)
            os.close(reports)

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._orders, view) :]
        except BrokenPipeError:
            self._report()  # says why
            raise NotStarted("its holder ended while it was starting") from None

    def _report(self) -> dict[str, Any]:
        deadline = time.monotonic() + LIMIT
        while b"\n" not in self._read:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._reports], [], [], left)[0]:
                raise NotStarted(f"its holder was not ready after {LIMIT:g} s")
            data = os.read(self._reports, 65536)
            if not data:
                raise NotStarted("its holder ended while it was starting")
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        told = decode(line)
        if "failure" in told:
            raise NotStarted(str(told["failure"]))
        return told
