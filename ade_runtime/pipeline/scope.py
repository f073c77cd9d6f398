"""Stage 7: the project a call works on, found from what the caller named or from where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.contracts import Scope

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


async def resolve_scope(services: Services, call: Call) -> None:
    """Set ``call.scope`` for project actions. Actions of the machine never touch the project registry here.

    Raises ``project_not_found`` for a named project that is not registered, and ``project_required`` when none was named and
    the caller is in none.
    """
    if call.action.scope is Scope.MACHINE:
        return
    project = await services.projects.resolve(call.caller)
    if project is None:
        raise errors.ProjectRequired(action=call.action.id)
    call.scope = project
