"""git.push: a lane's branch to a remote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_generated.models.git import GitPushInput, GitPushOutput
from ade_runtime.domains.git.failures import one_line
from ade_runtime.domains.git.heads import LONG, need_head
from ade_runtime.domains.git.receiving import pick_remote
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.refs import check_branch, current_branch, resolve_ref
from ade_runtime.integrations.git.remotes import read_upstream
from ade_runtime.integrations.git.runner import GitResult
from ade_runtime.integrations.git.text import redact, show_text

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

Result = Literal["created", "forward", "forced", "up_to_date"]
_RESULTS: dict[str, Result] = {"*": "created", " ": "forward", "+": "forced", "=": "up_to_date"}
_SAID = re.compile(r"^remote: ?(.*?)\s*$", re.MULTILINE)
SAID_LIMIT = 20
REFLOG_LIMIT = 500


class SendActions(LaneActions):
    async def push(self, call: Call, args: GitPushInput) -> GitPushOutput:
        async with self._writing(call, args.lane) as work:
            head = await need_head(work)
            branch = await current_branch(work.git)
            if branch is None:
                raise errors.DetachedHead(lane=work.name, operation="push")
            remote = await pick_remote(work, args.remote, pushing=True)
            upstream = await read_upstream(work.git, branch)
            target = await _target(work, args.branch, branch, remote)
            work.context.remote, work.context.branch = remote, target
            before = await resolve_ref(work.git, f"refs/remotes/{remote}/{target}")
            if args.force_with_lease and args.expected is None and before is not None:
                await _refuse_unseen(work, branch, before)
            track = args.set_upstream and upstream is None
            call.progress(f"pushing to {remote}", None)
            result = await work.git.run(
                *_command(args, remote, target, branch, before), traced=True, timeout=LONG
            )
            if track:
                await self._track(work, branch, remote, target)
            upstream = await read_upstream(work.git, branch)
            return GitPushOutput(
                lane=work.name,
                lane_id=work.id,
                branch=branch,
                remote=remote,
                remote_branch=target,
                before=before,
                after=head,
                result=_result(result, target),
                upstream=upstream.name if upstream else None,
                tags=_tags(result),
                warnings=[*result.warnings, *_said(result)],
            )

    async def _track(self, work: Work, branch: str, remote: str, target: str) -> None:
        """Write what ``git push -u`` writes, under the lock that keeps two lanes from the configuration at
        once."""
        async with self._services.locks.project(work.record.project.id):
            await work.git.run("config", f"branch.{branch}.remote", remote, plumbing=True)
            await work.git.run("config", f"branch.{branch}.merge", f"refs/heads/{target}", plumbing=True)


async def _target(work: Work, named: str | None, branch: str, remote: str) -> str:
    if named is not None:
        return check_branch(named)
    upstream = await read_upstream(work.git, branch)
    return upstream.branch if upstream is not None and upstream.remote == remote else branch


async def _refuse_unseen(work: Work, branch: str, remote_tip: str) -> None:
    """Raise ``lease_stale`` when the branch never had the commit that the remote branch was last seen at.

    A lease alone proves only that nothing changed since the last fetch; another lane's fetch makes it worthless. Git's own
    ``--force-if-includes`` compares reflogs by their clocks, which need not agree.
    """
    entries = (
        await work.git.read("reflog", "show", "--format=%H", f"refs/heads/{branch}", "--", check=False)
    ).lines
    seen = [f"^{oid}" for oid in dict.fromkeys(entries[:REFLOG_LIMIT])] or [f"^refs/heads/{branch}"]
    missing = await work.git.read("rev-list", "--max-count=1", remote_tip, *seen)
    if missing.text:
        reason = "its commits were fetched but never part of this branch"
        raise errors.LeaseStale(remote=work.context.remote, branch=work.context.branch, reason=reason)


def _command(args: GitPushInput, remote: str, target: str, branch: str, before: str | None) -> list[str]:
    ref = f"refs/heads/{target}"
    command = ["push", "--porcelain", "--no-recurse-submodules"]
    if args.tags:
        command.append("--follow-tags")
    if args.force_with_lease:
        if args.expected is not None:
            command.append(f"--force-with-lease={ref}:{args.expected}")
        else:
            command.append(f"--force-with-lease={ref}:{before or ''}")
    return [*command, "--", remote, f"refs/heads/{branch}:{ref}"]


def _result(result: GitResult, target: str) -> Result:
    for flag, ref in _lines(result):
        if ref == f"refs/heads/{target}":
            return _RESULTS.get(flag, "forward")
    return "up_to_date"


def _tags(result: GitResult) -> list[str]:
    return [
        ref.removeprefix("refs/tags/")
        for flag, ref in _lines(result)
        if ref.startswith("refs/tags/") and flag == "*"
    ]


def _lines(result: GitResult) -> list[tuple[str, str]]:
    """Flag and remote ref of each line of ``git push --porcelain``."""
    out = []
    for line in show_text(result.stdout).splitlines():
        parts = line.split("\t")
        if len(parts) >= 3 and ":" in parts[1]:
            out.append((parts[0], parts[1].split(":", 1)[1]))
    return out


def _said(result: GitResult) -> list[str]:
    said = [one_line(line) for line in _SAID.findall(redact(show_text(result.stderr))) if line.strip()]
    return said[:SAID_LIMIT]
