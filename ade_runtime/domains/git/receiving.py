"""git.fetch and git.pull: what others committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_generated.models.git import GitFetchInput, GitFetchOutput, GitFetchOutputItemsItem, GitPullInput
from ade_generated.models.types import GitHeadChange
from ade_runtime.domains.git.autostash import put_aside
from ade_runtime.domains.git.heads import LONG, attempt, head_change, need_head
from ade_runtime.domains.git.rebasing import refuse_replaying
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.in_the_way import merging, refuse_overwriting
from ade_runtime.integrations.git.refs import (
    check_remote,
    current_branch,
    remote_names,
    resolve_ref,
)
from ade_runtime.integrations.git.remotes import Upstream, default_remote, read_upstream
from ade_runtime.integrations.git.runner import Git

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

RefKind = Literal["new", "forward", "forced", "deleted"]


class ReceiveActions(LaneActions):
    async def fetch(self, call: Call, args: GitFetchInput) -> GitFetchOutput:
        async with self._reading(call, args.lane) as work:
            remotes = await self._remotes(work, args)
            before = await _tracking_refs(work.git)
            options = ["--prune"] if args.prune else []
            options += ["--tags"] if args.tags else []
            for position, remote in enumerate(remotes):
                call.progress(f"fetching from {remote}", position / len(remotes))
                await self._fetch(work, remote, options)
            changed = await _changes(work.git, before, await _tracking_refs(work.git))
            return GitFetchOutput(remotes=remotes, items=changed[: args.limit], total=len(changed), next=None)

    async def pull(self, call: Call, args: GitPullInput) -> GitHeadChange:
        async with self._writing(call, args.lane) as work:
            work.refuse_unfinished()
            before = await need_head(work)
            branch, upstream = await _tracked(work)
            if upstream.remote != ".":
                call.progress(f"fetching from {upstream.remote}", None)
                await known_remote(work, upstream.remote)
                await self._fetch(work, upstream.remote, [])
            target = await resolve_ref(work.git, upstream.ref) if upstream.ref else None
            if target is None:
                raise errors.NoUpstream(
                    branch=branch, lane=work.name, reason=f"{upstream.name} does not exist any more"
                )
            ahead, behind = await _distance(work.git, before, target)
            if behind == 0:
                return await head_change(work, before, f"{branch} has every commit of {upstream.name}")
            if ahead and args.strategy == "ff_only":
                raise errors.NotFastForward(branch=branch, upstream=upstream.name, ahead=ahead, behind=behind)
            async with put_aside(work, args.autostash) as notes:
                result = await _bring_in(work, args.strategy, branch, upstream, target, ahead)
            warnings = [*result, *notes]
            return await head_change(
                work, before, f"brought in {behind} commits of {upstream.name}", warnings
            )

    async def _remotes(self, work: Work, args: GitFetchInput) -> list[str]:
        if args.all:
            names = await remote_names(work.git)
            if not names:
                raise errors.RemoteNotFound(remote="of any name", known="none")
            return names
        return [await pick_remote(work, args.remote)]

    async def _fetch(self, work: Work, remote: str, options: list[str]) -> None:
        """Fetch under a lock of its own: two fetches at once stumble over each other's refs."""
        work.context.remote = remote
        async with self._services.locks.lane(f"fetch-{work.record.project.id}"):
            await work.git.run(
                "fetch", "--no-auto-maintenance", "--no-recurse-submodules", "--quiet", *options, "--", remote,
                timeout=LONG, retry_locked=True,
            )  # fmt: skip


async def pick_remote(work: Work, named: str | None, *, pushing: bool = False) -> str:
    """The remote a call means: the one it names, else the branch's own, else origin, else the only one."""
    if named is not None:
        return await known_remote(work, named)
    branch = await current_branch(work.git)
    if branch is not None and pushing:
        for key in (f"branch.{branch}.pushRemote", "remote.pushDefault"):
            configured = await work.git.read("config", "--get", key, ok=(0, 1))
            if configured.code == 0 and configured.text:
                return await known_remote(work, configured.text)
    upstream = await read_upstream(work.git, branch) if branch else None
    if upstream is not None and upstream.remote != ".":
        return await known_remote(work, upstream.remote)
    remote = await default_remote(work.git)
    if remote is None:
        names = await remote_names(work.git)
        raise errors.RemoteNotFound(
            remote="to choose by itself" if names else "yet", known=", ".join(names) or "none"
        )
    return remote


async def known_remote(work: Work, name: str) -> str:
    """``name`` if the repository has such a remote; raises ``invalid_remote`` or ``remote_not_found``."""
    check_remote(name)
    names = await remote_names(work.git)
    if name not in names:
        raise errors.RemoteNotFound(remote=name, known=", ".join(names) or "none")
    return name


async def _tracked(work: Work) -> tuple[str, Upstream]:
    branch = await current_branch(work.git)
    if branch is None:
        raise errors.DetachedHead(lane=work.name, operation="pull")
    upstream = await read_upstream(work.git, branch)
    if upstream is None:
        raise errors.NoUpstream(branch=branch, lane=work.name, reason="none is configured")
    work.context.branch = branch
    return branch, upstream


async def _bring_in(
    work: Work, strategy: str, branch: str, upstream: Upstream, target: str, ahead: int
) -> tuple[str, ...]:
    if strategy == "rebase" and ahead:
        await refuse_replaying(work, "HEAD", target)
        return (
            await attempt(work, "rebase", "rebase", "--no-update-refs", "--no-autostash", target)
        ).warnings
    await refuse_overwriting(work.repository, await merging(work.git, "HEAD", target))
    arguments = ["merge", "--quiet", "--no-edit", "--no-autostash"]
    if ahead:
        arguments += ["--no-ff", "-m", f"Merge {_kind(upstream)} '{upstream.name}' into {branch}"]
    else:
        arguments.append("--ff-only")
    return (await attempt(work, "merge", *arguments, target)).warnings


def _kind(upstream: Upstream) -> str:
    return "branch" if upstream.remote == "." else "remote-tracking branch"


async def _distance(git: Git, ours: str, theirs: str) -> tuple[int, int]:
    """Commits that only ``ours`` has and commits that only ``theirs`` has."""
    result = await git.read("rev-list", "--count", "--left-right", f"{ours}...{theirs}")
    ahead, behind = result.text.split()
    return int(ahead), int(behind)


async def _tracking_refs(git: Git) -> dict[str, str]:
    result = await git.read(
        "for-each-ref", "--format=%(refname) %(objectname) %(symref)", "refs/remotes", "refs/tags"
    )
    out = {}
    for line in result.lines:
        ref, oid, symref = line.split(" ", 2)
        if not symref:
            out[ref] = oid
    return out


async def _changes(git: Git, before: dict[str, str], after: dict[str, str]) -> list[GitFetchOutputItemsItem]:
    out = []
    for ref in sorted(before.keys() | after.keys()):
        old, new = before.get(ref), after.get(ref)
        if old != new:
            kind = await _kind_of(git, old, new)
            short = ref.removeprefix("refs/remotes/").removeprefix("refs/tags/")
            out.append(GitFetchOutputItemsItem(ref=short, kind=kind, before=old, after=new))
    return out


async def _kind_of(git: Git, old: str | None, new: str | None) -> RefKind:
    if old is None:
        return "new"
    if new is None:
        return "deleted"
    contained = await git.read("merge-base", "--is-ancestor", old, new, check=False)
    return "forward" if contained.code == 0 else "forced"
