"""git.undo_last_head_change, git.redo_last_head_change, git.reset: moving HEAD back and forth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import (
    GitRedoLastHeadChangeInput,
    GitResetInput,
    GitResetOutput,
    GitResetOutputRecovery,
    GitUndoLastHeadChangeInput,
)
from ade_generated.models.types import GitHeadChange
from ade_runtime.domains.git.discarding import keep_work, restore_command
from ade_runtime.domains.git.failures import one_line
from ade_runtime.domains.git.heads import LONG, SWITCH, came_in, head_change, need_head
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.in_the_way import in_the_way, refuse_overwriting, untracked_at
from ade_runtime.integrations.git.reflog import REDO, UNDO, Change, read_history
from ade_runtime.integrations.git.refs import current_branch, resolve_commit, resolve_ref
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.snapshot import Kept
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.worktrees import list_worktrees

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class MoveActions(LaneActions):
    async def undo_last_head_change(self, call: Call, args: GitUndoLastHeadChangeInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            before = await need_head(work)
            history = read_history(work.repository.git_dir)
            change = history.undoable[-1] if history.undoable else None
            await _refuse(work, change, before, "undo", at=change.after if change else None)
            assert change is not None
            if change.before is None:
                reason = "it is the first commit"
                raise errors.NothingToUndo(lane=work.name, direction="undo", reason=reason)
            warnings = await _published(work, before)
            result = await _go(work, change, change.before, change.source, UNDO)
            await self._note_branch(work)
            summary = f"undid: {one_line(change.message)}"
            return await head_change(work, before, summary, [*warnings, *result.warnings], moved=True)

    async def redo_last_head_change(self, call: Call, args: GitRedoLastHeadChangeInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            before = await need_head(work)
            history = read_history(work.repository.git_dir)
            change = history.redoable[-1] if history.redoable else None
            await _refuse(work, change, before, "redo", at=change.before if change else None)
            assert change is not None
            result = await _go(work, change, change.after, change.target, REDO)
            await self._note_branch(work)
            return await head_change(
                work, before, f"did again: {one_line(change.message)}", result.warnings, moved=True
            )

    async def reset(self, call: Call, args: GitResetInput) -> GitResetOutput:
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            before = await need_head(work)
            target = await resolve_commit(work.git, args.target)
            kept = None
            if args.mode == "hard":
                kept = await self._keep_what_goes(work, before, target)
            elif args.mode == "keep":
                await refuse_overwriting(work.repository, (before, target))
            await work.git.run("reset", "--quiet", f"--{args.mode}", target, timeout=LONG)
            left, _ = await came_in(work, target, before)
            recovery = None
            if kept is not None:
                recovery = GitResetOutputRecovery(
                    commit=kept.commit, ref=kept.ref, until=kept.until, restore=restore_command(kept, [])
                )
            summary = f"reset to {target[:12]}, {args.mode}"
            return GitResetOutput(
                change=await head_change(work, before, summary), left_behind=left, recovery=recovery
            )

    async def _keep_what_goes(self, work: Work, before: str, target: str) -> Kept | None:
        """Keep what a hard reset takes away: changes, new files, and ignored ones that stand in the way."""
        status = await read_status(work.git, untracked="all")
        changed = {entry.path for entry in status.entries if entry.kind in ("tracked", "unmerged")}
        replaced = await in_the_way(work.repository, (before, target))
        replaced += await untracked_at(work.repository, changed)
        if status.clean and not replaced:
            return None
        message = f"Before a hard reset of lane {work.name}"
        return await keep_work(work, self._services.clock.now(), message, replaced)


async def _refuse(work: Work, change: Change | None, head: str, direction: str, *, at: str | None) -> None:
    """Raise ``nothing_to_undo`` unless HEAD is just where ``change`` left it (or, for a redo, began)."""
    reason = None
    if change is None:
        reason = "nothing is on record"
    elif at != head:
        reason = "HEAD is not where the last recorded change left it"
    elif change.kind == "checkout":
        expected = change.target if direction == "undo" else change.source
        here = await current_branch(work.git) or head
        if here != expected and expected != head:
            reason = f"{one_line(expected)} is not checked out"
    if reason is not None:
        raise errors.NothingToUndo(lane=work.name, direction=direction, reason=reason)


async def _go(work: Work, change: Change, commit: str, place: str, word: str) -> GitResult:
    env = {"GIT_REFLOG_ACTION": word}
    if change.kind == "checkout":
        return await _switch(work, place, commit, env)
    if change.kind == "commit":
        return await work.git.run("reset", "--quiet", "--soft", commit, env=env, traced=True, timeout=LONG)
    await refuse_overwriting(work.repository, ("HEAD", commit))
    return await work.git.run("reset", "--quiet", "--keep", commit, env=env, traced=True, timeout=LONG)


async def _switch(work: Work, place: str, commit: str, env: dict[str, str]) -> GitResult:
    if await resolve_ref(work.git, f"refs/heads/{place}") is None:
        if place != commit:
            raise errors.BranchNotFound(branch=one_line(place))
        return await work.git.run("switch", *SWITCH, "--detach", commit, env=env, traced=True, timeout=LONG)
    for worktree in await list_worktrees(work.git):
        if worktree.branch == place and worktree.path != work.repository.worktree:
            raise errors.BranchInUse(branch=place, path=str(worktree.path))
    return await work.git.run("switch", *SWITCH, "--no-guess", place, env=env, traced=True, timeout=LONG)


async def _published(work: Work, head: str) -> list[str]:
    """A warning when a remote branch already has the commit that is being undone."""
    result = await work.git.read(
        "for-each-ref", "--format=%(refname:short)", f"--contains={head}", "refs/remotes"
    )
    if not result.lines:
        return []
    return [
        f"{result.lines[0]} already has the undone commit; pushing this branch again needs force_with_lease"
    ]
