"""Landing the next pull request of a queue: retargeted, brought up to date, checked, merged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ade_runtime.contracts import AdeError
from ade_runtime.pulls.service import told
from ade_runtime.pulls.standing import Standing, read_standing

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.pull import Pull
    from ade_runtime.pulls.queues import Entry, Queue
    from ade_runtime.services import Services

NOT_NOW = ("pr_not_mergeable", "pr_protected", "pr_method_not_allowed", "pr_head_moved")
"""Refusals of a merge that block its entry until somebody has mended what they name."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What is done to a pull request by its number, as the actions of that name do it; ``merge`` is given the commit, too."""

    retarget: Callable[[int, str], Awaitable[Any]]
    update: Callable[[int, str], Awaitable[Any]]
    merge: Callable[[int, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """``result`` is landed, waiting or blocked; ``reason`` a sentence."""

    entry: Entry
    result: str
    reason: str


class Landing:
    """One look at the first entry of a queue."""

    def __init__(self, services: Services, call: Call, place: Place, queue: Queue, steps: Steps) -> None:
        self._call, self._place, self._queue, self._steps = call, place, queue, steps
        self._pulls = services.pulls

    async def land(self, entry: Entry) -> Outcome:
        pull = await self._pulls.read(self._call, self._place, entry.number)
        if pull.state == "merged":
            return self._landed(entry, pull, f"Pull request {pull.number} had been merged already.")
        if pull.state == "closed":
            return self._blocked(entry, f"Pull request {pull.number} was closed.")
        if pull.base_branch != self._queue.target:
            await self._steps.retarget(pull.number, self._queue.target)
            pull = await self._pulls.again(self._call, pull)
        standing = await read_standing(pull)
        if await self._is_behind(pull):
            return await self._update(entry, standing)
        return await self._merge(entry, standing)

    async def _is_behind(self, pull: Pull) -> bool:
        """Whether the target has commits that the pull request lacks."""
        span = f"{quote(self._queue.target, safe='')}...{pull.head_commit}"
        with told():
            found = await self._place.client.get(f"{self._place.path}/compare/{span}", "compare branches")
        return int(found["behind_by"]) > 0

    async def _update(self, entry: Entry, standing: Standing) -> Outcome:
        pull = standing.pull
        if standing.mergeable == "no":
            return self._blocked(entry, f"Pull request {pull.number} conflicts with {self._queue.target}.")
        expects = sorted(
            {*entry.expects, *(check.name for check in standing.checks if check.kind != "expected")}
        )
        try:
            await self._steps.update(pull.number, pull.head_commit)
        except AdeError as problem:
            if problem.retry or problem.code != "pr_not_mergeable":
                raise
            return self._blocked(entry, problem.message)
        entry = replace(entry, expects=expects)
        fresh = await read_standing(await self._pulls.again(self._call, pull))
        return await self._merge(entry, fresh)

    async def _merge(self, entry: Entry, standing: Standing) -> Outcome:
        pull, verdict = standing.pull, standing.verdict
        blocking = [one.what for one in standing.obstacles if one.blocking]
        if verdict == "blocked":
            return self._blocked(entry, f"{blocking[0]}.")
        there = {check.name: check.state for check in standing.checks}
        begins = [name for name in entry.expects if there.get(name, "missing") in ("missing", "pending")]
        if verdict == "waiting" or begins:
            reason = blocking[0] if blocking else f"{begins[0]} has not ended on the new commit"
            return Outcome(replace(entry, state="waiting", note=f"{reason}."), "waiting", f"{reason}.")
        try:
            await self._steps.merge(pull.number, pull.head_commit)
        except AdeError as problem:
            if problem.code not in NOT_NOW:
                raise
            return self._blocked(entry, problem.message)
        merged = await self._pulls.again(self._call, pull)
        return self._landed(entry, merged, f"Pull request {pull.number} is merged.")

    @staticmethod
    def _landed(entry: Entry, pull: Pull, reason: str) -> Outcome:
        commit = pull.raw.get("merge_commit_sha")
        return Outcome(replace(entry, state="landed", note=None, merge_commit=commit), "landed", reason)

    @staticmethod
    def _blocked(entry: Entry, reason: str) -> Outcome:
        return Outcome(replace(entry, state="blocked", note=reason), "blocked", reason)
