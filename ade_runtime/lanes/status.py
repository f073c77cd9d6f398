"""The state of many lanes at once, with as little work as their number allows.

One run of git reads all branches, one more compares each lane with its parent where the two differ. Small
worktrees are proved clean without git; git is asked about the others, a few at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.state import operation
from ade_runtime.integrations.git.status import Status, read_status
from ade_runtime.lanes.clean_cache import CleanCache
from ade_runtime.lanes.tips import Tip, read_tips

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.projects.registry import Project

GITS = max(2, os.cpu_count() or 1)
_PAUSE = 0.004
_CACHE_SIZE = 4096
_clean = CleanCache()
_divergence: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
"""Commits on either side of two commits. It never changes, so it is kept across calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneStatus:
    """Counts of files, and of commits on either side of parent and upstream (``None`` where there is
    none)."""

    head: str | None
    branch: str | None
    staged: int = 0
    changed: int = 0
    untracked: int = 0
    conflicted: int = 0
    ahead: int | None = None
    behind: int | None = None
    upstream: str | None = None
    upstream_ahead: int | None = None
    upstream_behind: int | None = None
    operation: str | None = None

    @property
    def dirty(self) -> bool:
        return bool(self.staged or self.changed or self.untracked or self.conflicted)

    @property
    def files(self) -> int:
        return self.staged + self.changed + self.untracked + self.conflicted


async def read_statuses(
    project: Project, lanes: list[LaneRecord], asked: list[LaneRecord]
) -> dict[str, LaneStatus]:
    """Status by lane id of those ``asked`` whose folder is there. ``lanes`` are all of the project's, since a
    lane is compared with its parent."""
    present = [lane for lane in asked if lane.present]
    if not present:
        return {}
    git = Repository(project.root, project.git_dir).git
    tips = await read_tips(git, project, lanes)
    found = await _Sweep(present, tips).run()
    return await _compared(git, tips, lanes, found)


async def read_one(project: Project, lanes: list[LaneRecord], lane: LaneRecord) -> LaneStatus | None:
    """Status of one lane, ``None`` when its folder is gone."""
    return (await read_statuses(project, lanes, [lane])).get(lane.id)


class _Sweep:
    """One look at many worktrees. A thread tries to prove each clean; those for which that fails are ``hard``
    ones, for which git is asked meanwhile. Starting git costs this process more than a proof does."""

    def __init__(self, lanes: list[LaneRecord], tips: dict[str, Tip]) -> None:
        self._lanes = lanes
        self._hard: deque[LaneRecord] = deque()
        self._tips = tips
        self._found: dict[str, LaneStatus] = {}

    async def run(self) -> dict[str, LaneStatus]:
        prover = asyncio.ensure_future(asyncio.to_thread(self._prove))
        await asyncio.gather(prover, *(self._ask(prover) for _ in range(min(GITS, len(self._lanes)))))
        return self._found

    def _prove(self) -> None:
        for lane in self._lanes:
            status = _proved(lane, self._tips.get(lane.id))
            if status is None:
                self._hard.append(lane)
            else:
                self._found[lane.id] = status

    async def _ask(self, prover: asyncio.Future[None]) -> None:
        while True:
            done = prover.done()
            try:
                lane = self._hard.popleft()
            except IndexError:
                if done:
                    return
                await asyncio.wait([prover], timeout=_PAUSE)
                continue
            with contextlib.suppress(GitError):
                self._found[lane.id] = await ask_git(lane)


OWN_FOLDERS = frozenset([b".ade"])
"""Of ADE itself in the root of a worktree: lanes and spools, which git is told to ignore."""


def certainly_clean(lane: LaneRecord, tree: str) -> bool:
    """Whether it is proved, without git, that a lane with the commit of this tree checked out has no changes."""
    return lane.git_dir is not None and _clean.is_clean(lane.path, lane.git_dir, tree, besides=OWN_FOLDERS)


def _proved(lane: LaneRecord, tip: Tip | None) -> LaneStatus | None:
    if tip is None or lane.git_dir is None or tip.tree is None or not certainly_clean(lane, tip.tree):
        return None
    return LaneStatus(
        head=tip.commit,
        branch=tip.branch,
        upstream=tip.upstream,
        upstream_ahead=tip.ahead,
        upstream_behind=tip.behind,
        operation=operation(lane.git_dir),
    )


async def ask_git(lane: LaneRecord) -> LaneStatus:
    """Counts from ``git status`` itself."""
    repository = Repository(lane.path, lane.project.git_dir)
    status = await read_status(repository.git, renames=False)
    return from_status(status, operation(repository.git_dir))


def from_status(status: Status, unfinished: str | None) -> LaneStatus:
    return LaneStatus(
        head=status.head,
        branch=status.branch,
        staged=len(status.staged),
        changed=len(status.changed),
        untracked=len(status.untracked),
        conflicted=len(status.unmerged),
        upstream=status.upstream,
        upstream_ahead=status.ahead,
        upstream_behind=status.behind,
        operation=unfinished,
    )


async def read_distances(
    project: Project, lanes: list[LaneRecord], asked: list[LaneRecord]
) -> dict[str, tuple[int, int]]:
    """How many commits each lane is ahead and behind of what it is merged into, by lane id; files are not
    looked at."""
    git = Repository(project.root, project.git_dir).git
    tips = await read_tips(git, project, lanes)
    heads = {lane.id: tips[lane.id].commit for lane in asked if lane.id in tips}
    return await _distances(git, tips, lanes, heads)


async def _compared(
    git: Git, tips: dict[str, Tip], lanes: list[LaneRecord], found: dict[str, LaneStatus]
) -> dict[str, LaneStatus]:
    """Add how far each lane is ahead and behind of what it is merged into."""
    heads = {lane_id: status.head for lane_id, status in found.items()}
    distances = await _distances(git, tips, lanes, heads)
    return {
        lane_id: replace(status, ahead=distances[lane_id][0], behind=distances[lane_id][1])
        if lane_id in distances
        else status
        for lane_id, status in found.items()
    }


async def _distances(
    git: Git, tips: dict[str, Tip], lanes: list[LaneRecord], heads: dict[str, str | None]
) -> dict[str, tuple[int, int]]:
    by_id = {lane.id: lane for lane in lanes}
    pairs: dict[str, tuple[str, str]] = {}
    for lane_id, head in heads.items():
        target = target_commit(by_id[lane_id], lanes, tips)
        if head is not None and target is not None:
            pairs[lane_id] = (head, target)
    await _fill_divergence(git, set(pairs.values()))
    out: dict[str, tuple[int, int]] = {}
    for lane_id, pair in pairs.items():
        counts = (0, 0) if pair[0] == pair[1] else _divergence.get(pair)
        if counts is not None:
            out[lane_id] = counts
    return out


def target_commit(lane: LaneRecord, lanes: list[LaneRecord], tips: dict[str, Tip]) -> str | None:
    """The commit a lane is compared with: its parent's latest or, on the primary lane, that of the branch it
    was started from as long as there is one."""
    if lane.is_primary:
        return None
    if lane.parent_id is None and lane.base_branch is not None and ("base:" + lane.base_branch) in tips:
        return tips["base:" + lane.base_branch].commit
    parent = next((other for other in lanes if other.id == lane.parent_id), lanes[0])
    tip = tips.get(parent.id)
    return tip.commit if tip is not None else None


async def _fill_divergence(git: Git, pairs: set[tuple[str, str]]) -> None:
    missing = [pair for pair in pairs if pair[0] != pair[1] and pair not in _divergence]
    waiting = deque(missing)

    async def work() -> None:
        while waiting:
            one, other = waiting.pop()
            result = await git.read("rev-list", "--left-right", "--count", f"{one}...{other}", check=False)
            if result.code == 0:
                left, right = result.text.split()
                _divergence[(one, other)] = (int(left), int(right))
                while len(_divergence) > _CACHE_SIZE:
                    _divergence.popitem(last=False)

    await asyncio.gather(*(work() for _ in range(GITS)))
