"""Bringing a deleted lane back: its branch, its commit, and the uncommitted work that was given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.worktrees import list_worktrees
from ade_runtime.lanes.base import Base
from ade_runtime.lanes.create import NewLane, checked_lane_name, make_lane
from ade_runtime.lanes.ledger import Ledger, remove_from_trash, together
from ade_runtime.lanes.naming import name_key
from ade_runtime.lanes.trash import DeletedLane, in_trash

if TYPE_CHECKING:
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.pipeline.call import Progress
    from ade_runtime.projects.registry import Project


async def undelete(
    service: LaneService,
    project: Project,
    ref: str,
    name: str | None,
    progress: Progress,
    *,
    env: Mapping[str, str] | None = None,
    ledger: Ledger,
) -> LaneRecord:
    """Make the lane again; raises ``deleted_lane_not_found`` when there is none in the trash."""
    deleted = await _find(service, project, ref)
    old = deleted.lane
    wanted = checked_lane_name(name) if name is not None else old.name
    if old.kind == "attached":
        return await _attach_again(service, deleted, wanted, ledger)
    commit = deleted.head or deleted.branch_commit
    if commit is None:
        raise errors.LaneCreationFailed(name=wanted, reason="it had no commit to come back to")
    new = await _as_new(service.main(project).git, deleted, wanted, commit)
    known = {lane.id for lane in await service.all(project)}
    new = replace(new, parent_id=old.parent_id if old.parent_id in known else None)
    return await make_lane(service, project, new, progress, env=env, ledger=ledger)


async def _find(service: LaneService, project: Project, ref: str) -> DeletedLane:
    trash = await in_trash(service.database, project, service.now())
    for deleted in trash:
        if ref in (deleted.lane.id, deleted.id):
            return deleted
    for deleted in trash:
        if name_key(deleted.lane.name) == name_key(ref):
            return deleted
    raise errors.DeletedLaneNotFound(lane=ref)


async def _as_new(git: Git, deleted: DeletedLane, name: str, commit: str) -> NewLane:
    """On its old branch where that is as it was and free; else on a new one, and saying so."""
    old = deleted.lane
    new = NewLane(
        name=name,
        base=Base(old.base or commit, commit, old.base_branch),
        description=old.description,
        returns=deleted,
        note=old.note,
    )
    if old.branch is None or deleted.branch_commit is None:
        return new
    there = await resolve_ref(git, f"refs/heads/{old.branch}^{{commit}}")
    if there is None and deleted.branch_commit == commit:
        return replace(new, branch=old.branch, make_branch=True)
    if there == commit and all(w.branch != old.branch for w in await list_worktrees(git)):
        return replace(new, branch=old.branch)
    note = f"Branch {old.branch} went on without it, so it came back on a branch of its own"
    return replace(new, note="\n".join(text for text in (old.note, note) if text))


async def _attach_again(service: LaneService, deleted: DeletedLane, name: str, ledger: Ledger) -> LaneRecord:
    lane = replace(deleted.lane, name=name, state="active", step=None, plan={})
    if not lane.present:
        raise errors.LaneCreationFailed(name=name, reason=f"its worktree at {lane.path} is gone")
    also = await ledger.done(lane)
    await service.store.insert(lane, together(lambda db: remove_from_trash(db, deleted.id), also))
    return lane
