"""What an operation did to HEAD, and how an operation that may stop half-way is run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from ade_generated import errors
from ade_generated.models.types import CommitLine, GitHeadChange
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git import views
from ade_runtime.domains.git.failures import to_error
from ade_runtime.domains.git.status import todo
from ade_runtime.domains.git.work import Work, spoken
from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.locks import wait_for_index
from ade_runtime.integrations.git.log import count_commits, read_log
from ade_runtime.integrations.git.refs import head
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.state import Operation
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.text import show_path

COMMITS_SHOWN = 50
FILES_SHOWN = 200
LONG = 600.0
"""Seconds for operations whose time hooks and networks decide; the action's own timeout ends them sooner."""
SWITCH = ("--no-overwrite-ignore",)
"""An ignored file in the way is not worthless: git is to refuse as it does for any other."""
T = TypeVar("T")


async def head_change(
    work: Work,
    before: str | None,
    summary: str,
    warnings: Sequence[str] = (),
    *,
    since: str | None = None,
    moved: bool = False,
) -> GitHeadChange:
    """The lane's HEAD now against the commit ``before``. Commits that came in are those that ``since`` (by default
    ``before``) has not. ``moved`` tells of a change although the commit is the same: another branch."""
    status = await read_status(work.git)
    lines, total = await came_in(work, since or before, status.head)
    return GitHeadChange(
        lane=work.name,
        lane_id=work.id,
        branch=status.branch,
        before=before,
        after=status.head,
        changed=moved or before != status.head,
        summary=summary,
        items=lines,
        total=total,
        next=None,
        counts=views.counts(status),
        warnings=list(warnings),
    )


async def came_in(work: Work, before: str | None, after: str | None) -> tuple[list[CommitLine], int | None]:
    """Commits that ``after`` has and ``before`` has not, the latest first, and how many there are."""
    if after is None or after == before:
        return [], 0
    revisions = [after] if before is None else [after, "^" + before]
    commits = await read_log(work.git, *revisions, count=COMMITS_SHOWN + 1)
    total: int | None = len(commits)
    if len(commits) > COMMITS_SHOWN:
        total = await count_commits(work.git, *revisions)
    return [views.commit_line(commit) for commit in commits[:COMMITS_SHOWN]], total


async def attempt(
    work: Work, operation: Operation, *argv: str, stdin: bytes | None = None, began: bool = True
) -> GitResult:
    """Run a git command that may stop at conflicts and leave ``operation`` unfinished.

    Conflicts become ``conflicts_left`` with the files in its details, and stay in the worktree for someone
    to resolve. What the command ``began`` is taken back when it fails otherwise, is cancelled or runs out
    of time.
    """
    work.context.operation = spoken(operation)
    await wait_for_index(work.repository.git_dir)
    try:
        return await work.git.run(*argv, stdin=stdin, traced=True, timeout=LONG, retry_locked=False)
    except asyncio.CancelledError:
        if began:
            await finish(_take_back(work, operation))
        raise
    except f.GitError as problem:
        if not isinstance(problem, f.GitTimedOut):
            unmerged = (await read_status(work.git, untracked="no")).unmerged
            if unmerged or not began:
                raise await stopped(work, operation, problem) from problem
        if began:
            await finish(_take_back(work, operation))
        raise


async def stopped(work: Work, operation: str, problem: f.GitError | None = None) -> AdeError:
    """``conflicts_left`` for the lane as it is now, or the problem's own error where no file is in
    conflict."""
    unmerged = (await read_status(work.git, untracked="no")).unmerged
    if not unmerged and problem is not None:
        return to_error(problem, work.context)
    progress = work.progress
    paths = [show_path(entry.path) for entry in unmerged]
    return errors.ConflictsLeft(
        operation=spoken(progress.operation if progress else operation),
        lane=work.name,
        count=len(unmerged),
        todo=todo(work.name, progress, len(unmerged)),
        details={"files": paths[:FILES_SHOWN], "total": len(paths)},
    )


async def finish(work: Awaitable[T]) -> T:
    """Await ``work`` to its end although this task is being cancelled; the cancellation is raised
    afterwards."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.done():
                break
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    return task.result()


async def _take_back(work: Work, operation: Operation) -> None:
    progress = work.progress
    if progress is not None and progress.operation == operation:
        await work.git.run(spoken(operation), "--abort", check=False)


async def need_head(work: Work) -> str:
    """The commit checked out; raises ``no_commits``."""
    before = await head(work.git)
    if before is None:
        raise errors.NoCommits(lane=work.name)
    return before
