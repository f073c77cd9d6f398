"""The sessions of one ADE_HOME: starting, binding processes, ending, and finding out which one a caller is."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import sqlite3
import time
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.machine.ancestry import Process, boot
from ade_runtime.sessions import tokens
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services
    from ade_runtime.sessions.log import Proof
    from ade_runtime.sessions.records import SessionRecord

UNSETTLED_NS = 50_000_000
"""A file changed this recently may change again without its time moving on."""

FileKey = tuple[int, ...]


class Sessions:
    """The database is the only state, so that processes never disagree. What is kept here is only how far the session log
    was when it was last looked at, together with the database file's own times, so that a plain call need not ask again."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._file = str(services.paths.database)
        self._position = 0
        self._key: FileKey | None = None
        self._turn: tuple[int | None] | None = None

    def now(self) -> datetime:
        """The current instant as rows keep it, in whole milliseconds."""
        return from_ms(to_ms(self._services.clock.now()))

    # -- how far the log is

    def settled(self) -> int | None:
        """How far the session log is, as far as that is known without asking the database; 0 while no session ever was.

        The file is looked at once in a turn of the event loop: what another process commits meanwhile is answered by nobody
        before the next one.
        """
        if self._turn is None:
            key = self._file_key()
            self._turn = (self._position if key is None or key == self._key else None,)
            asyncio.get_running_loop().call_soon(self._end_turn)
        return self._turn[0]

    def _end_turn(self) -> None:
        self._turn = None

    async def position(self) -> int:
        """How far the session log is. It grows with every change of any session."""
        self._turn = None
        key = self._file_key()
        if key is None:
            self._position = 0
            return 0
        if key != self._key:
            from ade_runtime.sessions import store

            self._position = await self._services.database.read(store.position)
            self._key = key if time.time_ns() - max(key[1], key[4]) > UNSETTLED_NS else None
        return self._position

    # -- changing

    async def start(self, draft: SessionRecord, process: Process | None) -> tuple[SessionRecord, str]:
        """Put a session there and give it with its token, which nothing else will ever give again."""
        from ade_runtime.sessions import store

        record, token = self.prepared(draft)

        def write(db: Connection) -> None:
            store.add(db, record)
            if process is not None:
                store.attach(db, record.id, process, boot(), record.started_at)

        await self._services.database.write(write)
        self._key = None
        return record, token

    @staticmethod
    def prepared(draft: SessionRecord) -> tuple[SessionRecord, str]:
        """A session that is yet to be put there, with its token."""
        token = tokens.mint()
        return dataclasses.replace(draft, id=new_id("ses"), token_hash=tokens.digest(token)), token

    def changed(self) -> None:
        """A transaction of somebody else's has changed sessions."""
        self._key = None

    async def attach(self, session: str, process: Process) -> SessionRecord:
        """Bind a process and everything below it to a live session; raises ``session_ended`` for another."""
        from ade_runtime.sessions import store

        now = self.now()

        def write(db: Connection) -> SessionRecord:
            record = _known(store.by_id(db, session), session)
            if record.state(now) != "live":
                raise errors.SessionEnded(session=session)
            store.attach(db, session, process, boot(), now)
            return record

        record = await self._services.database.write(write)
        self._key = None
        return record

    async def renew(self, session: str) -> str:
        """A new token for a live session whose program is started again; the old one is refused from then on. Raises
        ``session_ended``."""
        from ade_runtime.sessions import store

        token, now = tokens.mint(), self.now()

        def write(db: Connection) -> None:
            if _known(store.by_id(db, session), session).state(now) != "live":
                raise errors.SessionEnded(session=session)
            store.change(db, session, now, token_hash=tokens.digest(token))

        await self._services.database.write(write)
        self._key = None
        return token

    async def end(self, session: str, reason: str | None) -> SessionRecord:
        """Revoke a session's token. Calls that were admitted before go on; no call after this is."""
        from ade_runtime.sessions import store

        now = self.now()

        def write(db: Connection) -> SessionRecord:
            store.end(db, session, now, reason)
            return _known(store.by_id(db, session), session)

        record = await self._services.database.write(write)
        self._key = None
        return record

    # -- finding

    async def find(self, session: str) -> SessionRecord:
        """The session with this id; raises ``session_not_found``."""
        from ade_runtime.sessions import store

        return _known(await self._services.database.read(lambda db: store.by_id(db, session)), session)

    async def by_token(self, token: str) -> SessionRecord | None:
        """The session this token was made for, live or not."""
        from ade_runtime.sessions import store

        wanted = tokens.digest(token)
        if not wanted or not self._services.paths.database.exists():
            return None
        return await self._services.database.read(lambda db: store.by_token_hash(db, wanted))

    async def around(self, chain: Sequence[tuple[Process, Sequence[str]]]) -> SessionRecord | None:
        """The session that the first of some processes belongs to, live or not. Each comes with the session tokens it was
        started with; those above it follow it."""
        from ade_runtime.sessions import store

        traced = [
            store.Traced(process, tuple(found for found in map(tokens.digest, given) if found))
            for process, given in chain
        ]
        return await self._services.database.read(lambda db: store.around(db, traced, boot()))

    async def lineage(self, session: str) -> list[str]:
        """The session, the one that started it, and so on up."""
        from ade_runtime.sessions import store

        return await self._services.database.read(lambda db: store.lineage(db, session))

    async def processes(self, session: str) -> list[int]:
        """Pids attached to the session since the machine was started."""
        from ade_runtime.sessions import store

        rows = await self._services.database.read(lambda db: store.processes(db, session))
        return [pid for since, pid, _ in rows if since == boot()]

    async def all(self, *, project: str | None, live: bool) -> list[SessionRecord]:
        """Sessions, the newest first."""
        from ade_runtime.sessions import store

        at = self.now() if live else None
        return await self._services.database.read(lambda db: store.listed(db, project=project, live_at=at))

    async def prove(self) -> Proof:
        """Check the whole session log."""
        from ade_runtime.sessions import log

        return await self._services.database.read(log.prove)

    def _file_key(self) -> FileKey | None:
        try:
            main = os.stat(self._file)  # noqa: PTH116 - asked for every call
        except OSError:
            return None
        key = (main.st_ino, main.st_mtime_ns, main.st_size)
        if not _WRITES_AHEAD:
            return (*key, 0, 0, 0)
        try:
            ahead = os.stat(self._file + "-wal")  # noqa: PTH116
        except OSError:
            return (*key, 0, 0, 0)
        return (*key, ahead.st_ino, ahead.st_mtime_ns, ahead.st_size)


_WRITES_AHEAD = sqlite3.sqlite_version_info >= (3, 51, 3)


def _known(record: SessionRecord | None, session: str) -> SessionRecord:
    if record is None:
        raise errors.SessionNotFound(session=session)
    return record
