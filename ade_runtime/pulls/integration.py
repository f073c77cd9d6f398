"""An integration lane: what several lanes hold, merged in order on top of the branch they are to land in.

The lanes themselves, their folders and their branches are only read. The new lane appears whole or not at all, and a call that
is repeated, after an error or a kill, finds it by its name and by what it holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.comparisons.heads import Head, lane_commit, lane_head
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.lanes.base import Base
from ade_runtime.lanes.create import NewLane, checked_lane_name, make_lane
from ade_runtime.lanes.failures import translated
from ade_runtime.lanes.naming import name_key
from ade_runtime.lanes.records import primary_lane
from ade_runtime.pulls.weaving import Thread, holds, try_weaving, weave

if TYPE_CHECKING:
    from ade_runtime.integrations.git.repository import Repository
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.services import Services

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Integrated:
    """``threads`` are in the order of the lanes; ``created`` is false where the lane was there already."""

    lane: LaneRecord
    commit: str
    threads: Sequence[Thread]
    created: bool

    @property
    def left_out(self) -> list[str]:
        """Names of the lanes in conflict."""
        return [one.head.name for one in self.threads if one.outcome == "conflict"]


class Integration:
    """One call of it. What the remote has must have been fetched."""

    def __init__(self, services: Services, call: Call, place: Place, target: str) -> None:
        self._services, self._call, self._place = services, call, place
        self._target = target
        self._main: Repository = services.lanes.repository(primary_lane(call.project), call.caller.env)

    async def make(
        self, lanes: Sequence[LaneRecord], name: str, *, skip: bool, numbers: Mapping[str, int]
    ) -> Integrated:
        """The lane of that name that holds what the lanes hold; with ``skip`` those in conflict are left out.

        ``numbers`` are pull requests by lane id. Raises ``integration_conflict``, ``integration_empty``,
        ``integration_diverged``, ``pr_base_missing`` and ``lane_name_taken``.
        """
        name = checked_lane_name(name)
        heads = [await self._head(lane) for lane in lanes]
        async with self._services.locks.lane(f"integration-{self._call.project.id}"):
            found = await self._found(name, heads, skip=skip)
            if found is not None:
                return found
            target = await self._target_head()
            threads = await try_weaving(self._main, target, heads)
            _check(threads, self._target, skip=skip)
            taken = [one.head for one in threads if one.outcome == "merged"]
            commit = await weave(self._main, target, taken, [_message(head, numbers) for head in taken])
            lane = await self._make(name, target, commit, [head.name for head in taken])
            return Integrated(lane, commit, threads, True)

    async def _found(self, name: str, heads: Sequence[Head], *, skip: bool) -> Integrated | None:
        """The lane of that name, where it holds all of it; raises ``lane_name_taken`` for any other."""
        lanes = await self._services.lanes.all(self._call.project)
        lane = next((one for one in lanes if name_key(one.name) == name_key(name)), None)
        if lane is None:
            return None
        taken = errors.LaneNameTaken(name=name, other=lane.name)
        if lane.state != "active" or lane.id in {one.lane.id for one in heads if one.lane is not None}:
            raise taken
        whole = await lane_head(self._services.lanes, lane)
        threads = await holds(self._main, whole, heads)
        lacking = [one for one in threads if one.outcome == "merged" or (one.files and not skip)]
        if lacking or all(one.files for one in threads):
            raise taken
        return Integrated(lane, whole.commit, threads, False)

    async def _make(self, name: str, target: Head, commit: str, names: Sequence[str]) -> LaneRecord:
        base = Base(target.name, commit, target.name)
        new = NewLane(
            name=name, base=base, description=f"Integrates {words(names)}.", begins_after=target.commit
        )
        with translated(name):
            return await make_lane(
                self._services.lanes,
                self._call.project,
                new,
                self._call.progress,
                env=self._call.caller.env,
            )

    async def _target_head(self) -> Head:
        name = f"{self._place.remote}/{self._target}"
        with translated():
            commit = await resolve_ref(self._main.git, f"refs/remotes/{name}^{{commit}}")
        if commit is None:
            raise errors.PrBaseMissing(repository=self._place.repository.full_name, base=self._target)
        return Head(name=name, commit=commit, tip=commit, ref=name)

    async def _head(self, lane: LaneRecord) -> Head:
        """The newer of what the lane has and what its branch has at the remote."""
        own, branch = await lane_commit(self._services.lanes, lane)
        name = await self._services.pulls.remote_branch(lane)
        git = self._main.git
        with translated(lane.name):
            there = name and await resolve_ref(git, f"refs/remotes/{self._place.remote}/{name}^{{commit}}")
            if there and not await _reaches(git, own, there):
                if not await _reaches(git, there, own):
                    raise errors.IntegrationDiverged(lane=lane.name, branch=str(name))
                own = there
        return Head(name=lane.name, commit=own, tip=own, lane=lane, ref=branch)


def default_name(lanes: Sequence[LaneRecord]) -> str:
    """The same for the same lanes in the same order."""
    whole = "integration-" + "-".join(re.sub(r"[^A-Za-z0-9]+", "-", lane.name).strip("-") for lane in lanes)
    if len(whole) <= LONGEST_NAME:
        return whole
    told = hashlib.sha256("\0".join(lane.id for lane in lanes).encode()).hexdigest()[:8]
    return f"{whole[: LONGEST_NAME - 9].rstrip('-')}-{told}"


def words(names: Sequence[str]) -> str:
    """Names as a part of a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def description(done: Integrated, numbers: Mapping[str, int]) -> str:
    """Text of the pull request."""
    lines = ["Merged in this order:", ""]
    for one in done.threads:
        if one.outcome != "conflict":
            lines.append(f"- {_named(one.head, numbers)} at {one.head.commit[:10]}")
    if done.left_out:
        lines += ["", f"Left out because of conflicts: {words(done.left_out)}."]
    return "\n".join(lines)


def _check(threads: Sequence[Thread], target: str, *, skip: bool) -> None:
    stuck = [one for one in threads if one.outcome == "conflict"]
    if stuck and not skip:
        first = stuck[0]
        told = [
            {"lane": one.head.name, "files": list(one.files[:50]), "with": list(one.rivals)} for one in stuck
        ]
        raise errors.IntegrationConflict(
            lane=first.head.name,
            others=words(first.rivals) or target,
            count=len(first.files),
            details={"conflicts": told},
        )
    if not any(one.outcome == "merged" for one in threads):
        raise errors.IntegrationEmpty(lanes=words([one.head.name for one in threads]), target=target)


def _message(head: Head, numbers: Mapping[str, int]) -> str:
    return f"Merge lane {_named(head, numbers)}"


def _named(head: Head, numbers: Mapping[str, int]) -> str:
    number = numbers.get(head.lane.id) if head.lane is not None else None
    return head.name if number is None else f"{head.name} (#{number})"


async def _reaches(git: Git, start: str, commit: str) -> bool:
    """Whether ``commit`` is ``start`` or one of its ancestors."""
    return (await git.read("merge-base", "--is-ancestor", commit, start, ok=(0, 1))).code == 0
