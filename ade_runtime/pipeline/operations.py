"""Actions that run in the background: kept in the database, awaited by id, stopped with the process that runs them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.contracts import AdeError, JsonObject
from ade_runtime.machine.process import is_running, own_mark
from ade_runtime.pipeline.call import Identity, Progress

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from ade_runtime.services import Services

KEPT_MS = 7 * 24 * 3600 * 1000
POLL_SECONDS = 0.25
State = Literal["running", "done", "failed", "lost"]
Work = Callable[[Progress], Awaitable[bytes]]


@dataclass(slots=True)
class Running:
    """An operation of this process. ``message`` and ``fraction`` are its last report of progress."""

    task: asyncio.Task[None]
    message: str | None = None
    fraction: float | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """State of one operation. ``state`` is running, done, failed or lost; times are milliseconds since the epoch."""

    id: str
    action: str
    state: State
    message: str | None
    fraction: float | None
    output: JsonObject | None
    error: JsonObject | None
    started_at: int
    finished_at: int | None


class Operations:
    """Background operations of one ADE_HOME; those of other processes are seen through the database."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._running: dict[str, Running] = {}

    @property
    def active(self) -> int:
        """How many run in this process."""
        return len(self._running)

    async def start(self, action: str, identity: Identity, work: Work) -> str:
        """Begin ``work`` and give its id. It is in the database before this returns."""
        operation = f"op_{secrets.token_hex(10)}"
        now = self._now()

        def write(connection: Connection) -> None:
            from sqlalchemy import delete, insert

            from ade_runtime.storage.schema import operations

            connection.execute(delete(operations).where(operations.c.started_at < now - KEPT_MS))
            row = {"id": operation, "identity": identity.key, "action": action, "holder": own_mark()}
            connection.execute(insert(operations).values(**row, state="running", started_at=now))

        await self._services.database.write(write)
        task = asyncio.get_running_loop().create_task(self._run(operation, action, work))
        self._running[operation] = Running(task)
        await asyncio.sleep(0)  # let it begin: a task cancelled before its first step could not note its end
        return operation

    async def status(self, operation: str, identity: Identity, wait: float) -> Operation:
        """The operation as it is now, or as soon as it ended within ``wait`` seconds. Another identity's is not found."""
        deadline = time.monotonic() + wait
        while True:
            found = await self._read(operation, identity)
            left = deadline - time.monotonic()
            if found.state != "running" or left <= 0:
                return found
            running = self._running.get(operation)
            if running is None:
                await asyncio.sleep(min(left, POLL_SECONDS))
            else:
                await asyncio.wait([running.task], timeout=left)

    async def close(self, *, drain: bool = False) -> None:
        """Cancel what runs here and note it as failed; with ``drain`` wait for its end instead."""
        tasks = [running.task for running in self._running.values()]
        if not drain:
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, operation: str, action: str, work: Work) -> None:
        def progress(message: str, fraction: float | None) -> None:
            running = self._running.get(operation)
            if running is not None:
                running.message, running.fraction = message, fraction

        outcome: dict[str, Any]
        try:
            outcome = {"state": "done", "output": (await work(progress)).decode()}
        except AdeError as problem:
            outcome = {"state": "failed", "error": orjson.dumps(problem.envelope()).decode()}
        except asyncio.CancelledError:
            error = errors.Cancelled(action=action).envelope()
            outcome = {"state": "failed", "error": orjson.dumps(error).decode()}
        try:
            await self._finish(operation, outcome)
        finally:
            self._running.pop(operation, None)

    async def _finish(self, operation: str, outcome: dict[str, Any]) -> None:
        def write(connection: Connection) -> None:
            from sqlalchemy import update

            from ade_runtime.storage.schema import operations

            values = {**outcome, "finished_at": self._now()}
            connection.execute(update(operations).where(operations.c.id == operation).values(**values))

        await self._services.database.write(write)

    async def _read(self, operation: str, identity: Identity) -> Operation:
        def read(connection: Connection) -> Row[Any] | None:
            from sqlalchemy import select

            from ade_runtime.storage.schema import operations

            columns = operations.c
            query = select(operations).where(columns.id == operation, columns.identity == identity.key)
            return connection.execute(query).one_or_none()

        row = await self._services.database.read(read)
        if row is None:
            raise errors.OperationNotFound(operation=operation)
        return self._from_row(row)

    def _from_row(self, row: Row[Any]) -> Operation:
        running = self._running.get(row.id)
        state: State = row.state
        if state == "running" and running is None and not is_running(row.holder):
            state = "lost"
        return Operation(
            id=row.id,
            action=row.action,
            state=state,
            message=running.message if running else None,
            fraction=running.fraction if running else (1.0 if state == "done" else None),
            output=orjson.loads(row.output) if row.output else None,
            error=orjson.loads(row.error) if row.error else None,
            started_at=row.started_at,
            finished_at=row.finished_at,
        )

    def _now(self) -> int:
        return int(self._services.clock.now().timestamp() * 1000)
