"""The way back from the browser: one small HTTP listener on the loopback, for as long as somebody is being asked."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from ade_generated import errors

HOST = "127.0.0.1"
PATH = "/callback"
LARGEST_HEAD = 16 * 1024
SECONDS = 10.0
LONGEST_REASON = 100
_PAGES = {
    200: "ADE has its answer. You may close this page.",
    400: "This does not belong to a sign-in that ADE has begun.",
    404: "There is nothing here.",
    405: "There is nothing here.",
}


@dataclass(frozen=True, slots=True)
class Redirect:
    """What the browser brought: a code, or what kept Linear from giving one."""

    code: str | None
    problem: str | None


class Listener:
    """Waits for the browser that comes back with this state; whoever brings another is turned away and changes nothing."""

    def __init__(self, state: str) -> None:
        self._state = state
        self._server: asyncio.Server | None = None
        self._found: asyncio.Future[Redirect] = asyncio.get_running_loop().create_future()
        self.turned_away = 0

    async def open(self, port: int) -> int:
        """Listen; gives the port. Raises ``linear_sign_in_port_taken``."""
        try:
            self._server = await asyncio.start_server(self._serve, HOST, port, limit=LARGEST_HEAD)
        except OSError:
            raise errors.LinearSignInPortTaken(port=port) from None
        return int(self._server.sockets[0].getsockname()[1])

    async def answer(self) -> Redirect:
        """What came back."""
        return await asyncio.shield(self._found)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self._found.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_page(self._judged(head)))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever does not speak to the end is not answered
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _judged(self, head: bytes) -> int:
        method, _, rest = head.decode("latin-1").partition(" ")
        target = urlsplit(rest.split(" ")[0])
        if target.path != PATH:
            return 404
        if method != "GET":
            return 405
        given = {name: values[0] for name, values in parse_qs(target.query).items() if len(values) == 1}
        state = given.get("state", "")
        if not hmac.compare_digest(state.encode(), self._state.encode()):
            self.turned_away += 1
            return 400
        code, problem = given.get("code"), given.get("error")
        if (code is None) == (problem is None):
            return 400
        if not self._found.done():
            said = None if problem is None else "".join(filter(str.isprintable, problem))[:LONGEST_REASON]
            self._found.set_result(Redirect(code, said))
        return 200


def _page(status: int) -> bytes:
    body = f"<!doctype html><title>ADE</title><p>{_PAGES[status]}</p>".encode()
    head = (
        f"HTTP/1.1 {status} {'OK' if status == 200 else 'Refused'}\r\n"
        f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
