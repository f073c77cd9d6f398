"""Actions about the CTO itself."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ade_generated.models import cto as models
from ade_generated.models.types import ChatCount, ChatUsage, CtoAttention, CtoIdentity
from ade_runtime.chat import usage
from ade_runtime.cto import identity
from ade_runtime.cto.standing import standing
from ade_runtime.paging import cut

if TYPE_CHECKING:
    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.memory.records import Core
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class CtoHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def state(self, call: Call, args: models.CtoStateInput) -> models.CtoStateOutput:
        project = call.project
        found = await standing(self._services, project)
        own = await self._services.database.read(lambda db: identity.read(db, project.id))
        core = await self._services.memory.core(project)
        return models.CtoStateOutput(
            project=project.id,
            name=project.name,
            identity=_told(own),
            core_revision=core.revision,
            notes=found.notes,
            discoveries=found.discoveries,
            lanes=found.lanes,
            chats=[ChatCount(state=state, count=count) for state, count in found.chats.items()],
            approvals=found.approvals,
            attention=[
                CtoAttention(session=chat.session, state=chat.state, title=chat.title, problem=chat.problem)
                for chat in found.attention
            ],
        )

    async def usage(self, call: Call, args: models.CtoUsageInput) -> models.CtoUsageOutput:
        project = call.project.id
        since = None if args.days is None else self._services.clock.now() - timedelta(days=args.days)
        found, whole = await self._services.database.read(
            lambda db: (usage.spent(db, project, since), usage.whole(db, project, since))
        )
        known = {
            chat.session: chat for chat in await self._services.chats.all(project=project, everything=True)
        }
        page, following = cut(found, args.cursor, args.limit, key=lambda one: one.session)
        return models.CtoUsageOutput(
            items=[_spent(one, known[one.session]) for one in page if one.session in known],
            total=len(found),
            next=following,
            tokens_in=whole.tokens_in,
            tokens_out=whole.tokens_out,
            cost_usd=whole.cost_usd,
        )

    async def identity_update(self, call: Call, args: models.CtoIdentityUpdateInput) -> CtoIdentity:
        return _told(await identity.replace(self._services, call, args.text, args.if_revision))


def _spent(one: usage.Spent, chat: ChatRecord) -> ChatUsage:
    return ChatUsage(
        session=one.session,
        title=chat.title,
        provider=chat.provider,
        model=chat.model,
        turns=one.turns,
        tokens_in=one.tokens_in,
        tokens_out=one.tokens_out,
        cost_usd=one.cost_usd,
    )


def _told(found: Core) -> CtoIdentity:
    return CtoIdentity(
        text=found.text, revision=found.revision, author=found.author, updated_at=found.updated_at
    )
