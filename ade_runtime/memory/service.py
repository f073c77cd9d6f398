"""Memory of all projects: what the actions and other parts of ADE use."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.lanes.naming import name_key
from ade_runtime.memory import context, discoveries, facts, find
from ade_runtime.memory.records import EVERYONE, Audience, Core, Fact, Note
from ade_runtime.redaction import redacted
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

LANE = "lane:"
CTO: Audience = "cto"


class Memory:
    """The database is the only state, so that processes never disagree."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._database = services.database

    async def note(self, call: Call, text: str, tags: Sequence[str] = ()) -> Note:
        """A text as it is kept, without secrets, in the name of the caller; raises ``memory_text_empty``."""
        clean, redactions = redacted(text.replace("\r\n", "\n").strip())
        if not clean:
            raise errors.MemoryTextEmpty()
        return Note(
            text=clean,
            redactions=redactions,
            tags=await self.tags(call.project, tags),
            author=call.identity.session or "owner",
            session=call.identity.session,
            lane=call.identity.lane,
            at=self._now(),
        )

    async def tags(self, project: Project, tags: Sequence[str]) -> tuple[str, ...]:
        """Tags as they are kept: without doubles and secrets, a lane by its id where there is one of that name."""
        found = dict.fromkeys(redacted(" ".join(tag.split()))[0] for tag in tags)
        if any(tag.startswith(LANE) for tag in found):
            lanes = await self._services.lanes.all(project)
            ids = {name_key(lane.name): lane.id for lane in lanes} | {lane.id: lane.id for lane in lanes}
            found = dict.fromkeys(_by_id(tag, ids) for tag in found)
        return tuple(found)

    async def add(self, project: Project, audience: Audience, note: Note) -> tuple[Fact, bool, int]:
        """The fact, whether it is new, and how many were archived for it."""
        return await self._database.write(lambda db: facts.add(db, project.id, audience, note))

    async def find(self, project: Project, audiences: Sequence[Audience], fact: str) -> Fact:
        """The fact with this id; raises ``fact_not_found``."""
        return await self._database.read(lambda db: facts.find(db, project.id, audiences, fact))

    async def listed(
        self, project: Project, audiences: Sequence[Audience], *, tags: Sequence[str], archived: bool
    ) -> list[Fact]:
        """Facts that have every tag, pinned ones first, then the newest."""
        wanted = await self.tags(project, tags)
        found = await self._database.read(
            lambda db: facts.listed(db, project.id, audiences, archived=archived)
        )
        return find.with_tags(found, wanted) if wanted else found

    async def search(
        self,
        project: Project,
        audiences: Sequence[Audience],
        query: str,
        *,
        tags: Sequence[str],
        archived: bool,
    ) -> list[Fact]:
        """Facts that hold every word, the best match first."""
        among = await self.listed(project, audiences, tags=tags, archived=archived)
        return await asyncio.to_thread(find.matching, among, query)

    async def pin(self, project: Project, fact: Fact, pinned: bool) -> Fact:
        """The fact, pinned or not; raises ``memory_pins_full``."""
        now = to_ms(self._now())
        if pinned:
            return await self._database.write(lambda db: facts.pin(db, project.id, fact, now))
        return await self._database.write(lambda db: facts.unpin(db, project.id, fact))

    async def remove(self, project: Project, fact: Fact) -> None:
        await self._database.write(lambda db: facts.remove(db, project.id, fact))

    async def core(self, project: Project) -> Core:
        return await self._database.read(lambda db: facts.core(db, project.id))

    async def set_core(self, call: Call, text: str, expected: int | None) -> Core:
        """Replace the core; raises ``memory_core_changed``."""
        clean, redactions = redacted(text.replace("\r\n", "\n").strip())
        author, session = call.identity.session or "owner", call.identity.session
        note = Note(
            text=clean,
            redactions=redactions,
            tags=(),
            author=author,
            session=session,
            lane=None,
            at=self._now(),
        )
        return await self._database.write(lambda db: facts.set_core(db, call.project.id, note, expected))

    async def record(self, project: Project, note: Note) -> tuple[str, bool, int]:
        """Id of the discovery, whether it is new, and how many wait; raises ``discoveries_full``."""
        return await self._database.write(lambda db: discoveries.append(db, project.id, note))

    async def discoveries(
        self, project: Project, *, acknowledge: int | None, limit: int, max_bytes: int
    ) -> discoveries.Batch:
        """Acknowledge, then read the oldest that wait; raises ``discovery_cursor_unknown``."""
        return await self._database.write(
            lambda db: discoveries.read(
                db, project.id, acknowledge=acknowledge, limit=limit, max_bytes=max_bytes
            )
        )

    async def waiting(self, project: Project) -> int:
        """How many discoveries wait for the CTO."""
        return await self._database.read(lambda db: discoveries.waiting(db, project.id))

    async def section(self, lane: LaneRecord, max_tokens: int) -> context.Section:
        """What an agent in the lane should know, for its prompt."""
        project = lane.project.id

        def read(db: Connection) -> tuple[Core, list[Fact]]:
            return facts.core(db, project), facts.listed(db, project, EVERYONE, archived=False)

        core, found = await self._database.read(read)
        return context.build(core, found, lane=lane.id, max_tokens=max_tokens)

    async def own_section(self, lane: LaneRecord, max_tokens: int) -> context.Section:
        """What the CTO noted for itself, for its prompt."""
        found = await self.listed(lane.project, (CTO,), tags=(), archived=False)
        return context.build(Core(), found, lane=lane.id, max_tokens=max_tokens, own=True)

    def _now(self) -> datetime:
        return from_ms(to_ms(self._services.clock.now()))


def _by_id(tag: str, ids: dict[str, str]) -> str:
    if not tag.startswith(LANE):
        return tag
    name = tag.removeprefix(LANE)
    return LANE + ids.get(name, ids.get(name_key(name), name))
