"""Worktrees and branches that others made, taken in as lanes; and what git has that is no lane."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.worktrees import Worktree, list_worktrees
from ade_runtime.lanes.base import Base
from ade_runtime.lanes.create import NewLane, checked_lane_name
from ade_runtime.lanes.naming import name_key, unique
from ade_runtime.lanes.records import LaneRecord
from ade_runtime.lanes.refs import checked_branch_name, read_branches
from ade_runtime.lanes.worktrees import registered_git_dir
from ade_runtime.projects.locate import real
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.projects.registry import Project


async def unregistered(service: LaneService, project: Project) -> list[Worktree]:
    """Worktrees that are neither the main checkout nor a lane nor on the way to become one."""
    known = {real(lane.path) for lane in await service.store.all(project)}
    making = project.root / ".ade" / "creating"
    return [
        worktree
        for worktree in (await list_worktrees(service.main(project).git))[1:]
        if real(worktree.path) not in known and not worktree.path.is_relative_to(making)
    ]


async def attach(
    service: LaneService,
    project: Project,
    path: Path,
    *,
    name: str | None,
    description: str | None,
    parent: LaneRecord,
) -> LaneRecord:
    """Make a lane of the worktree whose root is ``path``; raises ``worktree_not_found`` or
    ``worktree_is_lane``."""
    folder = real(path)
    lanes = await service.all(project)
    for lane in lanes:
        if real(lane.path) == folder:
            raise errors.WorktreeIsLane(path=str(folder), lane=lane.name)
    found = [w for w in await unregistered(service, project) if real(w.path) == folder]
    if not found or not (folder / ".git").exists():
        raise errors.WorktreeNotFound(path=str(path))
    worktree = found[0]
    record = LaneRecord(
        id=new_id("lane"),
        project=project,
        name=_name(lanes, name, worktree.branch or folder.name),
        kind="attached",
        state="active",
        path=folder,
        git_dir=registered_git_dir(project.git_dir, folder),
        branch=worktree.branch,
        created_at=service.now(),
        description=description,
        parent_id=None if parent.is_primary else parent.id,
        base_commit=worktree.head,
    )
    await service.store.insert(record)
    return record


async def branch_to_import(
    service: LaneService,
    project: Project,
    branch: str,
    *,
    name: str | None,
    description: str | None,
    parent: LaneRecord,
) -> tuple[NewLane, str | None]:
    """What a lane on an existing branch is to be, and the remote branch it should track when it is new here.

    Raises ``branch_not_found`` or ``branch_in_use``.
    """
    git = service.main(project).git
    local, commit, upstream = await _locate(git, branch)
    for worktree in await list_worktrees(git):
        if worktree.branch == local:
            raise errors.BranchInUse(branch=local, path=str(worktree.path))
    lanes = await service.all(project)
    new = NewLane(
        name=_name(lanes, name, local),
        base=Base(branch, commit, parent.live_branch()),
        description=description,
        parent_id=None if parent.is_primary else parent.id,
        branch=local,
        make_branch=upstream is not None,
    )
    return new, upstream


async def track(service: LaneService, lane: LaneRecord, upstream: str) -> None:
    """Let the lane's new branch track the remote branch it was made from."""
    async with service.locks.project(lane.project.id):
        git = service.main(lane.project).git
        await git.run("branch", "--quiet", f"--set-upstream-to={upstream}", str(lane.branch))


async def _locate(git: Git, branch: str) -> tuple[str, str, str | None]:
    """Local name, commit, and the remote branch where only that exists."""
    checked_branch_name(branch)
    commit = await resolve_ref(git, f"refs/heads/{branch}^{{commit}}")
    if commit is not None:
        return branch, commit, None
    _, slash, rest = branch.partition("/")
    for upstream in (branch if slash else "", f"origin/{branch}"):
        commit = await resolve_ref(git, f"refs/remotes/{upstream}^{{commit}}") if upstream else None
        if commit is None:
            continue
        local = rest if upstream == branch else branch
        if await resolve_ref(git, f"refs/heads/{local}") is not None:
            raise errors.BranchExists(branch=local, existing=local)
        clash = (await read_branches(git)).clash(local)
        if clash is not None:
            raise errors.BranchExists(branch=local, existing=clash)
        return local, commit, upstream
    raise errors.BranchNotFound(branch=branch)


def _name(lanes: list[LaneRecord], given: str | None, fallback: str) -> str:
    """The name asked for, or one made from a branch or folder that no lane has."""
    if given is not None:
        return checked_lane_name(given)
    name = checked_lane_name(fallback.removeprefix("ade/")[:100])
    return unique(name, {name_key(lane.name) for lane in lanes})
