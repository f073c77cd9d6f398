"""Actions about runs: what everybody may read, what a person decides, and what members do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.domains.run.deciding import Deciding
from ade_runtime.domains.run.drawing import Drawing
from ade_runtime.domains.run.editing import Editing
from ade_runtime.domains.run.exchanging import Exchanging
from ade_runtime.domains.run.keeping import Keeping
from ade_runtime.domains.run.leading import Leading
from ade_runtime.domains.run.looking import Looking
from ade_runtime.domains.run.planning import Planning
from ade_runtime.domains.run.reading import Reading
from ade_runtime.domains.run.staffing import Staffing
from ade_runtime.domains.run.working import Working

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


async def requester(services: Services, call: Call, request: str) -> str | None:
    """The session that asks in a run: its lead."""
    return (await services.runs.find(call.project.id, request)).lead


class RunHandlers(
    Reading,
    Deciding,
    Leading,
    Looking,
    Planning,
    Editing,
    Drawing,
    Exchanging,
    Staffing,
    Working,
    Keeping,
):
    """All of them, each kind in a module of its own."""
