"""conflicts.simulate_merge: one lane into one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models.conflicts import ConflictsSimulateMergeOutput
from ade_runtime.comparisons.describe import Budget
from ade_runtime.comparisons.targets import Bench, require_target
from ade_runtime.comparisons.trials import PATHS_SHOWN, Trial, show_trial, try_merge
from ade_runtime.integrations.git.text import show_path
from ade_runtime.lanes.failures import translated

if TYPE_CHECKING:
    from ade_generated.models.conflicts import ConflictsSimulateMergeInput
    from ade_runtime.lanes.records import LaneRecord


async def simulate_merge(
    bench: Bench, args: ConflictsSimulateMergeInput, record: LaneRecord
) -> ConflictsSimulateMergeOutput:
    target = await bench.target(args.target, args.target_ref) or await bench.parent(record)
    into = require_target(record, target)
    source = await bench.head(record)
    trial = await try_merge(bench.main, bench.place, into, source)
    changed = await _changed(bench, trial)
    return ConflictsSimulateMergeOutput(
        clean=trial.outcome != "conflict",
        trial=await show_trial(bench.main, bench.place, trial, Budget(args.limit)),
        fast_forward=trial.fast_forward,
        commits=await _commits(bench, trial),
        changed=[show_path(path) for path in changed[:PATHS_SHOWN]],
        changed_total=len(changed),
        notes=[*into.notes, *source.notes],
    )


async def _commits(bench: Bench, trial: Trial) -> int:
    """Commits that the target would gain, those of uncommitted work included."""
    with translated(trial.source.name):
        counted = await bench.main.git.run(
            *("rev-list", "--count", trial.source.commit, f"^{trial.into.commit}"),
            env=bench.place.env,
            read_only=True,
        )
    return int(counted.text)


async def _changed(bench: Bench, trial: Trial) -> list[bytes]:
    if trial.tree is None:
        return []
    with translated(trial.source.name):
        listed = await bench.main.git.run(
            *("diff-tree", "-r", "-z", "--name-only", "--no-renames", trial.into.commit, trial.tree),
            env=bench.place.env,
            read_only=True,
        )
    return listed.records()
