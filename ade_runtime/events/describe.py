"""Events and gaps as readers get them, in polls and in notifications alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.events.cursor import Cursor

if TYPE_CHECKING:
    from ade_generated.models.types import Event as EventModel
    from ade_generated.models.types import EventGap
    from ade_runtime.events.event import Event
    from ade_runtime.events.service import Gap


def event_model(event: Event, epoch: str) -> EventModel:
    """An event as the specs describe it."""
    from ade_generated.models.types import Event as EventModel

    trace = event.trace
    return EventModel(
        seq=trace.seq,
        cursor=str(Cursor(epoch, trace.seq)),
        at=event.at,
        type=trace.kind.type,
        category=trace.kind.category,
        project=trace.project,
        lane=event.lane,
        session=trace.session,
        identity=event.identity,
        subject=event.subject,
        data=event.data,
    )


def gap_model(gap: Gap | None) -> EventGap | None:
    """A gap as the specs describe it."""
    if gap is None:
        return None
    from ade_generated.models.types import EventGap

    return EventGap(
        reason=gap.reason,
        first_seq=gap.first_seq,
        last_seq=gap.last_seq,
        missed=None if gap.missed is None else sum(gap.missed.values()),
        categories=gap.missed or {},
    )
