"""One child process with bounded output, in a process group of its own that never outlives a cancelled
call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

DRAIN = 0.5
"""Seconds to go on reading after the program ended: a hook may have left a child that keeps the pipe open,
and waiting for the pipe's end would wait for that child."""
_PIPES = frozenset([1, 2])


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

    Cancellation (a timeout included) kills the group too, and returns only once the program is gone. A
    program that ends by itself may leave children behind, as one started by hand may.
    """
    transport, child = await asyncio.get_running_loop().subprocess_exec(
        lambda: _Child(limit, error_limit),
        *argv,
        cwd=cwd,
        env=env,
        stdin=asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        if stdin is not None:
            _feed(transport, stdin)
        await child.exited.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN):
                await child.drained.wait()
    finally:
        if not child.exited.is_set():
            child.kill()
            await _settled(child.exited)
        transport.close()
        await _settled(child.gone)
    code = transport.get_returncode()
    assert code is not None
    return Output(code, bytes(child.data[1]), bytes(child.data[2]), child.overflowed)


class _Child(asyncio.SubprocessProtocol):
    """Collects what the child prints: stdout up to its limit, then the group is killed; stderr's
    beginning."""

    def __init__(self, limit: int, error_limit: int) -> None:
        self.data = {1: bytearray(), 2: bytearray()}
        self.overflowed = False
        self.exited = asyncio.Event()
        self.drained = asyncio.Event()
        self.gone = asyncio.Event()
        self._limits = {1: limit, 2: error_limit}
        self._closed: set[int] = set()
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)  # uvloop's is no subclass

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        sink = self.data[fd]
        room = self._limits[fd] - len(sink)
        sink += data[:room]
        if fd == 1 and len(data) > room and not self.overflowed:
            self.overflowed = True
            self.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._closed.add(fd)
        if self._closed >= _PIPES:
            self.drained.set()

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()

    def kill(self) -> None:
        """End the child's group; one that is gone is what was wanted."""
        assert self._transport is not None
        if self._transport.get_returncode() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._transport.get_pid(), signal.SIGKILL)


def _feed(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    """Hand ``data`` over in the background; a child that ends without reading it all is no failure of
    ours."""
    pipe = cast("asyncio.WriteTransport", transport.get_pipe_transport(0))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        pipe.write(data)
        pipe.close()


async def _settled(event: asyncio.Event) -> None:
    """Wait for ``event`` even while the waiting task is being cancelled; SIGKILL makes that a matter of
    milliseconds."""
    waiting = asyncio.ensure_future(event.wait())
    cancelled = False
    while not waiting.done():
        try:
            await asyncio.shield(waiting)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
