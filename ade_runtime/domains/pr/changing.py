"""What changes a pull request itself: its texts, labels, reviewers, state and base."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ade_generated import errors
from ade_generated.models import pr as models
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pulls.pull import shown
from ade_runtime.pulls.service import told

if TYPE_CHECKING:
    from ade_generated.models.types import PullRequest
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.pull import Pull


class ChangeActions(PullActions):
    async def update_title(self, call: Call, args: models.PrUpdateTitleInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        return await self._change(call, pull, "change the title", title=args.title)

    async def update_body(self, call: Call, args: models.PrUpdateBodyInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        return await self._change(call, pull, "change the description", body=args.body)

    async def close(self, call: Call, args: models.PrCloseInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        if pull.state == "merged":
            raise errors.PrOver(number=pull.number, state="merged")
        if pull.state == "closed":
            return shown(pull)
        return await self._change(call, pull, "close the pull request", state="closed")

    async def reopen(self, call: Call, args: models.PrReopenInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        if pull.state == "merged":
            raise errors.PrOver(number=pull.number, state="merged")
        if pull.state == "open":
            return shown(pull)
        return await self._change(call, pull, "open the pull request again", state="open")

    async def retarget_base(self, call: Call, args: models.PrRetargetBaseInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        check_open(pull)
        path = f"{pull.place.path}/branches/{quote(args.base, safe='')}"
        try:
            await pull.place.client.get(path, f"read the branch {args.base}")
        except Refused as problem:
            if problem.status == 404:
                name = pull.place.repository.full_name
                raise errors.PrBaseMissing(repository=name, base=args.base) from None
            raise problem.error from None
        return await self._change(call, pull, "change the base", base=args.base)

    async def set_labels(self, call: Call, args: models.PrSetLabelsInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        body = {"labels": list(args.labels)}
        with told():
            await pull.place.client.write("PUT", f"{pull.issue_path}/labels", "set the labels", body)
        return shown(await self._pulls.again(call, pull))

    async def request_reviewers(self, call: Call, args: models.PrRequestReviewersInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        check_open(pull)
        body: dict[str, Any] = {"reviewers": list(args.reviewers or ())}
        if args.teams:
            body["team_reviewers"] = list(args.teams)
        with told():
            await pull.place.client.write("POST", f"{pull.path}/requested_reviewers", "ask for reviews", body)
        return shown(await self._pulls.again(call, pull))

    async def _change(self, call: Call, pull: Pull, what: str, **values: Any) -> PullRequest:
        """Set values of the pull request; setting them twice is the same as once."""
        with told():
            await pull.place.client.write("PATCH", pull.path, what, values)
        return shown(await self._pulls.again(call, pull))


def check_open(pull: Pull) -> None:
    """Raise ``pr_over`` for one that is merged or closed."""
    if pull.state != "open":
        raise errors.PrOver(number=pull.number, state=pull.state)
