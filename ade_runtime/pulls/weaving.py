"""Merging several lanes one after the other into one commit, without a checkout: first beside the repository, then in it.

Only where everything is known to go well are the commits written, and nothing points at them until a lane is made at the last.
A process that is killed on the way leaves objects that git clears away by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ade_runtime.comparisons.heads import Head
from ade_runtime.comparisons.overlap import work_of
from ade_runtime.comparisons.trials import try_merge
from ade_runtime.integrations.git.merge_tree import merge_commits
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.scratch import Scratch, scratch
from ade_runtime.integrations.git.text import show_path
from ade_runtime.integrations.git.working_copy import commit_tree
from ade_runtime.lanes.failures import translated

Outcome = Literal["merged", "up_to_date", "conflict"]


@dataclass(frozen=True, slots=True)
class Thread:
    """What becomes of one lane. ``up_to_date``: what it holds is in already. ``files`` are in conflict, with what the lanes
    ``rivals`` changed, or the target where there are none."""

    head: Head
    outcome: Outcome
    files: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()


async def try_weaving(main: Repository, target: Head, heads: Sequence[Head]) -> list[Thread]:
    """What merging the heads into the target in this order would give; one in conflict is left out. Nothing stays of it."""
    async with scratch(main) as place:
        trial = _Trial(main, place, target)
        return [await trial.take(head) for head in heads]


async def weave(main: Repository, target: Head, heads: Sequence[Head], messages: Sequence[str]) -> str:
    """Write merge commits of the heads, by whoever the repository's git says, and give the last one's id.

    The heads must merge; see :func:`try_weaving`.
    """
    commit, sign = target.commit, await _signing(main.git)
    for head, message in zip(heads, messages, strict=True):
        with translated(head.name):
            merged = await merge_commits(main, commit, head.commit, {})
            if not merged.clean:
                raise ValueError(f"{head.name} was to merge and does not")
            parents = ("-p", commit, "-p", head.commit)
            made = await main.git.run("commit-tree", *sign, *parents, "-m", message, merged.tree)
        commit = made.text
    return commit


async def holds(main: Repository, whole: Head, heads: Sequence[Head]) -> list[Thread]:
    """For each head by itself, what merging it into ``whole`` would give."""
    async with scratch(main) as place:
        return [await _Trial(main, place, whole).take(head) for head in heads]


class _Trial:
    """The state between two heads: what the target would be by now, and which heads are in it."""

    def __init__(self, main: Repository, place: Scratch, target: Head) -> None:
        self._main, self._place = main, place
        self._target = self._current = target
        self._in: list[Head] = []

    async def take(self, head: Head) -> Thread:
        trial = await try_merge(self._main, self._place, self._current, head)
        if trial.outcome == "conflict":
            files = tuple(show_path(entry.path) for entry in trial.entries)
            return Thread(
                head, "conflict", files, await self._rivals({entry.path for entry in trial.entries})
            )
        if trial.outcome == "up_to_date":
            return Thread(head, "up_to_date")
        env = self._place.env
        with translated(head.name):
            tree = await _tree(self._main.git, str(trial.tree), env)
            if tree == await _tree(self._main.git, self._current.commit, env):
                return Thread(head, "up_to_date")
            parents = (self._current.commit, head.commit)
            commit = await commit_tree(self._main, env, tree, parents, f"Merge {head.name}")
        self._current = replace(self._current, commit=commit)
        self._in.append(head)
        return Thread(head, "merged")

    async def _rivals(self, paths: set[bytes]) -> tuple[str, ...]:
        """The heads taken in before that changed one of these files."""
        works = [await work_of(self._main, self._place, head, self._target) for head in self._in]
        return tuple(work.head.name for work in works if paths & work.changes.keys())


async def _tree(git: Git, treeish: str, env: Mapping[str, str]) -> str:
    return (await git.run("rev-parse", f"{treeish}^{{tree}}", env=env, read_only=True)).text


async def _signing(git: Git) -> list[str]:
    """What has commits signed, where the repository's git is told to."""
    told = await git.read("config", "--type=bool", "--get", "commit.gpgsign", ok=(0, 1))
    return ["--gpg-sign"] if told.text == "true" else []
