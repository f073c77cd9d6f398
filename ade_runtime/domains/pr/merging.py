"""What brings a pull request to its end: reruns, updates, the merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ade_generated import errors
from ade_generated.models import pr as models
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.domains.pr.changing import check_open
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pulls.checks import read_checks
from ade_runtime.pulls.protection import allowed_methods, explained
from ade_runtime.pulls.pull import shown
from ade_runtime.pulls.reruns import rerun
from ade_runtime.pulls.service import told

if TYPE_CHECKING:
    from ade_generated.models.types import PullRequest
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.pull import Pull

TRIES = 3
"""Of a merge whose base gets other commits in the very moment."""


class MergeActions(PullActions):
    async def rerun_failed_checks(
        self, call: Call, args: models.PrRerunFailedChecksInput
    ) -> models.PrRerunFailedChecksOutput:
        pull = await self._write(call, args.number, args.lane)
        check_open(pull)
        checks, _ = await read_checks(pull)
        failed = [check for check in checks if check.state == "failed"]
        refused: list[str] = []
        again: list[str] = []
        runs: dict[int, str | None] = {}
        for check in failed:
            if check.run_id is not None and check.run_id in runs:
                why = runs[check.run_id]
            else:
                why = await rerun(pull.place, check)
                if check.run_id is not None:
                    runs[check.run_id] = why
            if why is None:
                again.append(check.name)
            else:
                refused.append(f"{check.name}: {why}")
        watch = f"`ade prs watch {pull.number} --until checks` waits for them."
        none = "Nothing failed." if not failed else "Ask whoever runs them."
        return models.PrRerunFailedChecksOutput(
            number=pull.number, rerun=again, refused=refused, next=watch if again else none
        )

    async def update_branch(self, call: Call, args: models.PrUpdateBranchInput) -> PullRequest:
        pull = await self._write(call, args.number, args.lane)
        check_open(pull)
        if args.expect is not None and await _is_updated(pull, args.expect):
            return _updated(pull)
        check_expected(pull, args.expect)
        client, what = pull.place.client, "update the branch"
        body = {"expected_head_sha": pull.head_commit}

        async def found() -> Mapping[str, Any] | None:
            now = await self._pulls.again(call, pull)
            return now.raw if now.head_commit != pull.head_commit else None

        try:
            await client.write("PUT", f"{pull.path}/update-branch", what, body, found=found)
        except Refused as problem:
            reason = problem.reason.lower()
            if "no new commits" not in reason:
                if "conflict" in reason:
                    raise errors.PrNotMergeable(number=pull.number, reason=problem.reason) from None
                raise await self._moved_or(call, pull, problem) from None
        return _updated(await self._pulls.again(call, pull))

    async def merge(self, call: Call, args: models.PrMergeInput) -> models.PrMergeOutput:
        pull = await self._write(call, args.number, args.lane)
        already = pull.state == "merged"
        if not already:
            check_open(pull)
            check_expected(pull, args.expect)
            call.progress(f"merging pull request {pull.number}", None)
            await self._merge(call, pull, args)
            pull = await self._pulls.again(call, pull)
        warnings: list[str] = []
        deleted = args.delete_branch and await _delete_branch(pull, warnings)
        return models.PrMergeOutput(
            number=pull.number,
            base_branch=pull.base_branch,
            merge_commit=pull.raw.get("merge_commit_sha"),
            already=already,
            branch_deleted=deleted,
            url=pull.url,
            warnings=warnings,
            next=f"`ade git fetch` gets {pull.base_branch}; delete the lane when nobody needs it.",
        )

    async def _merge(self, call: Call, pull: Pull, args: models.PrMergeInput) -> None:
        """Merge in the way named, else in the first that repository and branch allow: rules of a branch tell by refusing."""
        methods: list[str] = [args.method] if args.method else allowed_methods(pull) or ["merge"]
        for method in methods:
            try:
                return await self._merge_by(method, call, pull, args)
            except errors.PrMethodNotAllowed:
                if method == methods[-1]:
                    raise

    async def _merge_by(self, method: str, call: Call, pull: Pull, args: models.PrMergeInput) -> None:
        body: dict[str, Any] = {"sha": pull.head_commit, "merge_method": method}
        if args.title is not None:
            body["commit_title"] = args.title
        if args.message is not None:
            body["commit_message"] = args.message

        async def found() -> Mapping[str, Any] | None:
            now = await self._pulls.again(call, pull)
            return now.raw if now.state == "merged" else None

        path, what = f"{pull.path}/merge", "merge the pull request"
        for last in (*(False,) * (TRIES - 1), True):
            try:
                await pull.place.client.write("PUT", path, what, body, found=found)
            except Refused as problem:
                if (await found()) is not None:
                    return
                if last or problem.status != 405 or "base branch was modified" not in problem.reason.lower():
                    raise await self._unmerged(call, pull, method, problem) from None
            else:
                return

    async def _unmerged(self, call: Call, pull: Pull, method: str, problem: Refused) -> Exception:
        """Why GitHub did not merge: rules, other commits, or what stands in the way of any merge."""
        if (error := explained(pull, method, problem)) is not None:
            return error
        if problem.status == 409:
            told_by = await self._moved_or(call, pull, problem)
            if told_by is not problem.error:
                return told_by
        if problem.status in (405, 409, 422):
            return errors.PrNotMergeable(number=pull.number, reason=problem.reason)
        return problem.error

    async def _moved_or(self, call: Call, pull: Pull, problem: Refused) -> Exception:
        """``pr_head_moved`` where the pull request got other commits meanwhile, else what GitHub said."""
        now = await self._pulls.again(call, pull)
        if now.head_commit != pull.head_commit:
            return errors.PrHeadMoved(number=pull.number, found=now.head_commit, expected=pull.head_commit)
        return problem.error


def check_expected(pull: Pull, commit: str | None) -> None:
    """Raise ``pr_head_moved`` where a pull request has other commits than its caller has seen."""
    if commit is not None and commit != pull.head_commit:
        raise errors.PrHeadMoved(number=pull.number, found=pull.head_commit, expected=commit)


async def _is_updated(pull: Pull, commit: str) -> bool:
    """Whether the pull request's last commit is a merge of its base into ``commit``: an earlier attempt made it."""
    if pull.head_commit == commit:
        return False
    with told():
        path = f"{pull.place.path}/git/commits/{pull.head_commit}"
        parents = (await pull.place.client.get(path, "read the last commit"))["parents"]
        if len(parents) != 2 or parents[0]["sha"] != commit:
            return False
        span = f"{parents[1]['sha']}...{quote(pull.base_branch, safe='')}"
        between = await pull.place.client.get(f"{pull.place.path}/compare/{span}", "compare branches")
    return int(between["behind_by"]) == 0


def _updated(pull: Pull) -> PullRequest:
    return shown(pull, "`ade git pull` in the lane gets what was merged here.")


async def _delete_branch(pull: Pull, warnings: list[str]) -> bool:
    repository = pull.head_repository
    if repository is None or repository.lower() != pull.place.repository.key:
        warnings.append(f"Branch {pull.head_branch} is in another repository and stays.")
        return False
    path = f"{pull.place.path}/git/refs/heads/{quote(pull.head_branch)}"
    try:
        await pull.place.client.write("DELETE", path, "delete the branch", None)
    except Refused as problem:
        if problem.status in (404, 422) and "not exist" in problem.reason.lower():
            return True
        warnings.append(f"Branch {pull.head_branch} stays: {problem.reason}.")
        return False
    return True
