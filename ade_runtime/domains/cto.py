"""Actions about the CTO itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models import cto as models
from ade_generated.models.types import ChatCount, CtoAttention, CtoIdentity
from ade_runtime.cto import identity
from ade_runtime.cto.standing import standing

if TYPE_CHECKING:
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

    async def identity_update(self, call: Call, args: models.CtoIdentityUpdateInput) -> CtoIdentity:
        return _told(await identity.replace(self._services, call, args.text, args.if_revision))


def _told(found: Core) -> CtoIdentity:
    return CtoIdentity(
        text=found.text, revision=found.revision, author=found.author, updated_at=found.updated_at
    )
