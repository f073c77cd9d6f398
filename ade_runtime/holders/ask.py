"""Questions to a holder on its socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

LINE_LIMIT = 1024 * 1024


class Unreachable(Exception):
    """Nobody answers: the holder has ended, or was killed."""


class Slow(Exception):
    """No answer came in time."""


async def ask(
    socket: Path, request: dict[str, Any], payload: bytes = b"", *, timeout: float | None = 10.0
) -> dict[str, Any]:
    """The answer to one request. Raises :class:`Unreachable` and, after ``timeout`` seconds, :class:`Slow`."""
    try:
        async with asyncio.timeout(timeout):
            return await _ask(socket, {**request, "size": len(payload)}, payload)
    except TimeoutError:
        raise Slow from None


async def _ask(socket: Path, request: dict[str, Any], payload: bytes) -> dict[str, Any]:
    try:
        reader, writer = await asyncio.open_unix_connection(str(socket), limit=LINE_LIMIT)
    except OSError:
        raise Unreachable from None
    try:
        writer.write(json.dumps(request).encode() + b"\n" + payload)
        await writer.drain()
        line = await reader.readline()
        if not line.endswith(b"\n"):
            raise Unreachable
        answer: dict[str, Any] = json.loads(line)
        return answer
    except OSError:
        raise Unreachable from None
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
