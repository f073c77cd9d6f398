"""What reads pull requests."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import orjson

from ade_generated.models import pr as models
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.paging import cut
from ade_runtime.pulls.checks import counts, read_checks
from ade_runtime.pulls.pull import branch_shown, deeplink, shown
from ade_runtime.pulls.standing import Standing, read_standing
from ade_runtime.pulls.threads import read_threads

if TYPE_CHECKING:
    from ade_generated.models.types import PullRequest
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.service import LanesOf


class ReadActions(PullActions):
    async def list(self, call: Call, args: models.PrListInput) -> models.PrListOutput:
        place = await self._pulls.place(call)
        listing = await self._pulls.listings.get(call, place, args.state, timedelta(seconds=args.max_age))
        of = await self._pulls.lanes_of(call, place)
        author = args.author.lower() if args.author else None
        items = [
            item
            for item in listing.items
            if (author is None or (item["author"] or "").lower() == author)
            and (not args.mine or _lane(of, item) is not None)
        ]
        page, rest = cut(items, args.cursor, args.limit, key=lambda item: str(item["number"]))
        whole = author is None and not args.mine
        document = {
            "repository": place.repository.reference,
            "read_at": listing.read_at,
            "items": [_line(place, of, item) for item in page],
            "total": max(listing.total, len(items)) if whole else len(items),
            "next": rest,
        }
        return models.PrListOutput.model_validate_json(orjson.dumps(document))

    async def show(self, call: Call, args: models.PrShowInput) -> PullRequest:
        return shown(await self._read(call, args.number, args.lane))

    async def health(self, call: Call, args: models.PrHealthInput) -> models.PrHealthOutput:
        standing = await read_standing(await self._read(call, args.number, args.lane))
        return models.PrHealthOutput.model_validate(
            {
                "number": standing.pull.number,
                "verdict": standing.verdict,
                "summary": summary(standing),
                "url": standing.pull.url,
                "head_commit": standing.pull.head_commit,
                "draft": bool(standing.pull.raw.get("draft")),
                "mergeable": standing.mergeable,
                "behind": standing.behind,
                "checks": standing.counts,
                "review": standing.decision,
                "approvals": standing.approvals,
                "unresolved_threads": len(standing.unresolved),
                "next": next_step(standing),
            }
        )

    async def checks(self, call: Call, args: models.PrChecksInput) -> models.PrChecksOutput:
        pull = await self._read(call, args.number, args.lane)
        checks, _ = await read_checks(pull)
        document = {
            "number": pull.number,
            "head_commit": pull.head_commit,
            "counts": counts(checks).model_dump(),
            "items": [check.document() for check in checks],
            "total": len(checks),
            "next": None,
        }
        return models.PrChecksOutput.model_validate_json(orjson.dumps(document))

    async def review_comments(
        self, call: Call, args: models.PrReviewCommentsInput
    ) -> models.PrReviewCommentsOutput:
        pull = await self._read(call, args.number, args.lane)
        threads = await read_threads(pull)
        listed = [thread for thread in threads if args.resolved or not thread.resolved]
        page, rest = cut(listed, args.cursor, args.limit, key=lambda thread: thread.id)
        return models.PrReviewCommentsOutput(
            number=pull.number,
            unresolved=sum(not thread.resolved for thread in threads),
            items=page,
            total=len(listed),
            next=rest,
        )

    async def issue_inventory(
        self, call: Call, args: models.PrIssueInventoryInput
    ) -> models.PrIssueInventoryOutput:
        standing = await read_standing(await self._read(call, args.number, args.lane))
        found = standing.obstacles
        return models.PrIssueInventoryOutput.model_validate(
            {
                "number": standing.pull.number,
                "verdict": standing.verdict,
                "head_commit": standing.pull.head_commit,
                "items": found,
                "total": len(found),
                "next": None,
            }
        )


def summary(standing: Standing) -> str:
    """Why a pull request stands as it does, in a sentence."""
    verdict = standing.verdict
    if verdict in ("merged", "closed"):
        return f"It is {verdict}."
    blocking = [one.what for one in standing.obstacles if one.blocking]
    if not blocking:
        return "Nothing stands between it and its merge."
    more = f", and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    return f"{blocking[0]}{more}."


def next_step(standing: Standing) -> str:
    number = standing.pull.number
    match standing.verdict:
        case "ready":
            return f"`ade prs merge {number} --expect {standing.pull.head_commit}` merges it."
        case "waiting":
            return f"`ade prs watch {number} --until checks` waits."
        case "blocked":
            return f"`ade prs issue-inventory {number} --text` tells what to do."
        case "merged":
            return "Delete the lane with `ade lanes delete` when nobody needs it."
        case _:
            return f"`ade prs reopen {number}` opens it again."


def _lane(of: LanesOf, item: JsonObject) -> str | None:
    lane = of.lane(item["number"], item["head_owner"], item["head_branch"])
    return None if lane is None else lane.name


def _line(place: Place, of: LanesOf, item: JsonObject) -> JsonObject:
    line = {name: value for name, value in item.items() if name not in ("head_owner", "head_commit")}
    line["head_branch"] = branch_shown(place, item["head_owner"], item["head_branch"])
    return {**line, "lane": _lane(of, item), "deeplink": deeplink(place, item["number"])}
