"""conflicts.simulate_integration: several lanes, one after the other, into one target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ade_generated.models.conflicts import ConflictsSimulateIntegrationOutput
from ade_generated.models.conflicts import ConflictsSimulateIntegrationOutputItemsItem as Step
from ade_generated.models.types import ConflictFailure
from ade_runtime.comparisons.describe import Budget, describe
from ade_runtime.comparisons.heads import Head
from ade_runtime.comparisons.overlap import work_of
from ade_runtime.comparisons.targets import Bench, heads_of
from ade_runtime.comparisons.trials import Trial, party, shown_paths, try_merge
from ade_runtime.comparisons.work import each, failure
from ade_runtime.integrations.git.working_copy import commit_tree
from ade_runtime.lanes.failures import translated

if TYPE_CHECKING:
    from ade_generated.models.conflicts import ConflictsSimulateIntegrationInput
    from ade_runtime.lanes.records import LaneRecord

StepOutcome = Literal["clean", "conflict", "up_to_date", "failed", "not_tried"]


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    head: Head | None
    outcome: StepOutcome
    trial: Trial | None = None
    conflicts_with: tuple[str, ...] = ()


class Integration:
    """The state between two lanes: what the target would be by now, and which lanes are in it."""

    def __init__(self, bench: Bench, target: Head, budget: Budget) -> None:
        self._bench = bench
        self._target = target
        self._current = target
        self._budget = budget
        self._merged: list[Head] = []
        self.failures: list[ConflictFailure] = []

    async def run(
        self, records: Sequence[LaneRecord], args: ConflictsSimulateIntegrationInput
    ) -> ConflictsSimulateIntegrationOutput:
        heads = await heads_of(self._bench, records)
        self.failures += heads.failures
        by_id = {head.lane.id: head for head in heads.found if head.lane is not None}
        steps: list[_Step] = []
        stopped = False
        for number, record in enumerate(records, 1):
            step = await self._step(record.name, by_id.get(record.id), stopped)
            stopped = stopped or (args.on_conflict == "stop" and step.outcome in ("conflict", "failed"))
            steps.append(step)
            self._bench.call.progress(f"{number} of {len(records)} lanes", number / len(records))
        return await self._answer(steps, heads.notes)

    async def _step(self, name: str, head: Head | None, stopped: bool) -> _Step:
        if stopped:
            return _Step(name, head, "not_tried")
        if head is None:
            return _Step(name, None, "failed")
        outcome = await each([head], self._try)
        if outcome.failed:
            self.failures.append(failure([name], outcome.failed[0][1]))
            return _Step(name, head, "failed")
        trial = outcome.done[0][1]
        if trial.outcome == "conflict":
            return _Step(name, head, "conflict", trial, await self._culprits(trial))
        if trial.outcome == "clean":
            await self._advance(head, trial)
        return _Step(name, head, trial.outcome, trial)

    async def _try(self, head: Head) -> Trial:
        return await try_merge(self._bench.main, self._bench.place, self._current, head)

    async def _advance(self, head: Head, trial: Trial) -> None:
        """Make the merge a passing commit, so that the next lane meets what it would meet."""
        main, place = self._bench.main, self._bench.place
        with translated(head.name):
            tree = await main.git.run("rev-parse", f"{trial.tree}^{{tree}}", env=place.env, read_only=True)
            parents = (self._current.commit, head.commit)
            commit = await commit_tree(main, place.env, tree.text, parents, f"Merge {head.name}")
        self._current = replace(self._current, commit=commit)
        self._merged.append(head)

    async def _culprits(self, trial: Trial) -> tuple[str, ...]:
        """Lanes merged before that changed one of the files in conflict."""
        paths = {entry.path for entry in trial.entries}
        works = await each(
            self._merged, lambda head: work_of(self._bench.main, self._bench.place, head, self._target)
        )
        for head, problem in works.failed:
            self.failures.append(failure([head.name], problem))
        return tuple(head.name for head, work in works.done if paths & work.changes.keys())

    async def _answer(self, steps: list[_Step], notes: list[str]) -> ConflictsSimulateIntegrationOutput:
        main, place = self._bench.main, self._bench.place
        with translated():
            tree = await main.git.run(
                "rev-parse", f"{self._current.commit}^{{tree}}", env=place.env, read_only=True
            )
        good = sum(step.outcome in ("clean", "up_to_date") for step in steps)
        return ConflictsSimulateIntegrationOutput(
            clean=good == len(steps),
            summary=f"{good} of {len(steps)} lanes go together into {self._target.name}",
            target=party(self._target),
            items=[await self._show(step) for step in steps],
            total=len(steps),
            next=None,
            merged=sum(step.outcome == "clean" for step in steps),
            tree=tree.text if self._merged else None,
            failures=self.failures,
            notes=notes,
        )

    async def _show(self, step: _Step) -> Step:
        entries = step.trial.entries if step.trial is not None else []
        return Step(
            lane=step.name,
            commit=step.head.commit if step.head is not None and step.trial is not None else None,
            outcome=step.outcome,
            files=await describe(self._bench.main, self._bench.place.env, entries, self._budget),
            conflicts=len(entries),
            paths=shown_paths(entries, self._budget),
            conflicts_with=list(step.conflicts_with),
        )
