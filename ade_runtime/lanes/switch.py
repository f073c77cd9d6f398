"""Checking out another branch in a lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.worktrees import list_worktrees
from ade_runtime.lanes.merge import require_clean
from ade_runtime.lanes.refs import checked_branch_name, read_branches

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService

SWITCH_TIMEOUT = 280.0


async def switch_branch(
    service: LaneService, lane: LaneRecord, branch: str, *, create: bool, env: Mapping[str, str] | None = None
) -> LaneRecord:
    """The lane on ``branch``, made at its current commit first with ``create``. Hooks run as they do for git
    switch."""
    checked_branch_name(branch)
    async with service.locks.lane(lane.id):
        repository = service.repository(lane, env)
        if lane.live_branch() == branch and not create:
            return lane
        await require_clean(service, lane)
        if create:
            clash = (await read_branches(repository.git)).clash(branch)
            if clash is not None:
                raise errors.BranchExists(branch=branch, existing=clash)
        elif await resolve_ref(repository.git, f"refs/heads/{branch}") is None:
            raise errors.BranchNotFound(branch=branch)
        for worktree in await list_worktrees(repository.git):
            if worktree.branch == branch:
                raise errors.BranchInUse(branch=branch, path=str(worktree.path))
        how = ("--create",) if create else ("--no-guess", "--no-overwrite-ignore")
        await repository.git.run("switch", "--quiet", *how, branch, timeout=SWITCH_TIMEOUT, traced=True)
        if lane.is_primary:
            return lane
        return await service.store.change(lane, branch=branch, owns_branch=create)
