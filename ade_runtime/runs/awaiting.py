"""Waiting for agents of a run: until all or any of them have settled, or the time is over.

Whoever waits takes its place in the events before it reads, so that nothing settles unseen between the two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_runtime.chat import store as chats
from ade_runtime.runs import lineage, store

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.runs.document import Manifest
    from ade_runtime.services import Services

ELSEWHERE = 1.0
"""Seconds between looks for what another process may have done."""

TOGETHER = 0.02
"""Seconds between two looks: many things happen at once."""

SETTLED = frozenset({"completed", "failed", "blocked"})
STUCK = {
    "failed": "its program broke down",
    "missing": "its program is not installed",
    "exhausted": "its quota is used up",
    "interrupted": "its turn was broken off",
    "paused": "it was told to wait",
    "ended": "its chat has ended",
}
"""States of a chat in which nothing goes on by itself."""

BROKEN = frozenset({"failed", "missing", "exhausted"})
"""Those that nobody has asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How an agent stands. ``status`` is its row's, and blocked where its chat cannot go on; ``why`` says more, ``summary``
    what it gave back."""

    session: str
    role: Literal["lead", "worker", "validator"]
    name: str
    status: Literal["pending", "running", "blocked", "completed", "failed"]
    why: str | None
    summary: str | None

    @property
    def settled(self) -> bool:
        return self.status in SETTLED


@dataclass(frozen=True, slots=True)
class Awaited:
    """``done`` tells whether what was waited for has come."""

    done: bool
    standings: tuple[Standing, ...]


class Awaiting:
    def __init__(self, services: Services) -> None:
        self._services = services
        self.waiting = 0
        """How many wait now."""

    async def wait(
        self, run: str, sessions: Sequence[str], *, wait_for: Literal["all", "any"], seconds: float
    ) -> Awaited:
        """Raises ``run_agent_not_found``, naming every session that takes no part in the run."""
        services, loop = self._services, asyncio.get_running_loop()
        end = loop.time() + seconds
        enough = all if wait_for == "all" else any
        self.waiting += 1
        try:
            while True:
                news = asyncio.ensure_future(services.events.news(min(max(end - loop.time(), 0), ELSEWHERE)))
                try:
                    await asyncio.sleep(0)  # it has its place in the events before anything is read
                    found = await services.database.read(lambda db: standings(db, run, sessions))
                    done = enough(one.settled for one in found)
                    if done or loop.time() >= end or services.events.closed:
                        return Awaited(done, found)
                    await news
                    await asyncio.sleep(TOGETHER)
                finally:
                    news.cancel()
        finally:
            self.waiting -= 1


def standings(db: Connection, run: str, sessions: Collection[str]) -> tuple[Standing, ...]:
    """How these agents stand, in the order they were asked for."""
    manifest = store.load(db, run)
    rows = {one["sessionId"]: one for one in manifest["agents"]}
    unknown = [one for one in sessions if one not in rows]
    if unknown:
        raise errors.RunAgentNotFound(run=run, session=", ".join(unknown)[:500])
    return tuple(standing(manifest, rows[one], chats.get(db, one)) for one in dict.fromkeys(sessions))


def broken_down(db: Connection, manifest: Manifest) -> Iterator[tuple[str, str, str]]:
    """Agents at work whose program cannot go on by itself: the session, why, and what tells this time from another."""
    for row in manifest["agents"]:
        chat = None if row["role"] == "lead" else chats.get(db, row["sessionId"])
        if chat is None or row["status"] in SETTLED or chat.state not in BROKEN:
            continue
        yield chat.session, chat.problem or STUCK[chat.state], f"{chat.turn}:{chat.state}"


def standing(manifest: Manifest, row: Mapping[str, Any], chat: ChatRecord | None) -> Standing:
    """How one agent stands, by its row and its chat."""
    status, why = row["status"], None
    if chat is not None and status not in ("completed", "failed") and chat.state in STUCK:
        status = "failed" if chat.state == "ended" else "blocked"
        why = chat.problem or STUCK[chat.state]
    edge = lineage.of(manifest, row["sessionId"])
    return Standing(
        session=row["sessionId"],
        role=row["role"],
        name=row["displayName"],
        status=status,
        why=why,
        summary=None if edge is None else edge["resultSummary"],
    )
