"""git.merge_continue and git.merge_abort, for merges, cherry-picks and reverts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitMergeAbortInput, GitMergeContinueInput
from ade_generated.models.types import GitHeadChange
from ade_runtime.domains.git.discarding import keep_work
from ade_runtime.domains.git.heads import LONG, attempt, head_change, need_head, stopped
from ade_runtime.domains.git.work import LaneActions, Work, spoken
from ade_runtime.integrations.git.state import Operation
from ade_runtime.integrations.git.status import read_status

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class UnfinishedActions(LaneActions):
    async def merge_continue(self, call: Call, args: GitMergeContinueInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            operation = _unfinished(work)
            before = await need_head(work)
            if (await read_status(work.git, untracked="no")).unmerged:
                raise await stopped(work, operation)
            warnings = await _finish(work, operation, args.message)
            return await head_change(work, before, f"finished the {spoken(operation)}", warnings)

    async def merge_abort(self, call: Call, args: GitMergeAbortInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            operation = _unfinished(work)
            before = await need_head(work)
            message = f"Aborted {spoken(operation)} in lane {work.name}"
            kept = await keep_work(work, self._services.clock.now(), message)
            await work.git.run(spoken(operation), "--abort", timeout=LONG)
            summary = f"took the {spoken(operation)} back"
            return await head_change(work, before, summary, [f"its files are kept as {kept.ref}"])


def _unfinished(work: Work) -> Operation:
    progress = work.progress
    if progress is None or progress.operation not in ("merge", "cherry_pick", "revert"):
        raise errors.NoOperation(operation="merge, cherry-pick or revert", lane=work.name)
    work.context.operation = spoken(progress.operation)
    return progress.operation


async def _finish(work: Work, operation: Operation, message: str | None) -> tuple[str, ...]:
    """Commit what was resolved, then go on with the commits of the sequence that are left."""
    warnings: tuple[str, ...] = ()
    progress = work.progress
    if progress is not None and progress.commit is not None and (message is not None or operation == "merge"):
        # Git's prepared message lists the files that were in conflict in comment lines: strip takes them out.
        how = ["--no-edit", "--cleanup=strip"] if message is None else ["--file=-"]
        text = None if message is None else message.encode("utf-8")
        warnings = (
            await attempt(work, operation, "commit", "--quiet", *how, stdin=text, began=False)
        ).warnings
    if operation != "merge" and work.progress is not None:
        result = await attempt(work, operation, spoken(operation), "--continue", began=False)
        warnings += result.warnings
    return warnings
