"""Lanes as the documents callers are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ade_runtime.integrations.git.log import Commit
from ade_runtime.lanes.naming import name_ascii

if TYPE_CHECKING:
    from ade_runtime.lanes.delete import Deletion
    from ade_runtime.lanes.merge import Merged
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.risk import Risk
    from ade_runtime.lanes.stack import StackEntry
    from ade_runtime.lanes.status import LaneStatus
    from ade_runtime.lanes.trash import DeletedLane

SHOWN = 100


def lane_document(
    lane: LaneRecord,
    parent: LaneRecord | None,
    status: LaneStatus | None = None,
    *,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """A ``Lane``. Without ``status`` only cheap facts are in it: rows, and a few small files of git's."""
    state = state_of(lane, status)
    branch = status.branch if status is not None else lane.live_branch()
    return {
        "id": lane.id,
        "name": lane.name,
        "name_ascii": name_ascii(lane.name),
        "kind": lane.kind,
        "state": state,
        "branch": branch,
        "path": str(lane.path),
        "description": lane.description,
        "parent": parent.name if parent is not None else None,
        "parent_id": parent.id if parent is not None else None,
        "base": lane.base,
        "base_commit": lane.base_commit,
        "created_at": lane.created_at,
        "archived_at": lane.archived_at,
        "deleted_at": None,
        "status": status_document(status) if status is not None else None,
        "notes": [*_notes(lane, state, status), *notes],
    }


def state_of(lane: LaneRecord, status: LaneStatus | None) -> str:
    """What state to show: a missing folder and a conflict are found out, the rest is recorded."""
    if lane.state in ("creating", "deleting"):
        return lane.state
    if not lane.present:
        return "missing"
    if status is not None and status.conflicted:
        return "conflicted"
    return lane.state


def status_document(status: LaneStatus) -> dict[str, Any]:
    return {
        "head": status.head,
        "dirty": status.dirty,
        "staged": status.staged,
        "changed": status.changed,
        "untracked": status.untracked,
        "conflicted": status.conflicted,
        "ahead": status.ahead,
        "behind": status.behind,
        "upstream": status.upstream,
        "upstream_ahead": status.upstream_ahead,
        "upstream_behind": status.upstream_behind,
        "operation": status.operation,
    }


def deleted_document(deleted: DeletedLane) -> dict[str, Any]:
    """A deleted lane as a ``Lane`` in state deleted."""
    lane = deleted.lane
    until = deleted.expires_at.date().isoformat()
    return {
        **lane_document(lane, None),
        "state": "deleted",
        "branch": lane.branch,
        "deleted_at": deleted.deleted_at,
        "notes": [f"`ade lanes undelete {lane.id}` brings it back until {until}"],
    }


def commit_line(commit: Commit) -> dict[str, Any]:
    return {
        "commit": commit.oid,
        "subject": commit.subject[:200],
        "author": commit.author.name,
        "time": commit.committer.time,
    }


def risk_document(risk: Risk) -> dict[str, Any]:
    """A ``LaneRisk``, with times as text so that it can also travel inside an error."""
    publication = risk.publication
    return {
        "lane": risk.lane.name,
        "lane_id": risk.lane.id,
        "removable": not risk.losses and risk.locked is None and not risk.nested,
        "discard_needed": list(risk.losses),
        "uncommitted": risk.uncommitted[:SHOWN],
        "untracked": risk.untracked[:SHOWN],
        "ignored": risk.ignored[:SHOWN],
        "unpublished": [
            {**commit_line(commit), "time": commit.committer.time.isoformat().replace("+00:00", "Z")}
            for commit in publication.commits
        ],
        "processes": [{"pid": p.pid, "name": p.name, "cwd": p.cwd} for p in risk.processes[:SHOWN]],
        "submodules": risk.submodules,
        "counts": {
            "uncommitted": len(risk.uncommitted),
            "untracked": len(risk.untracked),
            "ignored": len(risk.ignored),
            "unpublished": publication.count,
        },
        "published_in": publication.holder,
        "branch_fate": risk.fate,
        "locked": risk.locked,
        "next": _next_for(risk),
    }


def deletion_document(done: Deletion) -> dict[str, Any]:
    lane, deleted = done.deleted.lane, done.deleted
    branch = deleted.lane.branch
    until = deleted.expires_at.date().isoformat()
    left = f" Files that git could not remove are left in {lane.path}." if done.left else ""
    kept = "" if done.branch_deleted or branch is None else f" Branch {branch} is still there."
    return {
        "lane": lane.name,
        "lane_id": lane.id,
        "worktree_removed": done.removed,
        "branch": branch,
        "branch_deleted": done.branch_deleted,
        "discarded": deleted.discarded,
        "ignored_removed": done.ignored,
        "recover_until": deleted.expires_at,
        "next": f"`ade lanes undelete {lane.name}` brings it back until {until}.{kept}{left}",
    }


def merge_document(lane: LaneRecord, done: Merged) -> dict[str, Any]:
    where = "" if done.parent.is_primary else f" --lane {done.parent.name}"
    steps = {
        "conflict": f"Resolve the files in {done.parent.path}, then `ade git merge-continue{where}` or merge-abort",
        "already_merged": f"Nothing to merge; `ade lanes delete {lane.name}` if it is done",
    }
    return {
        "lane": lane.name,
        "parent": done.parent.name,
        "parent_branch": done.parent_branch,
        "result": done.result,
        "commit": done.commit,
        "conflicts": done.conflicts,
        "next": steps.get(
            done.result, f"`ade git push{where}` publishes it; `ade lanes delete {lane.name}` if it is done"
        ),
    }


def stack_document(
    entry: StackEntry, parent: LaneRecord | None, distance: tuple[int, int] | None
) -> dict[str, Any]:
    lane = entry.lane
    return {
        "lane": lane.name,
        "lane_id": lane.id,
        "tree": entry.tree,
        "depth": entry.depth,
        "branch": lane.live_branch(),
        "state": state_of(lane, None),
        "parent": parent.name if parent is not None else None,
        "ahead": distance[0] if distance is not None else None,
        "behind": distance[1] if distance is not None else None,
    }


def _next_for(risk: Risk) -> str:
    name = risk.lane.name
    if risk.lane.kind == "attached":
        return f"`ade lanes delete {name}` forgets the lane and leaves its folder alone"
    if risk.locked is not None:
        return f"Unlock it first: `git worktree unlock {risk.lane.path}`"
    if risk.nested:
        return f"Move {risk.nested[0]} away first: it is a repository of its own"
    if risk.losses:
        flags = " ".join(f"--discard {loss}" for loss in risk.losses)
        return f"Commit, merge or push it; or give it up: `ade lanes delete {name} {flags}`"
    return f"Nothing would be lost: `ade lanes delete {name}`"


def _notes(lane: LaneRecord, state: str, status: LaneStatus | None) -> list[str]:
    notes = lane.note.split("\n") if lane.note else []
    if state == "missing" and not lane.is_primary:
        notes.append(f"It has lost {lane.lost[0]}; `ade lanes repair {lane.name}` brings it back")
    if state == "conflicted":
        notes.append(f"`ade git conflict-state --lane {lane.name}` shows what is in conflict")
    if state in ("creating", "deleting"):
        notes.append("It is unfinished, and will be settled as soon as nobody works on it")
    if name_ascii(lane.name) is not None:
        notes.append("Its name has letters that look like others; name_ascii spells them out")
    if status is not None and status.branch is None and not lane.is_primary:
        notes.append("Its HEAD is on no branch; commits made there are easily lost")
    return notes
