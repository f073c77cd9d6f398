"""Bringing a lane's folder back where it went missing, at the commit it was at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.worktrees import list_worktrees
from ade_runtime.lanes.checkout import (
    CHECKOUT_TIMEOUT,
    Checkout,
    Plan,
    discard_worktree,
    make_lane_folder,
    temporary_path,
)
from ade_runtime.lanes.failures import clean_reason
from ade_runtime.lanes.worktrees import registered_git_dir
from ade_runtime.projects.locate import read_line

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService

REPAIRING = "repairing"
"""The step of a lane for which a new worktree is being made."""


async def repair(service: LaneService, lane: LaneRecord, env: Mapping[str, str] | None = None) -> LaneRecord:
    """The lane with its folder back; one whose folder is there is left alone. Raises
    ``lane_not_repairable``."""
    if lane.is_primary:
        raise errors.PrimaryLaneProtected(operation="repaired")
    async with service.locks.lane(lane.id):
        if lane.present:
            return lane
        try:
            return await _bring_back(service, lane, env)
        except (GitError, OSError) as problem:
            reason = clean_reason(problem) if isinstance(problem, GitError) else str(problem)
            raise errors.LaneNotRepairable(lane=lane.name, reason=reason) from problem


async def _bring_back(service: LaneService, lane: LaneRecord, env: Mapping[str, str] | None) -> LaneRecord:
    registered = registered_git_dir(lane.project.git_dir, lane.path)
    if registered is not None:
        if lane.kind == "attached" and not lane.path.parent.is_dir():
            raise errors.LaneNotRepairable(lane=lane.name, reason=f"{lane.path.parent} is gone")
        await _from_index(lane, registered)
        return await service.store.change(lane, git_dir=registered)
    if lane.kind == "attached":
        raise errors.LaneNotRepairable(lane=lane.name, reason="git has forgotten its worktree")
    return await _from_branch(service, lane, env)


async def _from_index(lane: LaneRecord, git_dir: Path) -> None:
    """Git still has the worktree's HEAD and index: what was staged comes back too."""
    fresh = not lane.path.exists()
    if lane.kind == "worktree":
        make_lane_folder(lane.path.parent, lane.project)
    _write_marker(lane.path, git_dir)
    git = Repository(lane.path, lane.project.git_dir).git
    if fresh:
        await git.run("checkout-index", "--all", "--index", "--quiet", timeout=CHECKOUT_TIMEOUT)


async def _from_branch(service: LaneService, lane: LaneRecord, env: Mapping[str, str] | None) -> LaneRecord:
    """Git has forgotten the worktree: a new one is made on the lane's branch."""
    main = service.main(lane.project)
    commit = None
    if lane.branch is not None:
        commit = await resolve_ref(main.git, f"refs/heads/{lane.branch}^{{commit}}")
    if commit is None:
        reason = f"git has forgotten its worktree, and its branch {lane.branch} is gone"
        raise errors.LaneNotRepairable(lane=lane.name, reason=reason)
    for worktree in await list_worktrees(main.git):
        if worktree.branch == lane.branch:
            raise errors.BranchInUse(branch=str(lane.branch), path=str(worktree.path))
    if lane.path.exists():
        raise errors.LaneNotRepairable(lane=lane.name, reason=f"{lane.path} holds files but is no worktree")
    lane = await service.store.change(lane, step=REPAIRING)
    try:
        await _discard_unfinished(service, lane)
        plan = Plan(
            lane_id=lane.id,
            lane_name=lane.name,
            path=lane.path,
            branch=lane.branch,
            commit=commit,
            make_branch=False,
        )
        checkout = Checkout(lane.project, plan, service.locks, service.at_step, env)
        git_dir = await checkout.make()
        note = await checkout.run_hook()
    except (GitError, OSError):
        await settle_repair(service, lane)
        raise
    return await service.store.change(lane, git_dir=git_dir, note=note or lane.note, step=None)


async def settle_repair(service: LaneService, lane: LaneRecord) -> None:
    """Take back what an unfinished repair has left, or finish it where the worktree is in its place already."""
    await _discard_unfinished(service, lane)
    git_dir = registered_git_dir(lane.project.git_dir, lane.path)
    if git_dir is not None and lane.path.exists() and lane.branch is not None:
        git = Repository(lane.path, lane.project.git_dir).git
        branch = f"refs/heads/{lane.branch}"
        async with service.locks.project(lane.project.id):
            if read_line(git_dir / "HEAD") == await resolve_ref(git, f"{branch}^{{commit}}"):
                await git.run("symbolic-ref", "-m", f"lane: {lane.name} ({lane.id})", "HEAD", branch)
    await service.store.change(lane, git_dir=git_dir or lane.git_dir, step=None)


async def _discard_unfinished(service: LaneService, lane: LaneRecord) -> None:
    async with service.locks.project(lane.project.id):
        await discard_worktree(lane.project, temporary_path(lane.project, lane.id, lane.path.name))


def _write_marker(folder: Path, git_dir: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / ".git").write_text(f"gitdir: {git_dir}\n", "utf-8", "surrogateescape")
