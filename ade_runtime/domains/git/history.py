"""git.log, git.show, git.file_history: what was committed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import (
    GitFileHistoryInput,
    GitFileHistoryOutput,
    GitLogInput,
    GitLogOutput,
    GitShowInput,
    GitShowOutput,
)
from ade_generated.models.types import GitFileCommit
from ade_runtime.domains.git import views
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.log import (
    Commit,
    FileChange,
    changed_files,
    count_commits,
    read_commit,
    read_file_history,
    read_log,
)
from ade_runtime.integrations.git.refs import head, resolve_commit
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

_CURSOR = re.compile(r"([0-9a-f]{40}(?:[0-9a-f]{24})?)-([0-9]{1,9})")
_MERGE_STYLE = "--diff-merges=first-parent"


class HistoryActions(LaneActions):
    async def log(self, call: Call, args: GitLogInput) -> GitLogOutput:
        async with self._reading(call, args.lane) as work:
            start, skip = await _start(work, args.ref, args.cursor)
            if start is None:
                return GitLogOutput(lane=work.name, lane_id=work.id, start=None, items=[], total=0, next=None)
            revisions = [start]
            if args.not_in is not None:
                revisions.append("^" + await resolve_commit(work.git, args.not_in))
            options = _filters(args)
            paths = work.repository.paths(args.paths or [])
            commits = await read_log(
                work.git, *revisions, count=args.limit + 1, skip=skip, options=options, paths=paths
            )
            return GitLogOutput(
                lane=work.name,
                lane_id=work.id,
                start=start,
                items=[views.commit(commit) for commit in commits[: args.limit]],
                total=await _total(work, revisions, options, paths, commits, skip, args.limit),
                next=f"{start}-{skip + args.limit}" if len(commits) > args.limit else None,
            )

    async def show(self, call: Call, args: GitShowInput) -> GitShowOutput:
        async with self._reading(call, args.lane) as work:
            commit = await read_commit(work.git, await resolve_commit(work.git, args.ref or "HEAD"))
            paths = work.repository.paths(args.paths or [])
            parent = commit.parents[0] if commit.parents else None
            files = await changed_files(work.git, commit.oid, parent=parent, paths=paths)
            text, truncated, exact = "", False, True
            if args.patch:
                text, truncated, exact = await _patch(work, commit, paths, args.context, args.max_bytes)
            return GitShowOutput(
                lane=work.name,
                lane_id=work.id,
                commit=views.commit(commit, whole=True),
                items=[views.file_change(change) for change in files[: args.limit]],
                total=len(files),
                next=None,
                text=text,
                truncated=truncated,
                exact=exact,
            )

    async def file_history(self, call: Call, args: GitFileHistoryInput) -> GitFileHistoryOutput:
        async with self._reading(call, args.lane) as work:
            path = work.repository.path(args.path)
            start, skip = await _start(work, args.ref, args.cursor)
            if start is None:
                raise errors.NoCommits(lane=work.name)
            found = await read_file_history(
                work.git, start, path, count=args.limit + 1, skip=skip, follow=args.follow
            )
            if not found and not skip:
                raise errors.PathUnmatched(path=args.path, lane=work.name)
            more = len(found) > args.limit
            return GitFileHistoryOutput(
                lane=work.name,
                lane_id=work.id,
                path=show_path(path),
                items=[_file_commit(commit, change, path) for commit, change in found[: args.limit]],
                total=None if more else skip + len(found),
                next=f"{start}-{skip + args.limit}" if more else None,
            )


async def _start(work: Work, ref: str | None, cursor: str | None) -> tuple[str | None, int]:
    """Commit a list starts from (``None`` before the first one) and how many to leave out. A cursor keeps
    the commit, so that pages fit together although the branch moves."""
    if cursor is not None:
        match = _CURSOR.fullmatch(cursor)
        if match is None:
            raise errors.InvalidCursor(cursor=cursor)
        return match.group(1), int(match.group(2))
    if ref is None:
        return await head(work.git), 0
    return await resolve_commit(work.git, ref), 0


def _filters(args: GitLogInput) -> list[str]:
    options = ["--fixed-strings", "--regexp-ignore-case"]
    if args.author is not None:
        options.append(f"--author={args.author}")
    if args.grep is not None:
        options.append(f"--grep={args.grep}")
    if args.since is not None:
        options.append(f"--since={_moment(args.since)}")
    if args.until is not None:
        options.append(f"--until={_moment(args.until)}")
    if args.first_parent:
        options.append("--first-parent")
    return options


def _moment(moment: datetime) -> str:
    """A form that git does not guess at."""
    return f"@{max(0, int(moment.astimezone(UTC).timestamp()))} +0000"


async def _total(
    work: Work,
    revisions: list[str],
    options: list[str],
    paths: list[bytes],
    commits: list[Commit],
    skip: int,
    limit: int,
) -> int | None:
    if len(commits) <= limit and (commits or not skip):
        return skip + len(commits)
    return await count_commits(work.git, *revisions, options=options, paths=paths)


async def _patch(
    work: Work, commit: Commit, paths: list[bytes], context: int, limit: int
) -> tuple[str, bool, bool]:
    """The differences as text, whether they were cut, and whether every byte could be shown."""
    if limit == 0:
        return "", True, True
    result = await work.git.read(
        "show", "--format=", "--no-color", f"--unified={context}", _MERGE_STYLE, "--find-renames", commit.oid, "--",
        *paths, limit=limit, truncate=True,
    )  # fmt: skip
    data = result.stdout
    if result.truncated and (end := data.rfind(b"\n")) > 0:
        data = data[: end + 1]
    text = data.decode("utf-8", "replace")
    return text, result.truncated, text.encode("utf-8") == data


def _file_commit(commit: Commit, change: FileChange | None, path: bytes) -> GitFileCommit:
    return GitFileCommit(
        commit=commit.oid,
        subject=commit.subject,
        author=views.person(commit.author),
        path=show_path(change.path if change else path),
        old_path=show_path(change.old_path) if change and change.old_path is not None else None,
        status=views.change_status(change.letter if change else ""),
        additions=change.additions if change else None,
        deletions=change.deletions if change else None,
    )
