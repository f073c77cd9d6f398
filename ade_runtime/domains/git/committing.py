"""git.commit: a commit, all of it or nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitCommitInput
from ade_generated.models.types import GitCommitted
from ade_runtime.domains.git import views
from ade_runtime.domains.git.heads import LONG, finish, stopped
from ade_runtime.domains.git.staging import add_everything
from ade_runtime.domains.git.work import LaneActions, Work, spoken
from ade_runtime.integrations.git.log import changed_files, read_commit
from ade_runtime.integrations.git.refs import head
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.status import Status, read_status

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

FILES_SHOWN = 100


class CommitActions(LaneActions):
    async def commit(self, call: Call, args: GitCommitInput) -> GitCommitted:
        if args.message is None and not args.amend:
            raise errors.InvalidArguments(
                problem="message: must be given unless amend is true", action=call.action.id
            )
        if args.message is not None and not args.message.strip():
            raise errors.InvalidArguments(problem="message: must not be blank", action=call.action.id)
        async with self._writing(call, args.lane) as work:
            before = await head(work.git)
            status = await read_status(work.git, untracked="all")
            await _refuse(work, args, before, status)
            async with index_kept(work):
                if args.stage_all:
                    await add_everything(work, status, allow_markers=args.allow_markers)
                result = await _commit(work, args, status)
            return await _committed(work, before, result, amended=bool(args.amend))


async def _refuse(work: Work, args: GitCommitInput, before: str | None, status: Status) -> None:
    progress = work.progress
    if args.amend:
        if before is None:
            raise errors.NoCommits(lane=work.name)
        if progress is not None and progress.operation in ("merge", "cherry_pick", "revert"):
            raise errors.OperationInProgress(lane=work.name, operation=spoken(progress.operation))
    if status.unmerged and not args.stage_all:
        raise await stopped(work, "commit")
    if args.allow_empty or args.amend or (progress is not None and progress.operation == "merge"):
        return
    if status.clean:
        raise errors.NothingToCommit(lane=work.name, what="to commit")
    if not args.stage_all and not status.staged:
        raise errors.NothingToCommit(lane=work.name, what="staged")


async def _commit(work: Work, args: GitCommitInput, status: Status) -> GitResult:
    command = ["commit", "--quiet"]
    if args.amend:
        command.append("--amend")
    if args.allow_empty or args.amend:
        command.append("--allow-empty")
    if args.author is not None:
        command.append(f"--author={args.author}")
    command += ["--no-edit"] if args.message is None else ["--file=-"]
    message = None if args.message is None else args.message.encode("utf-8")
    return await work.git.run(*command, stdin=message, traced=True, timeout=LONG)


async def _committed(work: Work, before: str | None, result: GitResult, *, amended: bool) -> GitCommitted:
    status = await read_status(work.git)
    assert status.head is not None
    commit = await read_commit(work.git, status.head)
    parent = commit.parents[0] if commit.parents else None
    files = await changed_files(work.git, commit.oid, parent=parent)
    warnings = list(result.warnings)
    if status.branch is None and work.progress is None:
        warnings.append("no branch is checked out: make one, or the commit is hard to find again")
    return GitCommitted(
        lane=work.name,
        lane_id=work.id,
        branch=status.branch,
        before=before,
        commit=commit.oid,
        subject=commit.subject,
        amended=amended,
        items=[views.file_change(change) for change in files[:FILES_SHOWN]],
        total=len(files),
        next=None,
        counts=views.counts(status),
        warnings=warnings,
    )


@asynccontextmanager
async def index_kept(work: Work) -> AsyncIterator[None]:
    """Put the index back as it was when the body fails or is cancelled."""
    index = work.repository.git_dir / "index"
    saved = index.with_name("ade-index-before-commit")
    existed = index.exists()
    if existed:
        shutil.copyfile(index, saved)
    try:
        yield
    except BaseException:
        await finish(asyncio.to_thread(_put_back, index, saved if existed else None))
        raise
    finally:
        saved.unlink(missing_ok=True)


def _put_back(index: Path, saved: Path | None) -> None:
    """Replace the index under git's own lock; where another git holds it, what it does to the index goes
    first."""
    lock = index.with_name("index.lock")
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    except FileExistsError:
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            if saved is not None:
                file.write(saved.read_bytes())
        if saved is None:
            index.unlink(missing_ok=True)
            lock.unlink()
        else:
            lock.replace(index)
    except OSError:
        with suppress(OSError):
            lock.unlink()
