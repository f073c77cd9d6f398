"""Finishing or taking back what a killed process left half-made.

Each unfinished lane has a row that says what was intended. Whoever next looks at the project's lanes and gets
the lane's lock (so nobody is at work on it) settles it, going by what git has, not by how far the row says it
was.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.lanes.checkout import discard_worktree, temporary_path
from ade_runtime.lanes.interrupted import MERGING, settle_merge
from ade_runtime.lanes.ledger import completion, out_of_trash
from ade_runtime.lanes.refs import drop_ref
from ade_runtime.lanes.repair import REPAIRING, settle_repair
from ade_runtime.lanes.worktrees import registered_git_dir
from ade_runtime.projects.locate import git_dir_of, read_line

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.projects.registry import Project

log = logging.getLogger(__name__)
PATIENCE = 20.0
"""Seconds to wait for a git that outlived the process which started it."""


async def settle(service: LaneService, records: list[LaneRecord]) -> bool:
    """Settle the unfinished ones among ``records`` that nobody is at work on; whether anything changed."""
    changed = False
    for record in records:
        if not is_unfinished(record):
            continue
        async with service.locks.try_lane(record.id) as free:
            if free:
                current = await service.store.get(record.project, record.id)
                changed = True
                if current is not None and current.state == record.state:
                    await _settle_one(service, current)
    return changed


def is_unfinished(record: LaneRecord) -> bool:
    """Whether the row says that something is under way, by somebody at work or somebody who was killed."""
    return record.state in ("creating", "deleting") or record.step in (MERGING, REPAIRING)


async def settle_everywhere(service: LaneService, projects: Sequence[Project]) -> None:
    """Settle what is unfinished in all projects that are there."""
    for project in projects:
        if project.exists:
            await settle(service, await service.store.all(project))


async def _settle_one(service: LaneService, record: LaneRecord) -> None:
    try:
        if record.step == MERGING:
            await settle_merge(service, record, PATIENCE)
        elif await _no_git_is_left(record):
            await _settle_folder(service, record)
    except (GitError, OSError) as problem:
        log.warning("lane %s of %s stays unfinished: %s", record.name, record.project.root, problem)


async def _no_git_is_left(record: LaneRecord) -> bool:
    from ade_runtime.lanes.processes import wait_for_gits

    temporary = temporary_path(record.project, record.id, record.path.name)
    for folder in (temporary, record.path):
        if not await wait_for_gits(folder, PATIENCE):
            return False
    return True


async def _settle_folder(service: LaneService, record: LaneRecord) -> None:
    if record.state == "creating":
        await _settle_creation(service, record)
    elif record.state == "deleting":
        from ade_runtime.lanes.delete import settle_deletion

        await settle_deletion(service, record)
    else:
        await settle_repair(service, record)


async def _settle_creation(service: LaneService, record: LaneRecord) -> None:
    if _is_attached(record) and not record.plan.get("snapshot"):
        note = "It was being made when ADE was stopped; the post-checkout hook may not have run to its end"
        notes = [text for text in (record.note, note) if text]
        values: dict[str, Any] = {
            "git_dir": git_dir_of(record.path / ".git"),
            "state": "active",
            "step": None,
            "plan": {},
        }
        values |= {"note": "\n".join(notes), **completion(record)}
        await service.store.change(record, also=out_of_trash(record), **values)
    else:
        await undo_creation(service, record)


def _is_attached(record: LaneRecord) -> bool:
    """Whether the worktree is in its place and on its branch, which is the last step before the hook."""
    git_dir = git_dir_of(record.path / ".git")
    if git_dir is None or git_dir != registered_git_dir(record.project.git_dir, record.path):
        return False
    return read_line(git_dir / "HEAD") == f"ref: refs/heads/{record.branch}"


async def undo_creation(service: LaneService, record: LaneRecord) -> None:
    """Take back what making this lane has left: worktree, branch, row. The row goes last, so that this can be
    repeated."""
    project = record.project
    async with service.locks.project(project.id):
        await discard_worktree(project, temporary_path(project, record.id, record.path.name))
        await discard_worktree(project, record.path)
    if record.plan.get("make_branch") and record.branch and record.base_commit and _made_by(record):
        git = Repository(project.root, project.git_dir).git
        await drop_ref(git, f"refs/heads/{record.branch}", record.base_commit)
    await service.store.remove(record)


def _made_by(record: LaneRecord) -> bool:
    """Whether the branch's reflog begins with the line that making this lane writes."""
    first = read_line(record.project.git_dir / "logs" / "refs" / "heads" / str(record.branch))
    return first is not None and f"({record.id})" in first
