"""What the CTO notes for itself, tells every agent first, and is told by agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models import cto_memory as models
from ade_generated.models.types import Discovery, MemoryAdded, MemoryCore, MemoryFacts
from ade_runtime.domains.memory import fact_document, facts_document
from ade_runtime.memory.records import Core
from ade_runtime.memory.service import CTO

if TYPE_CHECKING:
    from ade_runtime.memory import records
    from ade_runtime.memory.service import Memory
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class CtoMemoryHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def save(self, call: Call, args: models.CtoMemorySaveInput) -> MemoryAdded:
        note = await self._memory.note(call, args.text, args.tags or ())
        fact, added, archived = await self._memory.add(call.project, CTO, note)
        call.subject = fact.id
        return MemoryAdded(fact=fact_document(fact), added=added, archived=archived)

    async def read(self, call: Call, args: models.CtoMemoryReadInput) -> models.CtoMemoryReadOutput:
        notes = await self._memory.listed(call.project, (CTO,), tags=args.tags or (), archived=args.archived)
        page = facts_document(notes, args.cursor, args.limit)
        return models.CtoMemoryReadOutput(
            core=_core(await self._memory.core(call.project)),
            items=page.items,
            total=page.total,
            next=page.next,
            waiting=await self._memory.waiting(call.project),
        )

    async def search(self, call: Call, args: models.CtoMemorySearchInput) -> MemoryFacts:
        found = await self._memory.search(
            call.project, ("everyone", CTO), args.query, tags=args.tags or (), archived=args.archived
        )
        return facts_document(found, args.cursor, args.limit)

    async def read_discoveries(
        self, call: Call, args: models.CtoMemoryReadDiscoveriesInput
    ) -> models.CtoMemoryReadDiscoveriesOutput:
        batch = await self._memory.discoveries(
            call.project, acknowledge=args.acknowledge, limit=args.limit, max_bytes=args.max_bytes
        )
        return models.CtoMemoryReadDiscoveriesOutput(
            discoveries=[_discovery(item) for item in batch.items],
            cursor=batch.cursor,
            acknowledged=batch.acknowledged,
            waiting=batch.waiting,
        )

    async def update_core(self, call: Call, args: models.CtoMemoryUpdateCoreInput) -> MemoryCore:
        return _core(await self._memory.set_core(call, args.text, args.if_revision))

    @property
    def _memory(self) -> Memory:
        return self._services.memory


def _core(core: Core) -> MemoryCore:
    return MemoryCore(text=core.text, revision=core.revision, author=core.author, updated_at=core.updated_at)


def _discovery(item: records.Discovery) -> Discovery:
    return Discovery(
        id=item.id,
        text=item.text,
        tags=[*item.tags],
        author=item.author,
        session=item.session,
        lane=item.lane,
        at=item.at,
        cursor=item.end,
    )
