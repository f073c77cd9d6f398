"""Deleting a lane: only what nobody misses, or what was given up by name; kept for 30 days all the same."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.snapshot import snapshot
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.text import show_path
from ade_runtime.lanes.failures import clean_reason, disk_full, to_the_end
from ade_runtime.lanes.records import LaneRecord
from ade_runtime.lanes.refs import drop_ref
from ade_runtime.lanes.risk import Risk, assess
from ade_runtime.lanes.trash import DeletedLane, buried, bury, expire, expiry, keep_commits
from ade_runtime.lanes.worktrees import registered_git_dir
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.service import LaneService
    from ade_runtime.projects.registry import Project

REMOVAL_TIMEOUT = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """What was done. ``removed`` tells whether a worktree was removed, ``branch_deleted`` whether the branch
    was; ``left`` that some files of the worktree could not be removed. ``ignored`` counts the ignored files that went."""

    deleted: DeletedLane
    removed: bool
    left: bool
    branch_deleted: bool
    ignored: int

    @classmethod
    def of(cls, deleted: DeletedLane, *, present: bool, ignored: int, branch_deleted: bool) -> Deletion:
        """What became of a lane that is in the trash now; ``present`` tells whether its worktree was there before."""
        ours = deleted.lane.kind == "worktree"
        left = ours and deleted.lane.path.exists()
        removed = present and ours and not left
        return cls(
            deleted=deleted,
            removed=removed,
            left=left,
            branch_deleted=branch_deleted,
            ignored=ignored if removed else 0,
        )


class DeletionLedger:
    """What is written in one transaction with the lane's own row. This one writes nothing."""

    def begun(self, db: Connection, claim: dict[str, Any]) -> None:
        """Part of the transaction that notes the intention. ``claim`` is what :func:`earlier_deletion` needs."""

    def done(self, db: Connection, deletion: Deletion) -> None:
        """Part of the transaction that puts the lane into the trash."""


NOBODYS = DeletionLedger()


async def earlier_deletion(
    service: LaneService, project: Project, claim: Mapping[str, Any]
) -> Deletion | None:
    """What a deletion came to whose process was killed, ``None`` where it was taken back."""
    await service.all(project)  # settles it
    deleted = await buried(service.database, project, claim["trash"])
    if deleted is None:
        return None
    there = await resolve_ref(service.main(project).git, f"refs/heads/{deleted.lane.branch}")
    gone = deleted.branch_commit is not None and there is None
    return Deletion.of(deleted, present=claim["present"], ignored=claim["ignored"], branch_deleted=gone)


async def delete_lane(
    service: LaneService,
    lane: LaneRecord,
    discard: Sequence[str],
    *,
    delete_branch: bool,
    ledger: DeletionLedger = NOBODYS,
) -> Deletion:
    """Delete the lane, or raise ``lane_has_work`` with everything that ``discard`` would have to name."""
    if lane.is_primary:
        raise errors.PrimaryLaneProtected(operation="deleted")
    async with service.locks.try_lane(lane.id) as free:
        if not free:
            raise errors.LaneBusy(lane=lane.name)
        lane = await service.fresh(lane)
        risk = await assess(service, lane, await service.all(lane.project))
        _refuse(risk, discard, delete_branch)
        plan = _plan(service, risk, delete_branch)
        claim = {"trash": plan["trash"], "present": risk.present, "ignored": len(risk.ignored)}
        lane = await service.store.change(
            lane, also=lambda db: ledger.begun(db, claim), state="deleting", step="prepared", plan=plan
        )
        service.at_step("marked")
        return await to_the_end(_carry_out(service, lane, risk, ledger))


async def _carry_out(service: LaneService, lane: LaneRecord, risk: Risk, ledger: DeletionLedger) -> Deletion:
    try:
        lane = await _keep(service, lane, risk)
        service.at_step("kept")
        if lane.kind == "worktree":
            await _remove_worktree(lane, force=bool(lane.plan["snapshot"] or risk.populated))
        service.at_step("removed")
    except GitError as problem:
        if not _let_go(lane):
            await _take_back(service, lane)
            full = disk_full(problem, lane.name)
            raise full or errors.LaneRemovalFailed(lane=lane.name, reason=clean_reason(problem)) from problem
    return await _finish(service, lane, ledger, present=risk.present, ignored=len(risk.ignored))


def _let_go(lane: LaneRecord) -> bool:
    """Whether the removal began: git then forgets the worktree, whether or not it could remove every file, and there is
    no way back but to bring the lane back from what was kept."""
    registered = registered_git_dir(lane.project.git_dir, lane.path)
    return lane.step == "removing" and lane.kind == "worktree" and registered is None


async def settle_deletion(service: LaneService, lane: LaneRecord) -> None:
    """Finish or take back a deletion whose process was killed.

    One that had not begun to remove files is taken back. One that had is finished, unless files appeared or
    changed since: then the lane stays, with a note, and nothing of that is touched.
    """
    if lane.step != "removing":
        await _take_back(service, lane)
        return
    project = lane.project
    registered = registered_git_dir(project.git_dir, lane.path)
    if registered is not None and lane.kind == "worktree":
        if lane.path.is_dir():
            _mend_marker(lane, registered)
            if await _has_new_work(lane):
                await _take_back(
                    service, lane, note="Its deletion was interrupted; some files may be missing"
                )
                return
        await _remove_worktree(lane, force=True)
    await _finish(service, lane, NOBODYS, present=True, ignored=0)


def _refuse(risk: Risk, discard: Sequence[str], delete_branch: bool) -> None:
    lane = risk.lane
    if risk.locked is not None:
        reason = risk.locked or "no reason was given"
        raise errors.LaneLocked(lane=lane.name, reason=reason, path=str(lane.path))
    if risk.nested:
        reason = f"{risk.nested[0]} is a repository of its own; move it away first"
        raise errors.LaneRemovalFailed(lane=lane.name, reason=reason)
    if any(loss not in discard for loss in risk.losses):
        from ade_runtime.lanes.view import risk_document

        flags = " ".join(f"--discard {loss}" for loss in risk.losses)
        raise errors.LaneHasWork(
            lane=lane.name, found=risk.words(), discard=flags, details=risk_document(risk)
        )
    if risk.submodules:
        reason = f"submodule {risk.submodules[0]} has work that cannot be kept; push it or move it away first"
        raise errors.LaneRemovalFailed(lane=lane.name, reason=reason)


def _plan(service: LaneService, risk: Risk, delete_branch: bool) -> dict[str, Any]:
    lane = risk.lane
    drop = risk.branch_commit is not None and (delete_branch or risk.fate == "deleted")
    return {
        "trash": new_id("trash"),
        "state": lane.state,
        "branch": risk.branch,
        "head": risk.head,
        "branch_commit": risk.branch_commit,
        "drop_branch": drop and lane.kind == "worktree",
        "dirty": bool(risk.uncommitted or risk.untracked or risk.operation) and lane.kind == "worktree",
        "discarded": risk.losses,
        "snapshot": None,
        "refs": [],
        "at": to_ms(service.now()),
    }


async def _keep(service: LaneService, lane: LaneRecord, risk: Risk) -> LaneRecord:
    """Keep the commits, and uncommitted work as one more; from here on the deletion is finished, not taken
    back."""
    plan = dict(lane.plan)
    if plan["dirty"]:
        repository = Repository(lane.path, lane.project.git_dir)
        plan["snapshot"] = await snapshot(repository, f"Discarded with lane {lane.name}")
        status = await read_status(repository.git, renames=False)
        known = {*risk.uncommitted, *risk.untracked}
        if status.head != plan["head"] or any(show_path(e.path) not in known for e in status.entries):
            raise GitError(command="worktree remove", stderr="work was added while it was being deleted")
    commits = {"head": plan["head"], "files": plan["snapshot"]}
    if plan["branch_commit"] != plan["head"]:
        commits["branch"] = plan["branch_commit"]
    git = service.main(lane.project).git
    plan["refs"] = await keep_commits(git, plan["trash"], commits, from_ms(plan["at"]))
    return await service.store.change(lane, step="removing", plan=plan)


async def _remove_worktree(lane: LaneRecord, *, force: bool) -> None:
    """``git worktree remove``, which checks once more that nothing is lost. Forced only where that was
    decided before the first try: for work that was given up and kept, and for submodules, which git refuses
    on principle."""
    if registered_git_dir(lane.project.git_dir, lane.path) is None:
        return
    git = Repository(lane.project.root, lane.project.git_dir).git
    forced = ("--force",) if force else ()
    await git.run("worktree", "remove", *forced, lane.path, timeout=REMOVAL_TIMEOUT)


async def _finish(
    service: LaneService, lane: LaneRecord, ledger: DeletionLedger, *, present: bool, ignored: int
) -> Deletion:
    plan = lane.plan
    git = Repository(lane.project.root, lane.project.git_dir).git
    branch_deleted = False
    if plan["drop_branch"]:
        async with service.locks.project(lane.project.id):
            branch_deleted = await _drop_branch(git, plan["branch"], plan["branch_commit"])
    service.at_step("branch_dropped")
    deleted_at = from_ms(plan["at"])
    deleted = DeletedLane(
        id=plan["trash"],
        lane=replace(lane, state=plan["state"], step=None, plan={}, branch=plan["branch"] or lane.branch),
        head=plan["head"],
        branch_commit=plan["branch_commit"],
        snapshot=plan["snapshot"],
        discarded=plan["discarded"],
        deleted_at=deleted_at,
        expires_at=expiry(deleted_at),
    )
    deletion = Deletion.of(deleted, present=present, ignored=ignored, branch_deleted=branch_deleted)
    await bury(service.database, deleted, lambda db: ledger.done(db, deletion))
    with contextlib.suppress(GitError):
        await expire(service.database, git, lane.project, service.now())
    return deletion


async def _drop_branch(git: Git, branch: str, commit: str) -> bool:
    """Delete the branch if it is where it was when that was decided, and its settings with it."""
    try:
        await drop_ref(git, f"refs/heads/{branch}", commit)
    except GitError:
        return False
    with contextlib.suppress(GitError):
        await git.run("config", "--local", "--remove-section", f"branch.{branch}", check=False)
    return await resolve_ref(git, f"refs/heads/{branch}") is None


async def _take_back(service: LaneService, lane: LaneRecord, note: str | None = None) -> None:
    """The lane stays. What was kept of it stays as well, and runs out by itself."""
    plan = lane.plan
    notes = "\n".join(text for text in (lane.note, note) if text) or None
    await service.store.change(lane, state=plan.get("state", "active"), step=None, plan={}, note=notes)


def _mend_marker(lane: LaneRecord, git_dir: Path) -> None:
    """A removal that was cut short may have taken ``.git`` first, without which git cannot look at the
    rest."""
    marker = lane.path / ".git"
    if not marker.exists():
        marker.write_text(f"gitdir: {git_dir}\n", "utf-8", "surrogateescape")


async def _has_new_work(lane: LaneRecord) -> bool:
    """Whether the folder holds files that neither the commit checked out nor what was kept has."""
    repository = Repository(lane.path, lane.project.git_dir)
    kept = lane.plan["snapshot"] or lane.plan["head"]
    now = await snapshot(repository, "While a deletion is finished")
    if kept is None:
        return True
    found = await repository.git.read("diff-tree", "-r", "--name-only", "--diff-filter=d", kept, now)
    return bool(found.stdout.strip())
