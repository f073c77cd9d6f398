"""Stage 7, second half: a session changes what is its own, stays in its project, and decides about no request of its own.

This is the one place of these rules, for every action and every way in; what an action changes is said by ``target`` in
its spec. The owner's own shell is bound to nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import Effect, Scope

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call, Caller, Identity
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel

BOUND_UP_TO = "agent"
"""Highest role whose sessions stay in their own lane and session; those above lead others and stay in their project."""

FREE_FROM = "cto"
"""Lowest role whose sessions reach the sessions of others wherever these are."""

Requester = Callable[["Call", str], Awaitable["str | None"]]
"""Gives the session that made a request, ``None`` for the owner; raises the domain's own error for an unknown request."""


def at_home(identity: Identity, caller: Caller) -> Caller:
    """The caller of a session, with the session's own project and lane where it names none and stands in none."""
    if identity.session is None:
        return caller
    return replace(
        caller, project_root=identity.project or caller.project_root, lane=identity.lane or caller.lane
    )


class Reach:
    """``requesters`` tell who asked for something, by domain; a domain whose actions have a ``request`` target adds its own."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.requesters: dict[str, Requester] = {}

    async def hold(self, call: Call, model: WireModel) -> WireModel:
        """The input to perform the call with; raises ``policy_denied`` where it reaches beyond what is the session's own.

        A lane that was named, or left out, is in the input by its id afterwards, so that what is changed is what was checked.
        """
        identity = call.identity
        if identity.session is None:
            return model
        project = await self._project(call, model)
        if call.action.effect is Effect.READ:
            return model
        target = call.action.target
        if target.request is not None:
            await self._check_request(call, str(getattr(model, target.request)))
        if target.session is not None:
            await self.check_session(call, getattr(model, target.session))
        if identity.lane is None or not _bound(identity):
            return model
        if target.lane is not None:
            return await self._own_lane(call, model, project)
        if not target.anyone and target.session is None and target.request is None:
            raise _denied(call, "It changes more than your own lane; ask who leads the work, or the owner.")
        return model

    async def _project(self, call: Call, model: WireModel) -> Project | None:
        """The project the call works on, if any; it must be the session's own."""
        field, own = call.action.target.project, call.identity.project
        named = None if field is None else getattr(model, field)
        project = call.scope
        if named is not None or (
            call.action.scope is Scope.MACHINE and field is not None and own is not None
        ):
            project = await self._services.projects.meant(call, named)
        if own is not None and project is not None and project.id != own:
            raise _denied(call, f"Your session belongs to project {own}, not to {project.id}.")
        return project

    async def _own_lane(self, call: Call, model: WireModel, project: Project | None) -> WireModel:
        field, own = str(call.action.target.lane), str(call.identity.lane)
        named = getattr(model, field)
        if project is None:
            if named is None:
                return model
            raise errors.ProjectRequired(action=call.action.id)
        lane = await self._meant_lane(call, named, project)
        if lane.id != own:
            call.subject = lane.id
            raise _denied(call, f"Your session works in lane {own}; {lane.name} ({lane.id}) is another one.")
        return model.model_copy(update={field: lane.id})

    async def _meant_lane(self, call: Call, named: str | None, project: Project) -> LaneRecord:
        """The lane that was named, else the one whose folder the caller stands in, else the session's own."""
        from ade_runtime.lanes.service import lane_around

        lanes = self._services.lanes
        if named is not None:
            return await lanes.find(project, named)
        around = lane_around(await lanes.all(project), call.caller.cwd)
        if around is not None and not around.is_primary:
            return around
        return await lanes.find(project, str(call.identity.lane))

    async def check_session(self, call: Call, named: str | None) -> None:
        """A session reaches itself and those it started; one that leads reaches those of its project, too. Raises
        ``policy_denied`` where the caller is a session that does not reach ``named``."""
        identity = call.identity
        if named is None or named == identity.session:
            return
        record = await self._services.sessions.find(named)
        call.subject = record.id
        if identity.session in await self._services.sessions.lineage(record.id):
            return
        together = identity.project is not None and record.project == identity.project
        anywhere = identity.project is None and _rank(identity) >= ROLES[FREE_FROM].rank
        higher = _rank(identity) >= ROLES[record.role].rank
        if not _bound(identity) and higher and (together or anywhere):
            return
        raise _denied(call, f"Session {record.id} is neither yours nor one that yours started.")

    def _declared_requester(self, domain: str) -> Requester | None:
        """``requester`` of a domain's module, which tells what session asked for a request."""
        found = getattr(importlib.import_module(f"ade_runtime.domains.{domain}"), "requester", None)
        return None if found is None else partial(found, self._services)

    async def _check_request(self, call: Call, request: str) -> None:
        """Nobody decides about what they asked for themselves, nor through a session that they started for it."""
        requester = self.requesters.get(call.action.domain) or self._declared_requester(call.action.domain)
        if requester is None:
            raise _denied(call, "It could not be found out who asked for it.")
        asked_by = await requester(call, request)
        if asked_by is not None and asked_by in await self._services.sessions.lineage(
            str(call.identity.session)
        ):
            raise _denied(call, "Your own session asked for it; somebody else must decide.")


def _bound(identity: Identity) -> bool:
    return _rank(identity) <= ROLES[BOUND_UP_TO].rank


def _rank(identity: Identity) -> int:
    return ROLES[identity.role].rank


def _denied(call: Call, reason: str) -> errors.PolicyDenied:
    return errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
