"""Actions about ade:// links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import deeplink as models
from ade_generated.models.types import Deeplink
from ade_runtime.deeplinks import DeeplinkProblem, mint, parse

if TYPE_CHECKING:
    from ade_runtime.deeplinks.mint import Target
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

MAY_BE_LEFT_OUT = {
    "lane": ("project",),
    "commit": ("project",),
    "file": ("project", "lane", "commit", "line", "column", "end_line", "end_column"),
}


class DeeplinkHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def mint(self, call: Call, args: models.DeeplinkMintInput) -> Deeplink:
        draft = args.target.to_wire()
        whole = dict.fromkeys(MAY_BE_LEFT_OUT.get(args.target.kind, ())) | draft
        target = Deeplink.from_wire({"link": "", "target": whole}).target
        try:
            return Deeplink(link=mint(target), target=target)
        except DeeplinkProblem as problem:
            raise _refusal(problem) from problem

    async def parse(self, call: Call, args: models.DeeplinkParseInput) -> Deeplink:
        try:
            target: Target = parse(args.link)
            return Deeplink(link=mint(target), target=target)
        except DeeplinkProblem as problem:
            raise _refusal(problem) from problem


def _refusal(problem: DeeplinkProblem) -> errors.InvalidDeeplink:
    details = {"part": problem.part, "at": problem.at}
    return errors.InvalidDeeplink(part=problem.part, problem=problem.problem, details=details)
