"""Making a lane: a row that says what is intended, a worktree, a branch, an active row; or nothing at all."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.lanes.base import Base
from ade_runtime.lanes.checkout import Checkout, Plan, restore_files
from ade_runtime.lanes.failures import clean_reason, disk_full, to_the_end
from ade_runtime.lanes.ledger import Ledger, completion, out_of_trash, together
from ade_runtime.lanes.naming import BadNameError, clean_name, folder_of, name_key, slug_of, unique
from ade_runtime.lanes.records import LaneRecord
from ade_runtime.lanes.recovery import undo_creation
from ade_runtime.lanes.refs import Branches, branch_for, printable, read_branches
from ade_runtime.projects.exclude import keep_out_of_status
from ade_runtime.storage.ids import is_id, new_id
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.lanes.trash import DeletedLane
    from ade_runtime.pipeline.call import Progress
    from ade_runtime.projects.registry import Project

T = TypeVar("T")
NOBODYS = Ledger()
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLane:
    """What a new lane is to be. ``branch`` names an existing branch to check out; without it ADE makes one.

    With ``make_branch`` the named branch is made at the base first (one that only a remote has). ``returns`` is
    the deleted lane that comes back: with the id it had, and its uncommitted work. ``begins_after`` is the commit
    after which the lane's own work begins, where it is made with some already.
    """

    name: str
    base: Base
    description: str | None = None
    parent_id: str | None = None
    branch: str | None = None
    make_branch: bool = False
    note: str | None = None
    returns: DeletedLane | None = None
    begins_after: str | None = None


def checked_lane_name(raw: str) -> str:
    """The name as it is stored; raises ``invalid_branch_name`` with the reason."""
    try:
        name = clean_name(raw)
        if is_id(name, "lane"):
            raise BadNameError("it looks like the id of a lane")
    except BadNameError as problem:
        raise errors.InvalidBranchName(name=printable(raw), reason=str(problem)) from None
    return name


async def make_lane(
    service: LaneService,
    project: Project,
    new: NewLane,
    progress: Progress,
    *,
    env: Mapping[str, str] | None = None,
    ledger: Ledger = NOBODYS,
) -> LaneRecord:
    """Make the lane; on any failure or cancellation everything is taken back before it is raised.

    ``env`` is the caller's, for the user's filters and hooks.
    """
    keep_out_of_status(project.git_dir)
    lane_id = new_id("lane") if new.returns is None else new.returns.lane.id
    async with service.locks.lane(lane_id):
        async with service.locks.project(project.id):
            record = await _reserve(service, project, lane_id, new, ledger)
        service.at_step("reserved")
        return await _all_or_nothing(
            lambda: _build(service, record, progress, env or {}, ledger),
            lambda: undo_creation(service, record),
            record,
        )


async def _reserve(
    service: LaneService, project: Project, lane_id: str, new: NewLane, ledger: Ledger
) -> LaneRecord:
    """Choose a branch and a folder that nobody has, and write down what is intended."""
    branches = await read_branches(Repository(project.root, project.git_dir).git)
    existing = await service.store.all(project)
    slug = slug_of(new.name)
    branch = new.branch or branch_for(slug, branches, [lane.branch for lane in existing if lane.branch])
    path = project.worktrees / _free_folder(project.worktrees, slug, existing)
    record = LaneRecord(
        id=lane_id,
        project=project,
        name=new.name,
        kind="worktree",
        state="creating",
        path=path,
        git_dir=None,
        branch=branch,
        created_at=service.now(),
        description=new.description,
        owns_branch=new.branch is None,
        parent_id=new.parent_id,
        base=new.base.shown,
        base_branch=new.base.branch,
        base_commit=new.base.commit,
        note=new.note or _numbered_note(branch, slug, branches, new),
        plan={"make_branch": new.branch is None or new.make_branch, **_way_back(new.returns, branch)},
    )
    if new.begins_after is not None:
        record = replace(record, plan={**record.plan, "final": _own_work_after(record, new.begins_after)})
    await service.store.insert(record, lambda db: ledger.begun(db, record))
    return record


def _own_work_after(record: LaneRecord, commit: str) -> dict[str, Any]:
    """The part of the plan that is about a lane which is made with commits of its own."""
    return {
        "created_at": to_ms(record.created_at),
        "base_commit": commit,
        "owns_branch": record.owns_branch,
    }


def _way_back(deleted: DeletedLane | None, branch: str) -> dict[str, Any]:
    """The part of the plan that is about the deleted lane which comes back."""
    if deleted is None:
        return {"snapshot": None}
    old = deleted.lane
    final = {
        "created_at": to_ms(old.created_at),
        "base_commit": old.base_commit,
        "owns_branch": old.owns_branch if branch == old.branch else True,
    }
    return {"snapshot": deleted.snapshot, "trash": deleted.id, "final": final}


async def _build(
    service: LaneService, record: LaneRecord, progress: Progress, env: Mapping[str, str], ledger: Ledger
) -> LaneRecord:
    assert record.base_commit is not None
    plan = Plan(
        lane_id=record.id,
        lane_name=record.name,
        path=record.path,
        branch=record.branch,
        commit=record.base_commit,
        make_branch=bool(record.plan["make_branch"]),
    )
    checkout = Checkout(record.project, plan, service.locks, service.at_step, env)
    progress("Checking out files", None)
    git_dir = await checkout.make()
    if record.plan["snapshot"]:
        await restore_files(Repository(record.path, record.project.git_dir), record.plan["snapshot"])
    progress("Running the post-checkout hook", None)
    note = await checkout.run_hook()
    service.at_step("hooked")
    values = {"git_dir": git_dir, "state": "active", "step": None, "plan": {}, **completion(record)}
    values["note"] = "\n".join(text for text in (record.note, note) if text) or None
    also = await ledger.done(replace(record, **values))
    return await service.store.change(record, also=together(out_of_trash(record), also), **values)


async def _all_or_nothing(
    work: Callable[[], Awaitable[T]], undo: Callable[[], Coroutine[Any, Any, None]], record: LaneRecord
) -> T:
    """Run ``work``; if it fails or is cancelled, run ``undo`` to its end and raise what a caller can use."""
    try:
        return await work()
    except BaseException as problem:
        await _undo_quietly(undo, record)
        if isinstance(problem, AdeError) or not isinstance(problem, GitError | OSError):
            raise
        full = disk_full(problem, record.name)
        reason = clean_reason(problem) if isinstance(problem, GitError) else str(problem)
        raise full or errors.LaneCreationFailed(name=record.name, reason=reason) from problem


async def _undo_quietly(undo: Callable[[], Coroutine[Any, Any, None]], record: LaneRecord) -> None:
    """One that fails leaves the row, so that it is tried again later."""
    try:
        await to_the_end(undo())
    except Exception as problem:
        log.warning("lane %s of %s stays unfinished: %s", record.name, record.project.root, problem)


def _free_folder(folder: Path, slug: str, existing: list[LaneRecord]) -> str:
    taken = {name_key(lane.path.name) for lane in existing}
    if folder.is_dir():
        taken |= {name_key(entry.name) for entry in folder.iterdir()}
    return unique(folder_of(slug), taken)


def _numbered_note(branch: str, slug: str, branches: Branches, new: NewLane) -> str | None:
    wanted = branch.rpartition("/")[0] + "/" + slug
    if new.branch is not None or wanted == branch or wanted not in branches.commits:
        return None
    again = f"`ade lanes import-branch {wanted}` makes a lane of it"
    return f"Branch {wanted} was there already and is left alone; {again}"
