"""Where Linear's deliveries come in: one small HTTP listener on the loopback, for a tunnel or proxy to lead to.

It understands what a delivery needs and nothing else: POST with a length, at ``/linear/<project>``. A delivery is answered once
what it tells is written down, so that Linear repeats what is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ade_runtime.linear_sync.poll import change_of
from ade_runtime.linear_sync.records import facts_of
from ade_runtime.linear_sync.signature import Rejected, check_signature, read_delivery
from ade_runtime.linear_sync.telling import tell
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

ADDRESS = "127.0.0.1"
SECRET = "LINEAR_WEBHOOK_SECRET"
"""Name of the project's secret that deliveries are signed with."""

LARGEST_HEAD = 16 * 1024
LARGEST_BODY = 2**20
LONGEST_LENGTH = 18
"""Digits of a length that are looked at."""

SECONDS = 10.0
AT_ONCE = 32
NOTED_EVERY = 1.0
"""Seconds between two times that rejections are written down."""

_PLACE = re.compile(r"/linear/(prj_[a-z0-9]{1,40})")
_LENGTH = re.compile(r"[0-9]+")
_WORDS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 405: "Method Not Allowed"}
log = logging.getLogger("ade.linear")


class Ingress:
    """Listens from the first webhook on."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._server: asyncio.Server | None = None
        self._busy = 0
        self._rejected: dict[str, tuple[int, str]] = {}
        self._noted_at = 0.0

    @property
    def port(self) -> int | None:
        """Where it listens; ``None`` where it does not."""
        return None if self._server is None else int(self._server.sockets[0].getsockname()[1])

    async def listen(self, port: int) -> int:
        """Listen at that port, or where it is taken or 0 at a free one, and give it."""
        if self._server is None:
            try:
                self._server = await asyncio.start_server(self._serve, ADDRESS, port, limit=LARGEST_HEAD)
            except OSError:
                self._server = await asyncio.start_server(self._serve, ADDRESS, 0, limit=LARGEST_HEAD)
        assert self.port is not None
        return self.port

    async def note_rejected(self) -> None:
        """Write down how many deliveries were rejected: not each at once, since a flood of them would keep the disk busy."""
        from ade_runtime.linear_sync import store

        counted, self._rejected = self._rejected, {}
        self._noted_at = time.monotonic()

        def write(db: Connection) -> None:
            for project, (count, reason) in counted.items():
                before = int(store.standing(db, project)["rejected"])
                store.stand(db, project, rejected=before + count, rejected_reason=reason)

        if counted:
            await self._services.database.write(write)

    async def close(self) -> None:
        """Take nothing any more."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        try:
            async with asyncio.timeout(SECONDS):
                status = 503 if self._busy > AT_ONCE else await self._answer(reader)
                writer.write(_response(status))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever does not speak to the end is not answered
        finally:
            self._busy -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader) -> int:
        head = await reader.readuntil(b"\r\n\r\n")
        request, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
        }
        method, _, rest = request.partition(" ")
        place = _PLACE.fullmatch(rest.split(" ")[0].split("?")[0])
        length = headers.get("content-length", "")
        if place is None:
            return 404
        if method != "POST":
            return 405
        if not _LENGTH.fullmatch(length):
            return 400
        if len(length) > LONGEST_LENGTH or int(length) > LARGEST_BODY:
            return 413
        body = await reader.readexactly(int(length))
        try:
            await self.take(place[1], headers, body)
        except Rejected as problem:
            return problem.status
        except Exception:
            log.exception("a delivery of Linear could not be taken in")
            return 503
        return 200

    async def take(self, project: str, headers: Mapping[str, str], body: bytes) -> None:
        """Take in a delivery; raises :class:`Rejected`. One that is known already changes nothing."""
        from ade_runtime.linear_sync import store

        secret = await self._services.vault.find((project,), SECRET)
        if secret is None:
            raise Rejected(404, "nothing is expected for this project")
        now = self._services.clock.now()
        try:
            check_signature(await self._services.vault.value(secret), body, headers)
            identifier, document = read_delivery(body, headers, now.timestamp())
        except Rejected as problem:
            self._rejected[project] = (self._rejected.get(project, (0, ""))[0] + 1, problem.reason)
            if time.monotonic() - self._noted_at > NOTED_EVERY:
                await self.note_rejected()
            raise
        kind, action, data = _parts(document)
        happened = change_of(
            kind, str(data.get("id") or identifier), str(data.get("updatedAt") or identifier)
        )
        if action == "remove":
            happened += ":remove"

        facts = facts_of(data) if kind == "Issue" else None

        def write(db: Connection) -> bool:
            outcome = store.take(
                db,
                project,
                identifier=identifier,
                change=happened,
                source="webhook",
                kind=kind,
                action=action,
                facts=facts,
                now=now,
            )
            count = store.standing(db, project)["taken"] + (outcome is not None)
            store.stand(db, project, taken=count, delivered_at=to_ms(now))
            return outcome is not None

        if await self._services.database.write(write) and facts is not None:
            tell(self._services, project, action, facts)


def _parts(document: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
    data = document.get("data")
    kind, action = str(document.get("type", ""))[:100], str(document.get("action", ""))[:100]
    return kind, action, data if isinstance(data, dict) else {}


def _response(status: int) -> bytes:
    words = _WORDS.get(status, "Refused")
    return f"HTTP/1.1 {status} {words}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
