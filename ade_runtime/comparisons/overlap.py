"""Which files, and which lines of them, several lanes changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from ade_generated import errors
from ade_runtime.comparisons.heads import Head, merge_bases
from ade_runtime.integrations.git.diff import Change, Comparison, list_changes, read_patch, sections
from ade_runtime.integrations.git.hunks import Hunk, by_file, read_hunks, section_path
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch
from ade_runtime.lanes.failures import translated

Lines = Literal["same", "apart", "unknown"]
PATCH_LIMIT = 16 * 1024 * 1024
ARGUMENT_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Work:
    """What a lane changed since it left its target. A renamed file is listed under both of its names."""

    head: Head
    comparison: Comparison
    changes: dict[bytes, Change]


@dataclass(frozen=True, slots=True)
class Touch:
    """One lane's part in a file; ``hunks`` are ``None`` where its lines were not compared."""

    work: Work
    change: Change
    hunks: list[Hunk] | None


async def work_of(main: Repository, place: Scratch, head: Head, target: Head) -> Work:
    """Raises ``unrelated_histories`` when the two have no commit in common."""
    bases = await merge_bases(main, target.commit, head.commit, place)
    if not bases:
        raise errors.UnrelatedHistories(one=head.name, other=target.name)
    comparison = Comparison(revisions=(bases[0], head.commit), env=place.env)
    with translated(head.name):
        found = await list_changes(main, comparison, counts=False)
    changes = {change.path: change for change in found}
    for change in found:
        if change.old_path is not None:
            changes.setdefault(change.old_path, change)
    return Work(head, comparison, changes)


def shared_paths(works: Sequence[Work]) -> list[bytes]:
    """Paths that at least two lanes changed, sorted."""
    seen: set[bytes] = set()
    shared: set[bytes] = set()
    for work in works:
        shared |= seen & work.changes.keys()
        seen |= work.changes.keys()
    return sorted(shared)


async def hunks_of(main: Repository, work: Work, paths: Sequence[bytes]) -> dict[bytes, list[Hunk] | None]:
    """Changed lines of those of ``paths`` that the lane changed; ``None`` for files that are not text."""
    wanted = {work.changes[path].path for path in paths if path in work.changes}
    wanted |= {old for path in list(wanted) if (old := work.changes[path].old_path) is not None}
    out: dict[bytes, list[Hunk] | None] = {}
    for some in _chunks(sorted(wanted)):
        with translated(work.head.name):
            patch = await read_patch(main, work.comparison, some, context=0, limit=PATCH_LIMIT)
        starts = sections(patch.data)
        parts = list(by_file(patch.data, starts))
        for part in parts[:-1] if patch.truncated else parts:
            hunks = read_hunks(part)
            out.setdefault(section_path(part), None if b"\nBinary files " in part and not hunks else hunks)
    return out


def judge(touches: Sequence[Touch]) -> Lines:
    """Whether any two lanes changed the same or touching lines of one version of the file."""
    found = {_judge_pair(one, other) for one, other in combinations(touches, 2)}
    if "same" in found:
        return "same"
    return "unknown" if "unknown" in found else "apart"


def _judge_pair(one: Touch, other: Touch) -> Lines:
    if one.change.old_blob != other.change.old_blob:
        return "unknown"
    if one.change.old_blob is None:
        return "same"
    if one.hunks is None or other.hunks is None:
        return "unknown"
    touching = any(a.old_from <= b.old_to and b.old_from <= a.old_to for a in one.hunks for b in other.hunks)
    return "same" if touching else "apart"


def _chunks(paths: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Parts of ``paths`` that fit on a command line."""
    some: list[bytes] = []
    size = 0
    for path in paths:
        if some and size + len(path) > ARGUMENT_BYTES:
            yield some
            some, size = [], 0
        some.append(path)
        size += len(path)
    if some:
        yield some
