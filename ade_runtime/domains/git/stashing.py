"""The stash actions. Stashes belong to the whole repository, so each step holds the project's lock and
names its stash by object id."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import (
    GitStashApplyInput,
    GitStashApplyOutput,
    GitStashClearInput,
    GitStashClearOutput,
    GitStashClearOutputItemsItem,
    GitStashDropInput,
    GitStashDropOutput,
    GitStashListInput,
    GitStashListOutput,
    GitStashPopInput,
    GitStashPopOutput,
    GitStashPushInput,
    GitStashPushOutput,
)
from ade_generated.models.types import GitCounts, GitRecovery
from ade_runtime.domains.git import views
from ade_runtime.domains.git.heads import need_head, stopped
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.locks import wait_for_index
from ade_runtime.integrations.git.refs import current_branch
from ade_runtime.integrations.git.snapshot import keep
from ade_runtime.integrations.git.stash import Stash, drop_stash, find_stash, list_stashes, push_stash
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class StashActions(LaneActions):
    async def stash_push(self, call: Call, args: GitStashPushInput) -> GitStashPushOutput:
        async with self._writing(call, args.lane) as work, self._services.locks.project(call.project.id):
            work.refuse_unfinished()
            await need_head(work)
            options = _push_options(args)
            paths = None if args.paths is None else work.repository.paths(args.paths)
            oid = await _push(work, args.message, options, paths)
            found = None if oid is None else await find_stash(work.git, oid)
            if found is None:
                raise errors.NothingToStash(lane=work.name)
            return GitStashPushOutput(
                lane=work.name, lane_id=work.id, stash=views.stash(found), counts=await _counts(work)
            )

    async def stash_list(self, call: Call, args: GitStashListInput) -> GitStashListOutput:
        async with self._reading(call, args.lane) as work:
            stashes = await list_stashes(work.git)
            if args.own:
                branch = await current_branch(work.git)
                stashes = [stash for stash in stashes if stash.branch == branch]
            shown, following = views.paged(stashes, args.cursor, args.limit)
            return GitStashListOutput(
                items=[views.stash(stash) for stash in shown], total=len(stashes), next=following
            )

    async def stash_apply(self, call: Call, args: GitStashApplyInput) -> GitStashApplyOutput:
        async with self._writing(call, args.lane) as work, self._services.locks.project(call.project.id):
            stash = await _apply(work, args.stash, restore_index=args.restore_index)
            return GitStashApplyOutput(
                lane=work.name,
                lane_id=work.id,
                stash=views.stash(stash),
                dropped=False,
                counts=await _counts(work),
            )

    async def stash_pop(self, call: Call, args: GitStashPopInput) -> GitStashPopOutput:
        async with self._writing(call, args.lane) as work, self._services.locks.project(call.project.id):
            stash = await _apply(work, args.stash, restore_index=args.restore_index)
            await drop_stash(work.git, stash)
            return GitStashPopOutput(
                lane=work.name,
                lane_id=work.id,
                stash=views.stash(stash),
                dropped=True,
                counts=await _counts(work),
            )

    async def stash_drop(self, call: Call, args: GitStashDropInput) -> GitStashDropOutput:
        async with self._writing(call, args.lane) as work, self._services.locks.project(call.project.id):
            stash = await _find(work, args.stash)
            return GitStashDropOutput(stash=views.stash(stash), recovery=await self._drop(work, stash))

    async def stash_clear(self, call: Call, args: GitStashClearInput) -> GitStashClearOutput:
        async with self._writing(call, args.lane) as work, self._services.locks.project(call.project.id):
            stashes = await list_stashes(work.git)
            if not args.everything:
                branch = await current_branch(work.git)
                if branch is None:
                    raise errors.DetachedHead(lane=work.name, operation="clearing its stashes")
                stashes = [stash for stash in stashes if stash.branch == branch]
            dropped = []
            for stash in reversed(stashes):  # the highest number first, so that the others keep theirs
                recovery = await self._drop(work, stash)
                dropped.append(GitStashClearOutputItemsItem(stash=views.stash(stash), recovery=recovery))
            dropped.reverse()
            return GitStashClearOutput(items=dropped, total=len(dropped), next=None)

    async def _drop(self, work: Work, stash: Stash) -> GitRecovery:
        kept = await keep(work.git, stash.oid, "stash", self._services.clock.now())
        await drop_stash(work.git, stash)
        return views.recovery(kept, f"git stash apply {kept.ref}")


def _push_options(args: GitStashPushInput) -> list[str]:
    options = ["--include-untracked"] if args.include_untracked else []
    if args.staged_only:
        options.append("--staged")
    if args.keep_index:
        options.append("--keep-index")
    return options


async def _push(work: Work, message: str | None, options: list[str], paths: list[bytes] | None) -> str | None:
    text = message or f"from lane {work.name}"
    if paths is None:
        return await push_stash(work.git, text, *options)
    try:
        return await push_stash(work.git, text, *options, "--", *(b":(top,literal)" + path for path in paths))
    except f.GitError as problem:
        if "did not match any" in problem.stderr:
            shown = show_path(paths[0]) if len(paths) == 1 else "one of the paths"
            raise errors.PathUnmatched(path=shown, lane=work.name) from problem
        raise


async def _find(work: Work, ref: str | None) -> Stash:
    """The stash a call means: the one it names, else the latest made on the branch checked out in the
    lane."""
    if ref is not None:
        found = await find_stash(work.git, ref)
        if found is None:
            raise errors.StashNotFound(stash=ref)
        return found
    branch = await current_branch(work.git)
    for stash in await list_stashes(work.git):
        if branch is not None and stash.branch == branch:
            return stash
    raise errors.StashNotFound(stash=f"made on {branch or 'a detached HEAD'}")


async def _apply(work: Work, ref: str | None, *, restore_index: bool) -> Stash:
    work.refuse_unfinished()
    await need_head(work)
    stash = await _find(work, ref)
    await _refuse_overwriting(work, stash)
    work.context.operation = "stash"
    await wait_for_index(work.repository.git_dir)
    options = ["--index"] if restore_index else []
    try:
        await work.git.run(
            "stash", "apply", "--quiet", *options, stash.oid, timeout=300, literal=False, retry_locked=False
        )
    except f.GitError as problem:
        raise await stopped(work, "stash", problem) from problem
    return stash


async def _refuse_overwriting(work: Work, stash: Stash) -> None:
    """Git brings tracked files back before it meets an untracked one in the way; so such are looked for
    first."""
    if not stash.untracked:
        return
    result = await work.git.read("ls-tree", "-r", "-z", "--name-only", f"{stash.oid}^3")
    in_the_way = [path for path in result.records() if _exists(work, path)]
    if in_the_way:
        raise f.WouldOverwrite(command="stash", code=1, files=_shown(in_the_way))


def _exists(work: Work, path: bytes) -> bool:
    return os.path.lexists(os.path.join(os.fsencode(work.repository.worktree), path))  # noqa: PTH118


def _shown(paths: Sequence[bytes]) -> list[str]:
    return [show_path(path) for path in paths[:100]]


async def _counts(work: Work) -> GitCounts:
    return views.counts(await read_status(work.git))
