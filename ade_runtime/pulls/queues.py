"""Queues: pull requests that land in one branch, one after the other, each checked on top of what landed before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import insert, select, update

from ade_generated import errors
from ade_runtime.storage.schema import pull_queues
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

OVER = ("done", "cancelled")
_C = pull_queues.c


@dataclass(frozen=True, slots=True)
class Entry:
    """``lane`` is an id. ``state`` is waiting, blocked or landed. ``expects`` are checks that must have ended on its commit
    besides those that the branch requires: it had them before it was brought up to date, and they begin again a while later.
    """

    lane: str
    number: int
    state: str = "waiting"
    note: str | None = None
    merge_commit: str | None = None
    expects: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    id: str
    project: str
    repository: str
    target: str
    state: str
    method: str | None
    entries: tuple[Entry, ...]
    created_at: datetime

    @property
    def waiting(self) -> list[Entry]:
        """What has not landed, in order."""
        return [one for one in self.entries if one.state != "landed"]

    def with_entry(self, entry: Entry) -> Queue:
        """The queue with a new state of one of its entries; it is done with the last one."""
        entries = tuple(entry if one.number == entry.number else one for one in self.entries)
        done = all(one.state == "landed" for one in entries)
        return replace(self, entries=entries, state="done" if done else self.state)


class Queues:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def add(self, queue: Queue) -> None:
        """Store a queue; raises ``queue_lane_taken`` where another one that is not over has one of its lanes."""

        def write(db: Connection) -> None:
            lanes = {entry.lane for entry in queue.entries}
            for other in _listed(db, queue.project):
                if other.state not in OVER and (both := lanes & {one.lane for one in other.waiting}):
                    raise errors.QueueLaneTaken(lane=min(both), queue=other.id)
            db.execute(insert(pull_queues).values(id=queue.id, **self._row(queue)))

        await self._services.database.write(write)

    async def find(self, project: str, identifier: str | None) -> Queue:
        """The queue of that id, else the newest that is not over, else the newest; raises ``queue_not_found``."""
        found = await self._services.database.read(lambda db: _listed(db, project))
        if identifier is not None:
            found = [one for one in found if one.id == identifier]
        else:
            found.sort(key=lambda one: one.state in OVER)
        if not found:
            raise errors.QueueNotFound(queue=identifier or "yet")
        return found[0]

    async def keep(self, queue: Queue) -> Queue:
        """Store what has become of a queue."""
        values = self._row(queue)
        await self._services.database.write(
            lambda db: db.execute(update(pull_queues).where(_C.id == queue.id).values(values))
        )
        return queue

    def _row(self, queue: Queue) -> dict[str, Any]:
        return {
            "project_id": queue.project,
            "repository": queue.repository,
            "target": queue.target,
            "state": queue.state,
            "method": queue.method,
            "entries": orjson.dumps(queue.entries).decode(),
            "created_at": to_ms(queue.created_at),
            "updated_at": to_ms(self._services.clock.now()),
        }


def reordered(queue: Queue, lanes: Sequence[str]) -> Queue:
    """The queue with what waits in the order of these lanes, by id; raises ``queue_order_incomplete``."""
    waiting = {entry.lane: entry for entry in queue.waiting}
    if sorted(waiting) != sorted(lanes):
        raise errors.QueueOrderIncomplete(queue=queue.id, count=len(waiting))
    landed = [entry for entry in queue.entries if entry.state == "landed"]
    return replace(queue, entries=(*landed, *(waiting[lane] for lane in lanes)))


def check_going(queue: Queue) -> None:
    """Raise ``queue_over`` for one that is done or cancelled."""
    if queue.state in OVER:
        raise errors.QueueOver(queue=queue.id, state=queue.state)


def _listed(db: Connection, project: str) -> list[Queue]:
    """The queues of a project, the newest first."""
    query = select(pull_queues).where(_C.project_id == project).order_by(_C.created_at.desc(), _C.id)
    return [_queue(row) for row in db.execute(query).mappings()]


def _queue(row: Any) -> Queue:
    return Queue(
        id=row["id"],
        project=row["project_id"],
        repository=row["repository"],
        target=row["target"],
        state=row["state"],
        method=row["method"],
        entries=tuple(Entry(**entry) for entry in orjson.loads(row["entries"])),
        created_at=from_ms(row["created_at"]),
    )
