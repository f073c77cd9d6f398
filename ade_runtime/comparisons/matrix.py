"""conflicts.overlaps and conflicts.risk_matrix: what lanes have in common, and how each pair would merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Literal

from ade_generated.models.conflicts import ConflictsOverlapsOutput, ConflictsRiskMatrixOutput
from ade_generated.models.conflicts import ConflictsOverlapsOutputItemsItem as SharedFile
from ade_generated.models.conflicts import ConflictsOverlapsOutputItemsItemChangesItem as SharedFileLane
from ade_generated.models.conflicts import ConflictsRiskMatrixOutputItemsItem as RatedPair
from ade_generated.models.types import LineRange
from ade_runtime.comparisons.cursors import cursor_after, path_of
from ade_runtime.comparisons.heads import Head
from ade_runtime.comparisons.overlap import Touch, Work, hunks_of, judge, shared_paths, work_of
from ade_runtime.comparisons.targets import Bench, Heads, heads_of, require_target
from ade_runtime.comparisons.trials import Trial, try_merge
from ade_runtime.comparisons.work import each, failure
from ade_runtime.integrations.git.hunks import Hunk
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_generated.models.conflicts import ConflictsOverlapsInput, ConflictsRiskMatrixInput
    from ade_runtime.lanes.records import LaneRecord

RANGES_SHOWN = 50
PATHS_SHOWN = 10
Risk = Literal["none", "overlap", "conflict"]
_RANK: dict[Risk, int] = {"conflict": 0, "overlap": 1, "none": 2}


@dataclass(frozen=True, slots=True)
class _Rated:
    a: Head
    b: Head
    risk: Risk
    conflicts: int
    shared: int
    paths: list[bytes]


async def overlaps(
    bench: Bench, args: ConflictsOverlapsInput, records: Sequence[LaneRecord], notes: list[str]
) -> ConflictsOverlapsOutput:
    """Files that several lanes changed, one page of them with their lines."""
    after = path_of(args.cursor)
    target = await bench.target(args.target, args.target_ref)
    heads = await heads_of(bench, records)
    works = await _works(bench, heads, target)
    shared = shared_paths(works)
    rest = [path for path in shared if path > after] if after else shared
    page = rest[: args.limit]
    hunks = await each(
        works, lambda work: hunks_of(bench.main, work, page), call=bench.call, what="lanes compared"
    )
    heads.failures += [failure([work.head.name], problem) for work, problem in hunks.failed]
    known = {work.head.name: found for work, found in hunks.done}
    return ConflictsOverlapsOutput(
        items=[_shared_file(path, works, known) for path in page],
        total=len(shared),
        next=cursor_after(page[-1]) if len(rest) > len(page) else None,
        lanes=[work.head.name for work in works],
        failures=heads.failures,
        notes=[*notes, *heads.notes],
    )


async def risk_matrix(
    bench: Bench, args: ConflictsRiskMatrixInput, records: Sequence[LaneRecord], notes: list[str]
) -> ConflictsRiskMatrixOutput:
    """Every pair of lanes up to max_pairs, each merged in memory."""
    heads = await heads_of(bench, records)
    works = {work.head.name: work for work in await _works(bench, heads, None)}
    total = len(records) * (len(records) - 1) // 2
    pairs = list(islice(combinations(heads.found, 2), args.max_pairs))

    async def rate(pair: tuple[Head, Head]) -> _Rated:
        return _rated(await try_merge(bench.main, bench.place, *pair), works)

    outcome = await each(pairs, rate, call=bench.call, what="pairs of lanes")
    heads.failures += [failure([a.name, b.name], problem) for (a, b), problem in outcome.failed]
    rated = sorted((r for _, r in outcome.done), key=lambda r: (_RANK[r.risk], -r.conflicts, -r.shared))
    return ConflictsRiskMatrixOutput(
        summary=_summary(rated, total),
        items=[
            RatedPair(
                a=r.a.name,
                b=r.b.name,
                risk=r.risk,
                conflicts=r.conflicts,
                shared=r.shared,
                paths=[show_path(path) for path in r.paths[:PATHS_SHOWN]],
            )
            for r in rated
        ],
        total=total,
        next=None,
        checked=len(rated),
        skipped=total - len(rated),
        lanes=[head.name for head in heads.found],
        failures=heads.failures,
        notes=[*notes, *heads.notes],
    )


async def _works(bench: Bench, heads: Heads, target: Head | None) -> list[Work]:
    """What each lane changed since it left the target, or else its parent; failures are added to
    ``heads``."""

    async def one(head: Head) -> Work:
        assert head.lane is not None
        base = target or (
            head if head.lane.is_primary else require_target(head.lane, await bench.parent(head.lane))
        )
        return await work_of(bench.main, bench.place, head, base)

    outcome = await each(heads.found, one)
    heads.failures += [failure([head.name], problem) for head, problem in outcome.failed]
    return [work for _, work in outcome.done]


def _shared_file(
    path: bytes, works: Sequence[Work], known: dict[str, dict[bytes, list[Hunk] | None]]
) -> SharedFile:
    touches = []
    for work in works:
        change = work.changes.get(path)
        if change is not None:
            touches.append(
                Touch(work, change, known.get(work.head.name, {}).get(change.path, _nothing(change.binary)))
            )
    return SharedFile(
        path=show_path(path),
        lines=judge(touches),
        lanes=[touch.work.head.name for touch in touches],
        changes=[_lane(touch) for touch in touches],
    )


def _nothing(binary: bool) -> list[Hunk] | None:
    """Hunks of a file that the patch says nothing about: none, as only its name or mode changed."""
    return None if binary else []


def _lane(touch: Touch) -> SharedFileLane:
    hunks = touch.hunks or []
    return SharedFileLane(
        lane=touch.work.head.name,
        status=touch.change.status,
        ranges=[LineRange(start=hunk.old_start, lines=hunk.old_lines) for hunk in hunks[:RANGES_SHOWN]],
        ranges_total=len(hunks),
    )


def _rated(trial: Trial, works: dict[str, Work]) -> _Rated:
    a, b = trial.into, trial.source
    one, other = works.get(a.name), works.get(b.name)
    shared = sorted(one.changes.keys() & other.changes.keys()) if one and other else []
    conflicts = [entry.path for entry in trial.entries]
    if trial.outcome == "conflict":
        return _Rated(a, b, "conflict", len(conflicts), len(shared), conflicts)
    return _Rated(a, b, "overlap" if shared else "none", 0, len(shared), shared)


def _summary(rated: Sequence[_Rated], total: int) -> str:
    counts = {risk: sum(r.risk == risk for r in rated) for risk in _RANK}
    text = f"{counts['conflict']} pairs in conflict, {counts['overlap']} share files, {counts['none']} apart"
    return text if len(rated) == total else f"{text}; {total - len(rated)} of {total} were not looked at"
