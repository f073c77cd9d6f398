"""Actions about events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import event as models
from ade_runtime.events.describe import event_model, gap_model
from ade_runtime.events.view import View, known_categories

if TYPE_CHECKING:
    from ade_runtime.events.service import Events
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


ALL = 2**40
"""More events and bytes than are ever kept."""


class EventHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def poll(self, call: Call, args: models.EventPollInput) -> models.EventPollOutput:
        events = self._events(call)
        view = View(call.identity, known_categories(args.categories))
        cursor = events.place(args.cursor, args.start)
        sizes = {"limit": args.limit, "max_bytes": args.max_bytes}
        reading = events.read(view, cursor, **sizes)
        if args.wait_ms and not reading.events and reading.gap is None:
            reading = await events.poll(view, reading.cursor, wait=args.wait_ms / 1000, **sizes)
            await self._services.identification.check_live(
                call.identity, call.action.id, call.caller.transport
            )
        return models.EventPollOutput(
            items=[event_model(event, events.epoch) for event in reading.events],
            total=reading.matching,
            next=str(reading.cursor),
            more=reading.more,
            gap=gap_model(reading.gap),
        )

    async def subscribe(self, call: Call, args: models.EventSubscribeInput) -> models.EventSubscribeOutput:
        events = self._events(call)
        wanted = known_categories(args.categories)
        cursor = events.place(args.cursor, args.start)
        reading = events.read(View(call.identity, wanted), cursor, limit=ALL, max_bytes=ALL)
        return models.EventSubscribeOutput(
            cursor=str(cursor),
            pending=reading.matching,
            categories=sorted(wanted),
            gap=gap_model(reading.gap),
        )

    def _events(self, call: Call) -> Events:
        """The events of this process; one that performs a single command has none but its own."""
        if self._services.settings.one_command:
            raise errors.EventsNeedRuntime(action=call.action.id)
        return self._services.events
