"""git.branches, git.checkout_branch, git.create_tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import (
    GitBranchesInput,
    GitBranchesOutput,
    GitCheckoutBranchInput,
    GitCreateTagInput,
    GitCreateTagOutput,
)
from ade_generated.models.types import GitBranch, GitHeadChange
from ade_runtime.domains.git import views
from ade_runtime.domains.git.heads import LONG, SWITCH, head_change
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.branches import Branch, list_refs, read_branches
from ade_runtime.integrations.git.refs import (
    branch_names,
    check_branch,
    check_tag,
    clash,
    current_branch,
    head,
    resolve_commit,
    resolve_ref,
)
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.worktrees import list_worktrees

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

_PREFIXES = {"local": ["refs/heads"], "remote": ["refs/remotes"], "all": ["refs/heads", "refs/remotes"]}


class BranchActions(LaneActions):
    async def branches(self, call: Call, args: GitBranchesInput) -> GitBranchesOutput:
        async with self._reading(call, args.lane) as work:
            merged = None if args.merged_into is None else await resolve_commit(work.git, args.merged_into)
            refs = await list_refs(work.git, _PREFIXES[args.kind], merged=merged)
            if args.search is not None:
                wanted = args.search.casefold()
                refs = [ref for ref in refs if wanted in ref.split("/", 2)[2].casefold()]
            shown, following = views.paged(refs, args.cursor, args.limit)
            current = await current_branch(work.git)
            lanes = {lane.path: lane.name for lane in await self._services.lanes.all(call.project)}
            folders = {str(path): name for path, name in lanes.items()}
            return GitBranchesOutput(
                items=[_branch(b, current, folders) for b in await read_branches(work.git, shown)],
                total=len(refs),
                next=following,
            )

    async def checkout_branch(self, call: Call, args: GitCheckoutBranchInput) -> GitHeadChange:
        if args.start is not None and not args.create:
            raise errors.InvalidArguments(
                problem="start: only a branch that is made has one", action=call.action.id
            )
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            check_branch(args.branch)
            before, branch = await head(work.git), await current_branch(work.git)
            if args.create:
                async with self._services.locks.project(call.project.id):
                    result = await _make_and_switch(work, args.branch, args.start, before)
                summary = f"made branch {args.branch} and checked it out"
            else:
                result = await _switch(work, args.branch)
                summary = f"checked out branch {args.branch}"
            await self._note_branch(work, made=bool(args.create))
            return await head_change(work, before, summary, result.warnings, moved=branch != args.branch)

    async def create_tag(self, call: Call, args: GitCreateTagInput) -> GitCreateTagOutput:
        async with self._writing(call, args.lane) as work:
            ref = "refs/tags/" + check_tag(args.name)
            commit = await resolve_commit(work.git, args.target or "HEAD")
            async with self._services.locks.project(call.project.id):
                existing = await resolve_ref(work.git, ref)
                if existing is not None:
                    raise errors.TagExists(tag=args.name, commit=existing)
                if args.message is None:
                    await work.git.run("tag", "--no-sign", "--", args.name, commit)
                else:
                    message = args.message.encode()
                    await work.git.run(
                        "tag", "--annotate", "--file=-", "--", args.name, commit, stdin=message
                    )
            return GitCreateTagOutput(
                name=args.name,
                ref=ref,
                commit=commit,
                object=await resolve_ref(work.git, ref) or commit,
                annotated=args.message is not None,
                lane=work.name,
                lane_id=work.id,
            )


async def _make_and_switch(work: Work, branch: str, start: str | None, before: str | None) -> GitResult:
    existing = clash(branch, await branch_names(work.git))
    if existing is not None:
        raise errors.BranchExists(branch=branch, existing=existing)
    if (
        start is None and before is None
    ):  # nothing to start from: the branch comes into being with its first commit
        await work.git.run("symbolic-ref", "HEAD", f"refs/heads/{branch}")
        return GitResult(b"", b"", 0)
    commit = await resolve_commit(work.git, start or "HEAD")
    return await work.git.run(
        "switch", *SWITCH, "--no-track", "--create", branch, commit, traced=True, timeout=LONG
    )


async def _switch(work: Work, branch: str) -> GitResult:
    """Check out a local branch, or make one that follows the only remote branch of that name."""
    if await resolve_ref(work.git, f"refs/heads/{branch}") is None:
        remote = await _only_remote_branch(work, branch)
        return await work.git.run(
            "switch", *SWITCH, "--track=direct", "--create", branch, remote, traced=True, timeout=LONG
        )
    here = work.repository.worktree
    for worktree in await list_worktrees(work.git):
        if worktree.branch == branch and worktree.path != here:
            raise errors.BranchInUse(branch=branch, path=str(worktree.path))
    return await work.git.run("switch", *SWITCH, "--no-guess", branch, traced=True, timeout=LONG)


async def _only_remote_branch(work: Work, branch: str) -> str:
    found = []
    for ref in await list_refs(work.git, ["refs/remotes"]):
        if (
            ref.endswith("/" + branch)
            and ref.removeprefix("refs/remotes/").removesuffix("/" + branch).count("/") == 0
        ):
            found.append(ref)
    if len(found) != 1:
        raise errors.BranchNotFound(branch=branch, details={"remote_branches": found} if found else None)
    existing = clash(branch, await branch_names(work.git))
    if existing is not None:
        raise errors.BranchExists(branch=branch, existing=existing)
    return found[0]


def _branch(branch: Branch, current: str | None, lanes: dict[str, str]) -> GitBranch:
    upstream = branch.upstream
    if upstream is not None:
        upstream = upstream.removeprefix("refs/remotes/").removeprefix("refs/heads/")
    return GitBranch(
        name=branch.name,
        kind=branch.kind,
        commit=branch.oid,
        subject=branch.subject,
        author=branch.author,
        time=branch.time,
        upstream=upstream,
        upstream_gone=branch.gone,
        ahead=branch.ahead,
        behind=branch.behind,
        current=branch.kind == "local" and branch.name == current,
        lane=lanes.get(branch.worktree or ""),
        worktree=branch.worktree,
    )
