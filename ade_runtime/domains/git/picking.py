"""git.revert and git.cherry_pick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitCherryPickInput, GitRevertInput
from ade_generated.models.types import GitHeadChange
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git.heads import attempt, head_change, need_head
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.failures import WouldOverwrite
from ade_runtime.integrations.git.in_the_way import refuse_overwriting, replaying
from ade_runtime.integrations.git.log import read_commit
from ade_runtime.integrations.git.refs import resolve_commit
from ade_runtime.integrations.git.state import Operation
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class PickActions(LaneActions):
    async def revert(self, call: Call, args: GitRevertInput) -> GitHeadChange:
        options = ["--no-edit"]
        async with self._writing(call, args.lane) as work:
            return await _pick(work, "revert", args.commits, options, args.mainline, args.no_commit)

    async def cherry_pick(self, call: Call, args: GitCherryPickInput) -> GitHeadChange:
        options = ["--allow-empty-message"]
        if args.record_origin:
            options.append("-x")
        async with self._writing(call, args.lane) as work:
            return await _pick(work, "cherry_pick", args.commits, options, args.mainline, args.no_commit)


async def _pick(
    work: Work,
    operation: Operation,
    revisions: list[str],
    options: list[str],
    mainline: int | None,
    no_commit: bool,
) -> GitHeadChange:
    work.refuse_unfinished()
    before = await need_head(work)
    await _refuse_staged(work)
    commits = [await resolve_commit(work.git, revision) for revision in revisions]
    await _check_mainline(work, operation, commits, mainline)
    changes = await replaying(work.git, before, commits)
    if operation == "revert":
        changes = [(after, earlier) for earlier, after in changes]
    await refuse_overwriting(work.repository, *changes)
    command = [operation.replace("_", "-"), *options]
    if no_commit:
        command.append("--no-commit")
    if mainline is not None:
        command += ["--mainline", str(mainline)]
    result = await attempt(work, operation, *command, *commits)
    done = "reverted" if operation == "revert" else "picked"
    end = ", staged and not committed" if no_commit else ""
    return await head_change(work, before, f"{done} {len(commits)} commits{end}", result.warnings)


async def _refuse_staged(work: Work) -> None:
    staged = (await read_status(work.git, untracked="no")).staged
    if staged:
        raise WouldOverwrite(files=[show_path(entry.path) for entry in staged[:100]])


async def _check_mainline(work: Work, operation: str, commits: Sequence[str], mainline: int | None) -> None:
    for oid in commits:
        parents = len((await read_commit(work.git, oid)).parents)
        if parents > 1 and mainline is None:
            raise _invalid(work, f"mainline: {oid[:12]} is a merge, so name the parent that counts")
        if mainline is not None and (parents < 2 or mainline > parents):
            raise _invalid(work, f"mainline: {oid[:12]} has {parents} parents")


def _invalid(work: Work, problem: str) -> AdeError:
    return errors.InvalidArguments(problem=problem, action=work.context.action)
