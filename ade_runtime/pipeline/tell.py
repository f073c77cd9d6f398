"""Stage 11: what has been done is told to whoever follows the events. An event decides nothing and holds no secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.events import EVENTS
from ade_runtime.contracts import Effect

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

LANE = "lane_"


def tell(services: Services, call: Call) -> None:
    """Publish the event of an action that worked and was no read.

    Where the handler did not say what it is about, it is about the call's project, the lane it worked on and the session that
    called.
    """
    if call.action.effect is Effect.READ or call.action.id not in EVENTS:
        return
    about, subject = call.about, call.subject or ""
    services.events.publish(
        call.action.id,
        project=call.project_id,
        lane=about.lane or (subject if subject.startswith(LANE) else None),
        session=about.session or call.identity.session,
        identity=call.identity.key,
        subject=call.subject,
    )
