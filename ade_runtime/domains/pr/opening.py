"""pr.create_from_lane and pr.link_to_lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import pr as models
from ade_generated.models.git import GitPushInput
from ade_runtime.domains.git import GitHandlers
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.pulls.create import Opening, Wanted
from ade_runtime.pulls.pull import shown

if TYPE_CHECKING:
    from ade_generated.models.types import PullRequest
    from ade_runtime.pipeline.call import Call

REFUSED = (
    "Nothing was opened. Mend what the remote names and call again; where its rules cover the lane's own branch, use a name"
    " that they do not cover, or have whoever set them allow it."
)


class OpenActions(PullActions):
    async def create_from_lane(
        self, call: Call, args: models.PrCreateFromLaneInput
    ) -> models.PrCreateFromLaneOutput:
        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        place = await self._pulls.place(call, lane)
        place.check_writable()

        async def push() -> Any:
            try:
                return await GitHandlers(self._services).push(
                    call, GitPushInput(lane=lane.id, remote=place.remote)
                )
            except errors.RemoteRefused as problem:
                problem.hint = REFUSED
                raise

        wanted = Wanted(
            title=args.title,
            body=args.body,
            base=args.base,
            draft=args.draft,
            labels=args.labels or (),
            reviewers=args.reviewers or (),
        )
        done = await Opening(self._services, call, lane, place).open(wanted, push)
        return models.PrCreateFromLaneOutput(
            pull=shown(done.pull), created=done.created, pushed=done.pushed, warnings=done.warnings
        )

    async def link_to_lane(self, call: Call, args: models.PrLinkToLaneInput) -> PullRequest:
        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        place = await self._pulls.place(call, lane)
        await self._pulls.read(call, place, args.number)
        await self._pulls.link(call, lane, place, args.number)
        return shown(await self._pulls.read(call, place, args.number))
