"""One child process with bounded output, in a process group of its own that never outlives a cancelled
call.

The event loop's own subprocesses are not used: they report a program's end only once its pipes are closed
(uvloop, and asyncio's ``wait``), which a child that a hook left behind may never do.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

CHUNK = 256 * 1024
DRAIN = 0.5
"""Seconds to go on reading after the program ended while something else still holds the pipe."""
GRACE = 2.0
"""Seconds between asking a program to end and making it."""


@dataclass(slots=True)
class Output:
    """``code`` is negative for a signal; ``truncated`` tells that stdout was longer than its limit."""

    code: int
    stdout: bytes
    stderr: bytes
    truncated: bool


async def execute(
    argv: Sequence[str | bytes],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes | None,
    limit: int,
    error_limit: int,
) -> Output:
    """Run ``argv`` and wait for it. Past ``limit`` bytes of stdout its process group is killed.

    Cancellation (a timeout included) ends the group too, and returns only once the program is gone. A
    program that ends by itself may leave children behind, as one started by hand may.
    """
    with _input(stdin) as source:
        process = subprocess.Popen(  # noqa: ASYNC220  (a list, and it only starts: about 1 ms)
            argv,
            cwd=cwd,
            env=env,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    assert process.stdout is not None and process.stderr is not None
    with process.stdout, process.stderr:
        out = _Sink(process.stdout.fileno(), limit, lambda: _signal(process, signal.SIGKILL))
        err = _Sink(process.stderr.fileno(), error_limit, lambda: None)
        try:
            await _ended(process)
            process.wait()
            if not (out.closed.is_set() and err.closed.is_set()):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(DRAIN):
                        await out.closed.wait()
                        await err.closed.wait()
        finally:
            out.stop()
            err.stop()
            if process.returncode is None:
                await _end(process)
    return Output(process.returncode, bytes(out.data), bytes(err.data), out.overflowed)


class _Sink:
    """Keeps the first ``limit`` bytes of a pipe and reads on, so that the writer never blocks; ``full`` is
    called once."""

    def __init__(self, fd: int, limit: int, full: Callable[[], None]) -> None:
        self.data = bytearray()
        self.overflowed = False
        self.closed = asyncio.Event()
        self._fd = fd
        self._limit = limit
        self._full = full
        self._loop = asyncio.get_running_loop()
        os.set_blocking(fd, False)
        self._loop.add_reader(fd, self._readable)

    def stop(self) -> None:
        if not self.closed.is_set():
            self.closed.set()
            self._loop.remove_reader(self._fd)

    def _readable(self) -> None:
        try:
            chunk = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.stop()
            return
        room = self._limit - len(self.data)
        self.data += chunk[:room]
        if len(chunk) > room and not self.overflowed:
            self.overflowed = True
            self._full()


async def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait until ``process`` has ended. It is not reaped, so that its id stays its own."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    try:
        pidfd = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        await _poll(process)
        return
    try:
        loop.add_reader(pidfd, over.set)
        try:
            await over.wait()
        finally:
            loop.remove_reader(pidfd)
    finally:
        os.close(pidfd)


async def _poll(process: subprocess.Popen[bytes]) -> None:
    """For systems without process descriptors."""
    pause = 0.001
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:  # noqa: ASYNC222  (WNOHANG)
        await asyncio.sleep(pause)
        pause = min(pause * 2, 0.05)


async def _end(process: subprocess.Popen[bytes]) -> None:
    """End a group whose caller no longer waits, even while the caller's task is being cancelled again.

    SIGTERM first: git then removes its lock files, which SIGKILL would leave behind. Then SIGKILL for what is left of the
    group, whether its leader has ended or not.
    """
    _signal(process, signal.SIGTERM)
    ending = asyncio.ensure_future(_ended(process))
    deadline = asyncio.get_running_loop().time() + GRACE
    cancelled = False
    while not ending.done() and (left := deadline - asyncio.get_running_loop().time()) > 0:
        try:
            await asyncio.wait([ending], timeout=left)
        except asyncio.CancelledError:
            cancelled = True
    _signal(process, signal.SIGKILL)
    process.wait()
    ending.cancel()
    await asyncio.wait([ending])
    if cancelled:
        raise asyncio.CancelledError


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal the group that ``process`` leads. It is not reaped yet, so its id cannot be another's."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


@contextlib.contextmanager
def _input(data: bytes | None) -> Iterator[int]:
    """What the child reads: nothing, or a file with ``data``, which needs no one to feed it."""
    if not data:
        yield subprocess.DEVNULL
        return
    with _nameless() as file:
        file.write(data)
        file.seek(0)
        yield file.fileno()


def _nameless() -> IO[bytes]:
    """A file without a name, which nobody can leave behind; in memory where the system has that."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("ade-input"), "w+b")
    return tempfile.TemporaryFile()
