"""Merging one head into another in memory, and saying how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ade_generated import errors
from ade_generated.models.types import MergeParty, MergeTrial
from ade_runtime.comparisons.describe import Budget, describe
from ade_runtime.comparisons.heads import Head, merge_bases
from ade_runtime.integrations.git.merge_tree import ConflictEntry, merge_commits
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch
from ade_runtime.integrations.git.text import show_path
from ade_runtime.lanes.failures import translated

OutcomeName = Literal["clean", "conflict", "up_to_date"]
PATHS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Trial:
    """``tree`` is a tree-ish of the result, ``None`` where there was nothing to merge. ``base`` is the latest
    common commit, if there is exactly one."""

    into: Head
    source: Head
    outcome: OutcomeName
    base: str | None
    tree: str | None
    entries: list[ConflictEntry]
    fast_forward: bool

    def words(self) -> str:
        how = {"clean": "merges", "up_to_date": "is merged already"}.get(self.outcome)
        count = len(self.entries)
        how = how or f"is in conflict in {count} {'file' if count == 1 else 'files'}"
        return f"{self.source.name} into {self.into.name}: {how}"


async def try_merge(main: Repository, place: Scratch, into: Head, source: Head) -> Trial:
    """Merge ``source`` into ``into``; raises ``unrelated_histories``."""
    bases = await merge_bases(main, into.commit, source.commit, place)
    if not bases:
        raise errors.UnrelatedHistories(one=source.name, other=into.name)
    base = bases[0] if len(bases) == 1 else None
    if source.commit in bases:
        return Trial(into, source, "up_to_date", base, None, [], False)
    if into.commit in bases:
        return Trial(into, source, "clean", base, source.commit, [], True)
    with translated(source.name):
        merge = await merge_commits(main, into.commit, source.commit, place.env)
    return Trial(into, source, "clean" if merge.clean else "conflict", base, merge.tree, merge.entries, False)


async def show_trial(main: Repository, place: Scratch, trial: Trial, budget: Budget) -> MergeTrial:
    """A trial as an answer shows it, with as much about its conflicts as ``budget`` leaves room for."""
    return MergeTrial(
        into=party(trial.into),
        source=party(trial.source),
        outcome=trial.outcome,
        summary=trial.words(),
        merge_base=trial.base,
        files=await describe(main, place.env, trial.entries, budget),
        total=len(trial.entries),
        paths=shown_paths(trial.entries, budget),
    )


def party(head: Head) -> MergeParty:
    return MergeParty(
        lane=head.lane.name if head.lane else None,
        ref=head.ref,
        commit=head.commit,
        uncommitted=head.uncommitted,
    )


def shown_paths(entries: list[ConflictEntry], budget: Budget) -> list[str]:
    return [show_path(entry.path) for entry in entries[: budget.take_paths(PATHS_SHOWN, len(entries))]]
