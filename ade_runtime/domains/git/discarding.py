"""git.discard: giving up changes, which are kept for 30 days."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitDiscardInput, GitDiscardOutput
from ade_runtime.domains.git import views
from ade_runtime.domains.git.failures import some
from ade_runtime.domains.git.heads import need_head
from ade_runtime.domains.git.staging import FILES_SHOWN
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.in_the_way import untracked_at
from ade_runtime.integrations.git.snapshot import Kept, keep, prune, snapshot
from ade_runtime.integrations.git.status import Entry, Status, read_status
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class DiscardActions(LaneActions):
    async def discard(self, call: Call, args: GitDiscardInput) -> GitDiscardOutput:
        if args.paths is None and not args.all:
            raise errors.InvalidArguments(
                problem="all: must be true when no paths are given", action=call.action.id
            )
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            await need_head(work)
            paths = [b"."] if args.paths is None else work.repository.paths(args.paths)
            status = await read_status(work.git, untracked="all", renames=False, paths=paths)
            tracked = _to_restore(status, keep_staged=args.keep_staged)
            # A repository inside the lane is shown with a slash at its end; git does not remove it, nor do we.
            new = [e for e in status.untracked if not e.path.endswith(b"/")] if args.untracked else []
            if not tracked and not new:
                where = f" in {some([show_path(p) for p in paths])}" if args.paths is not None else ""
                raise errors.NothingToDiscard(lane=work.name, where=where)
            replaced = await untracked_at(work.repository, {entry.path for entry in tracked})
            message = f"Discarded in lane {work.name}"
            kept = await keep_work(work, self._services.clock.now(), message, replaced)
            await _give_up(work, tracked, new, keep_staged=args.keep_staged)
            entries = sorted([*tracked, *new], key=lambda entry: entry.path)
            return GitDiscardOutput(
                lane=work.name,
                lane_id=work.id,
                items=[views.file_status(entry) for entry in entries[:FILES_SHOWN]],
                total=len(entries),
                next=None,
                counts=views.counts(await read_status(work.git)),
                recovery=views.recovery(kept, restore_command(kept, [e.path for e in entries])),
            )


async def keep_work(work: Work, now: datetime, message: str, ignored: Sequence[bytes] = ()) -> Kept:
    """Keep the lane's files as they are for 30 days, of the ignored ones those named, and let go of what was kept
    for longer."""
    commit = await snapshot(work.repository, message, ignored=ignored)
    kept = await keep(work.git, commit, "discarded", now)
    await prune(work.git, now)
    return kept


def restore_command(kept: Kept, paths: Sequence[bytes]) -> str:
    """The command that brings these files back, or all of them when there are many or their names are no
    text."""
    try:
        names = [path.decode("utf-8") for path in paths]
    except UnicodeDecodeError:
        names = []
    listed = " ".join(shlex.quote(f":(top,literal){name}") for name in names) if 0 < len(names) <= 10 else "."
    return f"git restore --source={kept.ref} -- {listed}"


def _to_restore(status: Status, *, keep_staged: bool) -> list[Entry]:
    if keep_staged:
        return status.changed
    return [entry for entry in status.entries if entry.kind in ("tracked", "unmerged")]


async def _give_up(work: Work, tracked: Sequence[Entry], new: Sequence[Entry], *, keep_staged: bool) -> None:
    """Restore tracked files and remove new ones; a file that is only staged as new counts among the first."""
    if tracked:
        source = ["--worktree"] if keep_staged else ["--staged", "--worktree", "--source=HEAD"]
        listed = b"\0".join(entry.path for entry in tracked)
        await work.git.run(
            "restore", *source, "--pathspec-from-file=-", "--pathspec-file-nul", stdin=listed, timeout=300
        )
    for start in range(0, len(new), 500):
        chunk = [entry.path for entry in new[start : start + 500]]
        await work.git.run("clean", "--force", "-d", "--quiet", "--", *chunk, timeout=300)
