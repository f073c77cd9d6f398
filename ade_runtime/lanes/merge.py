"""Merging a lane into its parent: everything is checked before anything is written, and nothing is left
half-merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_runtime.domains.git.failures import Context, to_error
from ade_runtime.integrations.git.failures import GitError, WouldOverwrite
from ade_runtime.integrations.git.in_the_way import Change, merging, refuse_overwriting
from ade_runtime.integrations.git.merge_tree import merge_commits
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.scratch import scratch
from ade_runtime.integrations.git.state import operation
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.text import show_path
from ade_runtime.lanes.failures import clean_reason, to_the_end
from ade_runtime.lanes.interrupted import Intention, MergeLedger, Mode, carried_out, was_merged
from ade_runtime.projects.locate import read_line

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService

Result = Literal["merged", "fast_forwarded", "squashed", "already_merged", "conflict"]
RESULTS: dict[Mode, Result] = {"merge": "merged", "squash": "squashed", "fast_forward": "fast_forwarded"}
MERGE_TIMEOUT = 240.0
_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """``commit`` is that of the parent's branch afterwards; ``conflicts`` are files left to be resolved."""

    parent: LaneRecord
    parent_branch: str
    result: Result
    commit: str
    conflicts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Sides:
    lane: LaneRecord
    parent: LaneRecord
    repository: Repository
    branch: str
    ours: str
    theirs: str


async def merge_lane(
    service: LaneService,
    lane: LaneRecord,
    *,
    mode: Mode,
    message: str | None,
    keep_conflict: bool,
    env: Mapping[str, str] | None = None,
    ledger: MergeLedger | None = None,
) -> Merged:
    """Merge the lane's latest commit into its parent's branch, in the parent's worktree."""
    if lane.is_primary:
        raise errors.PrimaryLaneProtected(operation="merged, having no parent")
    parent = service.parent_of(lane, await service.all(lane.project))
    assert parent is not None
    ledger = ledger or MergeLedger()
    async with service.locks.lane(lane.id), service.locks.lane(parent.id):
        if ledger.earlier and (left := await _left_in_conflict(service, lane, parent, ledger.earlier)):
            return left
        sides = await _checked(service, lane, parent, env)
        if ledger.earlier and await was_merged(
            sides.repository.git, sides.ours, sides.theirs, ledger.earlier
        ):
            return _done(sides, RESULTS[mode], sides.ours)
        if await _reaches(sides.repository.git, sides.ours, sides.theirs):
            return _done(sides, "already_merged", sides.ours)
        if mode == "fast_forward":
            intention = Intention(sides.ours, sides.theirs, mode)
            return await carried_out(service, lane, parent, intention, ledger, partial(_fast_forward, sides))
        tree, conflicts = await _predict(sides)
        if mode == "squash" and tree == await resolve_ref(sides.repository.git, sides.ours + "^{tree}"):
            return _done(sides, "already_merged", sides.ours)
        if conflicts and not keep_conflict:
            raise _conflict(sides, conflicts)
        await _refuse_overwriting(sides, await merging(sides.repository.git, sides.ours, sides.theirs))
        text = message or f"Merge lane {lane.name}"
        intention = Intention(sides.ours, sides.theirs, mode, tree, keep_conflict)
        work = partial(_merge, sides, mode, text, keep_conflict=keep_conflict)
        return await carried_out(service, lane, parent, intention, ledger, work)


async def _left_in_conflict(
    service: LaneService, lane: LaneRecord, parent: LaneRecord, plan: Mapping[str, Any]
) -> Merged | None:
    """The conflict that an attempt at the same call had left, as was asked for, when its process was killed."""
    repository = service.repository(parent)
    merging = read_line(repository.git_dir / "MERGE_HEAD")
    branch = parent.live_branch()
    if not plan["keep_conflict"] or merging != plan["theirs"] or branch is None:
        return None
    if await resolve_ref(repository.git, "HEAD^{commit}") != plan["ours"]:
        return None
    sides = _Sides(lane, parent, repository, branch, plan["ours"], plan["theirs"])
    return _done(sides, "conflict", plan["ours"], await _unmerged(repository.git))


async def require_clean(service: LaneService, lane: LaneRecord) -> str:
    """The lane's commit; raises ``lane_missing``, ``operation_in_progress``, ``lane_dirty`` or, without a
    commit, ``repository_has_no_commits``."""
    repository = service.repository(lane)
    unfinished = operation(repository.git_dir)
    if unfinished is not None and unfinished != "bisect":
        raise errors.OperationInProgress(lane=lane.name, operation=unfinished.replace("_", " "))
    status = await read_status(repository.git, renames=False)
    if not status.clean:
        files = [show_path(entry.path) for entry in status.entries]
        raise errors.LaneDirty(lane=lane.name, count=len(files), details={"files": files[:_SHOWN]})
    if status.head is None:
        raise errors.RepositoryHasNoCommits(project=lane.project.name, path=str(lane.path))
    return status.head


async def _checked(
    service: LaneService, lane: LaneRecord, parent: LaneRecord, env: Mapping[str, str] | None
) -> _Sides:
    theirs = await require_clean(service, lane)
    ours = await require_clean(service, parent)
    branch = parent.live_branch()
    base = lane.base_branch if parent.is_primary else None
    git = service.repository(parent).git
    if branch is None or (base is not None and not await _is_the_base(git, base, branch)):
        raise errors.ParentBranchMismatch(
            lane=lane.name, base=base or "a branch", parent=parent.name, current=branch or "no branch"
        )
    return _Sides(lane, parent, service.repository(parent, env), branch, ours, theirs)


async def _is_the_base(git: Git, base: str, branch: str) -> bool:
    """Whether ``branch`` is the one a lane was started from. A base that is gone binds nobody."""
    if base == branch or base.split("/", 1)[-1] == branch:
        return True
    for ref in (f"refs/heads/{base}", f"refs/remotes/{base}"):
        if await resolve_ref(git, ref) is not None:
            return False
    return True


async def _predict(sides: _Sides) -> tuple[str, list[str]]:
    """The tree the merge would give, and the files in which it would stop."""
    async with scratch(sides.repository) as place:
        merged = await merge_commits(sides.repository, sides.ours, sides.theirs, place.env)
    return merged.tree, [] if merged.clean else [show_path(entry.path) for entry in merged.entries]


async def _fast_forward(sides: _Sides) -> Merged:
    git = sides.repository.git
    if not await _reaches(git, sides.theirs, sides.ours):
        raise _refused(sides, f"{sides.parent.name} has commits that {sides.lane.name} does not have")
    await _refuse_overwriting(sides, (sides.ours, sides.theirs))
    try:
        await git.run("merge", "--quiet", "--ff-only", sides.theirs, timeout=MERGE_TIMEOUT, traced=True)
    except BaseException as problem:
        taken_back = await to_the_end(_taken_back(sides))
        if not isinstance(problem, GitError):
            raise
        if taken_back:
            raise _refused(sides, clean_reason(problem)) from problem
    return _done(sides, "fast_forwarded", sides.theirs)


async def _merge(sides: _Sides, mode: Mode, message: str, *, keep_conflict: bool) -> Merged:
    """``--quiet`` since a git that outlives a killed runtime would be ended by the first line it prints, with the
    merge made and not finished."""
    git = sides.repository.git
    how = ("--squash",) if mode == "squash" else ("--no-ff", "-m", message)
    try:
        await git.run("merge", "--quiet", *how, sides.theirs, timeout=MERGE_TIMEOUT, traced=True)
        if mode == "squash":
            await git.run("commit", "--quiet", "-m", message, timeout=MERGE_TIMEOUT, traced=True)
    except BaseException as problem:
        unmerged = await to_the_end(_unmerged(git)) if isinstance(problem, GitError) else []
        if unmerged and keep_conflict:
            return _done(sides, "conflict", sides.ours, unmerged)
        taken_back = await to_the_end(_taken_back(sides))
        if not isinstance(problem, GitError):
            raise
        if taken_back:
            refused = _refused(sides, clean_reason(problem))
            raise (_conflict(sides, unmerged) if unmerged else refused) from problem
    commit = await resolve_ref(git, "HEAD^{commit}")
    return _done(sides, RESULTS[mode], commit or sides.ours)


async def _unmerged(git: Git) -> list[str]:
    return [show_path(entry.path) for entry in (await read_status(git, renames=False)).unmerged]


async def _taken_back(sides: _Sides) -> bool:
    """Take the parent back to where it was, since it was clean; ``False`` when the merge had been committed."""
    git = sides.repository.git
    if await resolve_ref(git, "HEAD^{commit}") != sides.ours:
        return False
    if (sides.repository.git_dir / "MERGE_HEAD").exists():
        await git.run("merge", "--abort", check=False)
    if not (await read_status(git, untracked="no", renames=False)).clean:
        await git.run("reset", "--merge", sides.ours)
    for name in ("SQUASH_MSG", "MERGE_MSG"):
        (sides.repository.git_dir / name).unlink(missing_ok=True)
    return True


async def _reaches(git: Git, start: str, commit: str) -> bool:
    """Whether ``commit`` is ``start`` or one of its ancestors."""
    result = await git.read("merge-base", "--is-ancestor", commit, start, ok=(0, 1))
    return result.code == 0


def _done(sides: _Sides, result: Result, commit: str, conflicts: list[str] | None = None) -> Merged:
    return Merged(
        parent=sides.parent,
        parent_branch=sides.branch,
        result=result,
        commit=commit,
        conflicts=conflicts or [],
    )


async def _refuse_overwriting(sides: _Sides, change: Change) -> None:
    try:
        await refuse_overwriting(sides.repository, change)
    except WouldOverwrite as problem:
        raise to_error(problem, Context(lane=sides.parent.name, action="lane.merge")) from problem


def _conflict(sides: _Sides, files: list[str]) -> errors.MergeConflict:
    return errors.MergeConflict(
        lane=sides.lane.name,
        parent=sides.parent.name,
        count=len(files),
        details={"files": files[:_SHOWN]},
    )


def _refused(sides: _Sides, reason: str) -> errors.MergeRefused:
    return errors.MergeRefused(lane=sides.lane.name, parent=sides.parent.name, reason=reason)
