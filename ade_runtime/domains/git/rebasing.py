"""git.rebase, git.rebase_continue, git.rebase_abort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitRebaseAbortInput, GitRebaseContinueInput, GitRebaseInput
from ade_generated.models.types import GitHeadChange
from ade_runtime.domains.git.autostash import put_aside
from ade_runtime.domains.git.discarding import keep_work
from ade_runtime.domains.git.heads import LONG, attempt, head_change, need_head, stopped
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.in_the_way import refuse_overwriting, replaying
from ade_runtime.integrations.git.refs import resolve_commit, resolve_ref
from ade_runtime.integrations.git.status import read_status

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class RebaseActions(LaneActions):
    async def rebase(self, call: Call, args: GitRebaseInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            before = await need_head(work)
            if args.onto is None:
                target, name = await self._parent(work)
            else:
                target, name = await resolve_commit(work.git, args.onto), args.onto
            await refuse_replaying(work, before, target)
            async with put_aside(work, args.autostash) as notes:
                # Stacked branches belong to other lanes; each is rebased from its own.
                result = await attempt(
                    work, "rebase", "rebase", "--no-autostash", "--no-update-refs", "--empty=drop", target
                )
            warnings = [*result.warnings, *notes]
            change = await head_change(work, before, f"rebased onto {name}", warnings, since=target)
            return (
                change
                if change.changed
                else change.model_copy(update={"summary": f"already on top of {name}"})
            )

    async def rebase_continue(self, call: Call, args: GitRebaseContinueInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            before = await _unfinished(work)
            onto = work.progress.onto if work.progress else None
            if args.skip:
                await keep_work(work, self._services.clock.now(), f"Skipped in a rebase of lane {work.name}")
            elif (await read_status(work.git, untracked="no")).unmerged:
                raise await stopped(work, "rebase")
            how = "--skip" if args.skip else "--continue"
            result = await attempt(work, "rebase", "rebase", how, began=False)
            return await head_change(
                work, before, "finished the rebase", result.warnings, since=onto, moved=True
            )

    async def rebase_abort(self, call: Call, args: GitRebaseAbortInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            before = await _unfinished(work)
            kept = await keep_work(work, self._services.clock.now(), f"Aborted rebase of lane {work.name}")
            await work.git.run("rebase", "--abort", timeout=LONG)
            return await head_change(
                work, before, "took the rebase back", [f"its files are kept as {kept.ref}"]
            )

    async def _parent(self, work: Work) -> tuple[str, str]:
        """The latest commit of the lane that this one stands on, and its name."""
        lanes = self._services.lanes
        parent = lanes.parent_of(work.record, await lanes.all(work.record.project))
        if parent is None:
            raise errors.NoComparison(lane=work.name, missing="parent lane to rebase onto; name a commit")
        branch = parent.live_branch() or parent.branch
        commit = await resolve_ref(work.git, f"refs/heads/{branch}") if branch else None
        if commit is None:
            commit = await resolve_commit(lanes.repository(parent).git, "HEAD")
        return commit, f"lane {parent.name}"


async def refuse_replaying(work: Work, before: str, target: str) -> None:
    """Raise ``local_changes`` where a rebase onto ``target`` would replace untracked files."""
    own = await work.git.read("rev-list", "--no-merges", f"{target}..{before}")
    changes = await replaying(work.git, target, own.lines) if own.lines else []
    await refuse_overwriting(work.repository, (before, target), *changes)


async def _unfinished(work: Work) -> str:
    progress = work.progress
    if progress is None or progress.operation != "rebase":
        raise errors.NoOperation(operation="rebase", lane=work.name)
    work.context.operation = "rebase"
    return await need_head(work)
