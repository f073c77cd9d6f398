"""git.status, git.sync_status, git.conflict_state: how a lane stands."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ade_generated.models.git import (
    GitConflictStateInput,
    GitStatusInput,
    GitStatusOutput,
    GitSyncStatusInput,
    GitSyncStatusOutput,
)
from ade_generated.models.types import GitConflictFile, GitConflictState
from ade_runtime.domains.git import views
from ade_runtime.domains.git.work import LaneActions, Work, spoken
from ade_runtime.integrations.git.config_scan import scan_config
from ade_runtime.integrations.git.log import read_commit
from ade_runtime.integrations.git.markers import count_markers
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.remotes import Upstream, default_remote, read_upstream
from ade_runtime.integrations.git.state import Progress
from ade_runtime.integrations.git.status import Entry, Status, read_status
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

CONFLICTS_SHOWN = 200
SyncState = Literal[
    "up_to_date", "ahead", "behind", "diverged", "no_upstream", "upstream_gone", "detached", "no_commits"
]
_UNTRACKED: dict[str, Literal["no", "normal", "all"]] = {"all": "all", "normal": "normal", "none": "no"}
_NEXT_STEP: dict[str, str] = {
    "up_to_date": "Nothing: both have the same commits, as far as was fetched.",
    "ahead": "Push with `ade git push --lane {lane}`.",
    "behind": "Pull with `ade git pull --lane {lane}`.",
    "diverged": "Bring them together with `ade git pull --lane {lane} --strategy rebase` (or merge), then push.",
    "no_upstream": "Push with `ade git push --lane {lane}`; the remote branch is then tracked.",
    "upstream_gone": "The remote branch was deleted: the lane may be merged; push to make it again.",
    "detached": "Check out a branch first with `ade git checkout-branch NAME --lane {lane}`.",
    "no_commits": "Commit something first.",
}


class StatusActions(LaneActions):
    async def status(self, call: Call, args: GitStatusInput) -> GitStatusOutput:
        async with self._reading(call, args.lane) as work:
            paths = None if args.paths is None else work.repository.paths(args.paths)
            status = await read_status(
                work.git, untracked=_UNTRACKED[args.untracked], ignored=args.ignored, paths=paths
            )
            shown, following = views.paged(status.entries, args.cursor, args.limit)
            progress = work.progress
            return GitStatusOutput(
                lane=work.name,
                lane_id=work.id,
                branch=status.branch,
                head=status.head,
                upstream=status.upstream,
                ahead=status.ahead,
                behind=status.behind,
                operation=progress.operation if progress else None,
                clean=status.clean,
                counts=views.counts(status),
                items=[views.file_status(entry) for entry in shown],
                total=len(status.entries),
                next=following,
                warnings=[str(finding) for finding in await scan_config(work.git)],
            )

    async def sync_status(self, call: Call, args: GitSyncStatusInput) -> GitSyncStatusOutput:
        async with self._reading(call, args.lane) as work:
            status = await read_status(work.git, untracked="no")
            upstream = await read_upstream(work.git, status.branch) if status.branch else None
            state = _sync_state(status, upstream)
            remote = upstream.remote if upstream else await default_remote(work.git)
            return GitSyncStatusOutput(
                lane=work.name,
                lane_id=work.id,
                branch=status.branch,
                head=status.head,
                state=state,
                remote=remote,
                upstream=upstream.name if upstream else None,
                upstream_commit=await resolve_ref(work.git, upstream.ref)
                if upstream and upstream.ref
                else None,
                ahead=status.ahead,
                behind=status.behind,
                fetched_at=_fetched_at(work.repository.git_dir),
                todo=_NEXT_STEP[state].format(lane=work.name),
            )

    async def conflict_state(self, call: Call, args: GitConflictStateInput) -> GitConflictState:
        async with self._reading(call, args.lane) as work:
            return await conflict_state(work)


async def conflict_state(work: Work) -> GitConflictState:
    """How the unfinished operation of a lane stands, if there is one."""
    progress = work.progress
    status = await read_status(work.git, untracked="no")
    unmerged = status.unmerged
    subject = None
    if progress and progress.commit:
        subject = (await read_commit(work.git, progress.commit)).subject
    files = [_conflict_file(work, entry) for entry in unmerged[:CONFLICTS_SHOWN]]
    return GitConflictState(
        lane=work.name,
        lane_id=work.id,
        operation=progress.operation if progress else None,
        branch=(progress.branch if progress else None) or status.branch,
        head=status.head,
        onto=progress.onto if progress else None,
        commit=progress.commit if progress else None,
        subject=subject,
        step=progress.step if progress else None,
        steps=progress.steps if progress else None,
        items=files,
        total=len(unmerged),
        next=None,
        can_continue=progress is not None and not unmerged,
        todo=todo(work.name, progress, len(unmerged)),
    )


def todo(lane: str, progress: Progress | None, unmerged: int) -> str:
    """What to do next in a lane with this unfinished operation and so many unresolved files."""
    if progress is None:
        if unmerged:
            return f"Resolve the files and stage them with `ade git stage PATH --lane {lane}`."
        return "Nothing is in progress."
    if progress.operation in ("bisect", "am"):
        return f"Finish it in the lane's folder with `git {progress.operation}`."
    family = "rebase" if progress.operation == "rebase" else "merge"
    abort = f"or take it back with `ade git {family}-abort --lane {lane}`"
    if unmerged:
        return (
            f"Edit the files, stage each with `ade git stage PATH --lane {lane}`, "
            f"then `ade git {family}-continue --lane {lane}`, {abort}."
        )
    return f"Finish the {spoken(progress.operation)} with `ade git {family}-continue --lane {lane}`, {abort}."


def _conflict_file(work: Work, entry: Entry) -> GitConflictFile:
    base, ours, theirs = entry.stages
    return GitConflictFile(
        path=show_path(entry.path),
        kind=views.conflict_kind(entry),
        base_blob=base,
        ours_blob=ours,
        theirs_blob=theirs,
        markers=count_markers(work.repository.worktree, entry.path),
    )


def _sync_state(status: Status, upstream: Upstream | None) -> SyncState:
    if status.branch is None:
        return "detached"
    if status.head is None:
        return "no_commits"
    if upstream is None:
        return "no_upstream"
    if status.ahead is None or status.behind is None:
        return "upstream_gone"
    if status.ahead and status.behind:
        return "diverged"
    if status.ahead:
        return "ahead"
    return "behind" if status.behind else "up_to_date"


def _fetched_at(git_dir: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp((git_dir / "FETCH_HEAD").stat().st_mtime, UTC)
    except OSError:
        return None
