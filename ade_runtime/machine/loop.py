"""Running a coroutine to its end in a command's own process, where a sandbox may forbid what asyncio's loop needs.

A thread wakes asyncio's loop by sending a byte through a pair of sockets, and some sandboxes refuse every ``send``: the loop
would then sleep for ever. uvloop writes to an event descriptor instead, which they allow.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine
from typing import Any, TypeVar

from ade_generated import errors

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """The result of ``main``. Raises ``sandbox_blocked`` where no loop can work, before ``main`` begins."""
    if sockets_send():
        return asyncio.run(main)
    try:
        import uvloop
    except ImportError:
        main.close()
        raise errors.SandboxBlocked(
            socket="a pair of sockets of this process itself",
            reason="sending is forbidden, and without uvloop nothing can be performed in here",
        ) from None
    result: T = uvloop.run(main)
    return result


def sockets_send() -> bool:
    """Whether this process may send through sockets of its own."""
    one, other = socket.socketpair()
    try:
        one.send(b"\0")
    except PermissionError:
        return False
    finally:
        one.close()
        other.close()
    return True
