"""A run as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models import run as models
from ade_generated.models.types import RunEdge, RunSpan
from ade_runtime.domains.run.shared import RunDomain
from ade_runtime.paging import cut

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class Drawing(RunDomain):
    async def timeline(self, call: Call, args: models.RunTimelineInput) -> models.RunTimelineOutput:
        from ade_runtime.runs.boundary import store
        from ade_runtime.runs.drawing import gantt

        await self._find(call, args.run)
        found = gantt.spans(await self._runs.manifest(args.run))
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: f"{one.task}/{one.attempt}")
        items = [
            RunSpan(
                task=one.task,
                title=one.title,
                attempt=one.attempt,
                session=one.session,
                agent=one.agent,
                started_at=one.started,
                ended_at=one.ended,
                outcome=one.outcome,
            )
            for one in page
        ]
        outside = await self._services.database.read(lambda db: store.listed(db, args.run))
        drawing = gantt.draw(page, self._services.sessions.now(), args.width)
        drawing += gantt.beside([(at, one.text) for _, at, one in outside], args.width)
        return models.RunTimelineOutput(drawing=drawing, items=items, total=len(found), next=rest)

    async def lineage(self, call: Call, args: models.RunLineageInput) -> models.RunLineageOutput:
        from ade_runtime.runs.drawing import edges

        await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        items = [RunEdge.from_wire(one) for one in manifest["lineage"]]
        drawing = edges.FORMATS[args.format](edges.tree(manifest))
        return models.RunLineageOutput(drawing=drawing, items=items, total=len(items), next=None)
