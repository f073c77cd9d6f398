"""Actions about the caller's own identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models import auth as models
from ade_generated.roles import ROLES

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call, Identity, Source
    from ade_runtime.services import Services


class AuthHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def status(self, call: Call, args: models.AuthStatusInput) -> models.AuthStatusOutput:
        who = call.identity
        return models.AuthStatusOutput(
            role=who.role,
            ceiling=await self._ceiling(who),
            source=who.source,
            why=_WHY[who.source].format(session=who.session),
            uid=who.uid,
            session=who.session,
            project=who.project,
            lane=who.lane,
            run=who.run,
            interaction_mode=who.mode,
            standalone=who.standalone,
            effects=list(ROLES[who.role].effects),
            next=_NEXT[who.source],
        )

    async def _ceiling(self, who: Identity) -> str:
        """The highest role of this caller: its session's, or for the owner the runtime's, whichever is lower."""
        highest = self._services.settings.ceiling
        if who.source in ("runtime_child", "unverified"):
            return who.role
        if who.session is None:
            return highest
        own = (await self._services.sessions.find(who.session)).role
        return min(own, highest, key=lambda role: ROLES[role].rank)


_WHY: dict[Source, str] = {
    "owner": "the owner's own shell, outside of every session",
    "token": "the holder of the token of session {session}",
    "process": "a process below one of session {session}",
    "runtime_child": "a program that the runtime started, without a session's token",
    "unverified": "a process of the owner's of which nothing more could be found out",
}
_NEXT: dict[Source, str] = {
    "owner": "Take another role up to the ceiling with --role or ADE_DEFAULT_ROLE.",
    "token": "You may lower your role with --role; only a new session, started from outside, can have a higher one.",
    "process": "You may lower your role with --role; only a new session, started from outside, can have a higher one.",
    "runtime_child": "Pass ADE_SESSION_TOKEN on to act as the session, or run the command in a shell of your own.",
    "unverified": "Run the command from a process that stays until it is answered.",
}
