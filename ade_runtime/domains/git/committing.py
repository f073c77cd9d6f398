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
from ade_runtime.contracts import JsonObject
from ade_runtime.domains.git import views
from ade_runtime.domains.git.heads import LONG, finish, stopped
from ade_runtime.domains.git.staging import add_everything
from ade_runtime.domains.git.work import LaneActions, Work, spoken
from ade_runtime.integrations.git.log import changed_files, read_commit
from ade_runtime.integrations.git.refs import head
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.status import Status, read_status
from ade_runtime.machine.temporary import temporary_folder

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
            if call.earlier and await _was_made(work, args, call.earlier, before):
                was = call.earlier["before"]
                return await _committed(work, was, GitResult(b"", b"", 0), amended=bool(args.amend))
            status = await read_status(work.git, untracked="all")
            await _refuse(work, args, before, status)
            if call.receipt is not None:
                await self._services.database.write(lambda db: call.claim(db, {"before": before}))
            async with index_kept(work):
                if args.stage_all:
                    await add_everything(work, status, allow_markers=args.allow_markers)
                result = await _commit(work, args, status)
            return await _committed(work, before, result, amended=bool(args.amend))


async def _was_made(work: Work, args: GitCommitInput, claim: JsonObject, now: str | None) -> bool:
    """Whether an attempt at this call that was killed made its commit: the one checked out stands on what was there before
    and says what was to be said. A hook may have added to the message."""
    if now is None or now == claim["before"]:
        return False
    commit = await read_commit(work.git, now)
    stands_on = [] if claim["before"] is None else [claim["before"]]
    if args.amend and claim["before"] is not None:
        stands_on = list((await read_commit(work.git, str(claim["before"]))).parents)
    said = (args.message or "").strip().splitlines()
    return list(commit.parents)[:1] == stands_on[:1] and (
        not said or commit.subject.startswith(said[0].strip())
    )


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
    with temporary_folder("index") as folder:
        saved = folder / "index"
        existed = index.exists()
        if existed:
            shutil.copyfile(index, saved)
        try:
            yield
        except BaseException:
            await finish(asyncio.to_thread(_put_back, index, saved if existed else None))
            raise


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
