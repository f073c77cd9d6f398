"""pr.watch: waiting for what happens to a pull request."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from ade_generated.models import pr as models
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.domains.pr.reading import next_step
from ade_runtime.pulls.listing import differences
from ade_runtime.pulls.standing import Standing, read_standing

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call


class WatchActions(PullActions):
    async def watch(self, call: Call, args: models.PrWatchInput) -> models.PrWatchOutput:
        end = time.monotonic() + args.wait
        pull = await self._read(call, args.number, args.lane)
        first = standing = await read_standing(pull)
        changes: list[str] = []
        while not _reached(standing, args.until, changes) and (left := end - time.monotonic()) > 0:
            call.progress(f"pull request {pull.number} is {standing.verdict}", None)
            await asyncio.sleep(min(left, args.every))
            before, standing = (
                standing,
                await read_standing(await self._pulls.read(call, pull.place, pull.number)),
            )
            if said := differences(_document(before), _document(standing)):
                changes += said
                self._pulls.listings.publish(call, pull.place, pull.number, said)
        return models.PrWatchOutput.model_validate(
            {
                "number": pull.number,
                "verdict": standing.verdict,
                "reached": _reached(standing, args.until, changes),
                "changed": _document(first) != _document(standing),
                "changes": changes,
                "head_commit": standing.pull.head_commit,
                "checks": standing.counts,
                "url": pull.url,
                "next": next_step(standing),
            }
        )


def _reached(standing: Standing, until: str, changes: list[str]) -> bool:
    over = standing.pull.state != "open"
    match until:
        case "change":
            return bool(changes) or over
        case "checks":
            return over or not standing.counts.pending
        case "ready":
            return over or standing.verdict == "ready"
        case _:
            return over


def _document(standing: Standing) -> JsonObject:
    """What is compared between two looks."""
    raw: Any = standing.pull.raw
    return {
        "head_commit": standing.pull.head_commit,
        "state": standing.pull.state,
        "review": standing.decision,
        "title": raw["title"],
        "draft": bool(raw.get("draft")),
        "checks": standing.counts.model_dump(),
        "mergeable": standing.mergeable,
    }
