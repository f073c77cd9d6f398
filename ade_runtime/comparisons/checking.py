"""conflicts.check: lanes into their parents and into each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from ade_generated.models.conflicts import ConflictsCheckOutput
from ade_generated.models.types import ConflictFailure
from ade_runtime.comparisons.describe import Budget
from ade_runtime.comparisons.heads import Head
from ade_runtime.comparisons.targets import Bench, heads_of, no_parent
from ade_runtime.comparisons.trials import Trial, show_trial, try_merge
from ade_runtime.comparisons.work import each, failure

if TYPE_CHECKING:
    from ade_generated.models.conflicts import ConflictsCheckInput
    from ade_runtime.lanes.records import LaneRecord

Pair = tuple[Head, Head]
_RANK = {"conflict": 0, "clean": 1, "up_to_date": 2}


@dataclass(slots=True)
class _Plan:
    """Merges to try, as ``(into, source)``."""

    pairs: list[Pair] = field(default_factory=list)
    failures: list[ConflictFailure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


async def check(
    bench: Bench, args: ConflictsCheckInput, records: Sequence[LaneRecord]
) -> ConflictsCheckOutput:
    """Try every merge asked for; a merge that could not be tried is a failure in the answer, or raised if it
    is the only one."""
    plan = await _plan(bench, args, records)
    outcome = await each(
        plan.pairs,
        lambda pair: try_merge(bench.main, bench.place, *pair),
        call=bench.call,
        what="merges tried",
    )
    if outcome.failed and len(plan.pairs) == 1:
        raise outcome.failed[0][1]
    for pair, problem in outcome.failed:
        plan.failures.append(failure([pair[1].name, pair[0].name], problem))
    trials = sorted((trial for _, trial in outcome.done), key=lambda trial: _RANK[trial.outcome])
    conflicts = sum(trial.outcome == "conflict" for trial in trials)
    budget = Budget(args.limit)
    return ConflictsCheckOutput(
        clean=conflicts == 0 and not plan.failures,
        summary=summary(trials, conflicts, len(plan.failures)),
        items=[await show_trial(bench.main, bench.place, trial, budget) for trial in trials],
        total=len(trials),
        next=None,
        conflicts=conflicts,
        failures=plan.failures,
        notes=plan.notes,
    )


def summary(trials: Sequence[Trial], conflicts: int, failed: int) -> str:
    """The whole result in a sentence."""
    tried = f"{len(trials)} {'merge' if len(trials) == 1 else 'merges'} tried"
    found = f"{conflicts} in conflict" if conflicts else "no conflict"
    return f"{tried}, {found}" + (f"; {failed} could not be tried" if failed else "")


async def _plan(bench: Bench, args: ConflictsCheckInput, records: Sequence[LaneRecord]) -> _Plan:
    target = await bench.target(args.target, args.target_ref)
    if target is None and len(records) == 1 and records[0].is_primary:
        raise no_parent(records[0])
    heads = await heads_of(bench, records)
    plan = _Plan(failures=heads.failures, notes=heads.notes)
    for head in heads.found:
        assert head.lane is not None
        into = target or await _parent(bench, head.lane, plan)
        if into is not None and _key(into) != _key(head):
            plan.pairs.append((into, head))
    if args.pairs:
        known = {frozenset((_key(into), _key(source))) for into, source in plan.pairs}
        later = combinations(heads.found, 2)
        plan.pairs += [pair for pair in later if frozenset(map(_key, pair)) not in known]
    return plan


def _key(head: Head) -> str:
    return head.lane.id if head.lane is not None else f"ref {head.ref}"


async def _parent(bench: Bench, record: LaneRecord, plan: _Plan) -> Head | None:
    outcome = await each([record], bench.parent)
    for _, problem in outcome.failed:
        plan.failures.append(failure([record.name], problem))
    parent = outcome.done[0][1] if outcome.done else None
    if parent is None and not outcome.failed:
        plan.notes.append(f"{record.name} has no parent to be merged into.")
    return parent
