"""Ports of this machine: whether something takes connections there, and which process that is."""

from __future__ import annotations

import asyncio
import contextlib

import psutil

ADDRESSES = ("127.0.0.1", "::1")
CONNECT_SECONDS = 1.0


async def accepts(port: int) -> bool:
    """Whether a process of this machine takes connections on ``port``."""
    for address in ADDRESSES:
        if await _accepts(address, port):
            return True
    return False


async def _accepts(address: str, port: int) -> bool:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(address, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


def listener(port: int) -> str:
    """The process that listens on ``port``, as ``name (pid 12)``; in general words where that cannot be seen."""
    with contextlib.suppress(psutil.Error, OSError):
        for one in psutil.net_connections(kind="tcp"):
            listens = one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port
            if listens and one.pid:
                return f"{psutil.Process(one.pid).name()} (pid {one.pid})"
    return "another program"
