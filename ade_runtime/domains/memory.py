"""What agents note about a project for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import memory as models
from ade_generated.models.types import MemoryAdded, MemoryFact, MemoryFacts
from ade_generated.roles import ROLES
from ade_runtime.memory.records import EVERYONE, Audience, Fact
from ade_runtime.paging import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ade_runtime.memory.service import Memory
    from ade_runtime.pipeline.call import Call, Identity
    from ade_runtime.services import Services

LEADS_FROM = "orchestrator"
"""Lowest role whose sessions may remove what others noted."""


class MemoryHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def add(self, call: Call, args: models.MemoryAddInput) -> MemoryAdded:
        note = await self._memory.note(call, args.text, args.tags or ())
        fact, added, archived = await self._memory.add(call.project, "everyone", note)
        call.subject = fact.id
        return MemoryAdded(fact=fact_document(fact), added=added, archived=archived)

    async def record_discovery(
        self, call: Call, args: models.MemoryRecordDiscoveryInput
    ) -> models.MemoryRecordDiscoveryOutput:
        note = await self._memory.note(call, args.text, args.tags or ())
        discovery, recorded, waiting = await self._memory.record(call.project, note)
        call.subject = discovery
        return models.MemoryRecordDiscoveryOutput(
            id=discovery, recorded=recorded, waiting=waiting, redactions=note.redactions
        )

    async def search(self, call: Call, args: models.MemorySearchInput) -> MemoryFacts:
        found = await self._memory.search(
            call.project, EVERYONE, args.query, tags=args.tags or (), archived=args.archived
        )
        return facts_document(found, args.cursor, args.limit)

    async def list(self, call: Call, args: models.MemoryListInput) -> MemoryFacts:
        found = await self._memory.listed(
            call.project, EVERYONE, tags=args.tags or (), archived=args.archived
        )
        shown = [fact for fact in found if fact.pinned or not args.pinned]
        return facts_document(shown, args.cursor, args.limit)

    async def pin(self, call: Call, args: models.MemoryPinInput) -> MemoryFact:
        return await self._pin(call, args.fact, True)

    async def unpin(self, call: Call, args: models.MemoryUnpinInput) -> MemoryFact:
        return await self._pin(call, args.fact, False)

    async def remove(self, call: Call, args: models.MemoryRemoveInput) -> MemoryFact:
        fact = await self._find(call, args.fact)
        if not _may_remove(call.identity, fact):
            reason = "Another session noted it; ask the owner or who leads the work."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        await self._memory.remove(call.project, fact)
        return fact_document(fact)

    async def context(self, call: Call, args: models.MemoryContextInput) -> models.MemoryContextOutput:
        lane = await self._services.lanes.resolve(call, args.lane, write=False)
        section = await self._memory.section(lane, args.max_tokens)
        return models.MemoryContextOutput(
            lane=lane.name,
            text=section.text,
            tokens=section.tokens,
            facts=section.facts,
            omitted=section.omitted,
        )

    @property
    def _memory(self) -> Memory:
        return self._services.memory

    async def _find(self, call: Call, fact: str) -> Fact:
        call.subject = fact
        return await self._memory.find(call.project, readable(call.identity), fact)

    async def _pin(self, call: Call, fact: str, pinned: bool) -> MemoryFact:
        found = await self._find(call, fact)
        return fact_document(await self._memory.pin(call.project, found, pinned))


def readable(identity: Identity) -> tuple[Audience, ...]:
    """Whose facts the caller may read."""
    return ("everyone", "cto") if identity.role == "cto" else EVERYONE


def fact_document(fact: Fact) -> MemoryFact:
    """The wire form of a fact."""
    return MemoryFact(
        id=fact.id,
        text=fact.text,
        tags=[*fact.tags],
        audience=fact.audience,
        pinned=fact.pinned,
        archived=fact.archived,
        author=fact.author,
        lane=fact.lane,
        redactions=fact.redactions,
        created_at=fact.created_at,
    )


def facts_document(facts: Sequence[Fact], cursor: str | None, limit: int) -> MemoryFacts:
    """One page of facts."""
    page, rest = cut(facts, cursor, limit, key=lambda fact: fact.id)
    return MemoryFacts(items=[fact_document(fact) for fact in page], total=len(facts), next=rest)


def _may_remove(identity: Identity, fact: Fact) -> bool:
    if identity.session is None or identity.session == fact.session:
        return True
    return ROLES[identity.role].rank >= ROLES[LEADS_FROM].rank
