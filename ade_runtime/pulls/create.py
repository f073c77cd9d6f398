"""Opening a pull request from a lane: the branch is pushed, what is open already is found, what is missing is drafted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ade_generated import errors
from ade_runtime.integrations.git.log import read_log
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.lanes.failures import translated
from ade_runtime.pulls.draft import MOST_COMMITS, draft_body, draft_title, read_template
from ade_runtime.pulls.pull import Pull
from ade_runtime.pulls.service import told

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ade_runtime.integrations.git.log import Commit
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller wants; what is ``None`` is drafted or chosen."""

    title: str | None
    body: str | None
    base: str | None
    draft: bool
    labels: Sequence[str]
    reviewers: Sequence[str]


@dataclass(frozen=True, slots=True)
class Opened:
    pull: Pull
    created: bool
    pushed: bool
    warnings: list[str]


class Opening:
    """One call of it. ``push`` pushes the lane's branch."""

    def __init__(self, services: Services, call: Call, lane: LaneRecord, place: Place) -> None:
        self._services, self._call = services, call
        self._lane, self._place = lane, place
        self._pulls = services.pulls

    async def open(self, wanted: Wanted, push: Callable[[], Awaitable[Any]]) -> Opened:
        branch = await self._branch()
        base = await self._base(wanted.base)
        if branch == base["name"] and self._place.head_owner == self._place.repository.owner:
            raise errors.PrSameBranch(branch=branch)
        commits = await self._commits(branch, base)
        pushed = await self._is_unpushed(branch)
        if pushed:
            await push()
        found = await self._found(branch, base["name"])
        if (
            found is not None
        ):  # by an attempt that was cut short, it may be, before it had set what was wanted
            warnings = await self._decorate(found, wanted)
            return Opened(await self._read(found), False, pushed, warnings)
        self._call.progress("opening the pull request", None)
        raw, created = await self._create(branch, base["name"], wanted, commits)
        warnings = await self._decorate(raw, wanted)
        return Opened(await self._read(raw), created, pushed, warnings)

    async def _branch(self) -> str:
        branch = await self._pulls.remote_branch(self._lane)
        if branch is None:
            raise errors.DetachedHead(lane=self._lane.name, operation="open a pull request")
        return branch

    async def _base(self, named: str | None) -> Mapping[str, Any]:
        """The branch to merge into, as GitHub tells of it."""
        if named is not None:
            found = await self._at_github(named)
            if found is None:
                raise errors.PrBaseMissing(repository=self._place.repository.full_name, base=named)
            return found
        for name in await self._likely_bases():
            if (found := await self._at_github(name)) is not None:
                return found
        name = self._place.default_branch
        raise errors.PrBaseMissing(repository=self._place.repository.full_name, base=name)

    async def _likely_bases(self) -> list[str]:
        lanes = await self._services.lanes.all(self._call.project)
        parent = self._services.lanes.parent_of(self._lane, lanes)
        names = []
        if parent is not None and not parent.is_primary:
            names.append(await self._pulls.remote_branch(parent))
        elif self._lane.base_branch:
            names.append(self._lane.base_branch.removeprefix(f"{self._place.remote}/"))
        return list(dict.fromkeys(name for name in (*names, self._place.default_branch) if name))

    async def _at_github(self, branch: str) -> Mapping[str, Any] | None:
        path = f"{self._place.path}/branches/{quote(branch, safe='')}"
        try:
            found: Mapping[str, Any] = await self._place.client.get(path, f"read the branch {branch}")
        except Refused as problem:
            if problem.status == 404:
                return None
            raise problem.error from None
        return found

    async def _commits(self, branch: str, base: Mapping[str, Any]) -> list[Commit]:
        """Commits that the base lacks, the oldest first, as far as this repository can tell; raises ``pr_no_commits``."""
        with translated(self._lane.name):
            git = self._services.lanes.repository(self._lane).git
            # Git takes any full id for one that it has, unless it has to look at what that names.
            tip = await resolve_ref(git, f"{base['commit']['sha']}^{{commit}}")
            if tip is None:  # not fetched yet; what was seen of it last has to do
                tip = await resolve_ref(git, f"refs/remotes/{self._place.remote}/{base['name']}")
            head = await resolve_ref(git, "HEAD")
            if head is None:
                raise errors.NoCommits(lane=self._lane.name)
            left_out = [f"^{tip}"] if tip is not None else []
            found = await read_log(git, head, *left_out, count=MOST_COMMITS + 1, options=["--no-merges"])
        if not found and tip is not None:
            raise errors.PrNoCommits(branch=branch, base=base["name"])
        return found[::-1]

    async def _is_unpushed(self, branch: str) -> bool:
        with translated(self._lane.name):
            git = self._services.lanes.repository(self._lane).git
            seen = await resolve_ref(git, f"refs/remotes/{self._place.remote}/{branch}")
            return seen is None or seen != await resolve_ref(git, "HEAD")

    async def _found(self, branch: str, base: str) -> Mapping[str, Any] | None:
        found = await self._pulls.of_branch(self._place, branch, base=base)
        return found[0] if found else None

    async def _create(
        self, branch: str, base: str, wanted: Wanted, commits: Sequence[Commit]
    ) -> tuple[Mapping[str, Any], bool]:
        """The pull request, and whether it is of this call, as far as that can be told."""
        lane, place = self._lane, self._place
        template = await asyncio.to_thread(read_template, lane.path) if wanted.body is None else None
        same = place.head_owner == place.repository.owner
        body = {
            "title": wanted.title or draft_title(commits, lane.name, lane.description),
            "body": draft_body(commits, template) if wanted.body is None else wanted.body,
            "head": branch if same else f"{place.head_owner}:{branch}",
            "base": base,
            "draft": wanted.draft,
        }
        try:
            raw: Mapping[str, Any] = await place.client.write(
                "POST",
                f"{place.path}/pulls",
                "open a pull request",
                body,
                found=lambda: self._found(branch, base),
            )
        except Refused as problem:
            return await self._refused(problem, branch, base), False
        return raw, True

    async def _refused(self, problem: Refused, branch: str, base: str) -> Mapping[str, Any]:
        """The pull request that another call has opened meanwhile, or the error that explains."""
        reason = problem.reason.lower()
        if "already exists" in reason and (found := await self._found(branch, base)) is not None:
            return found
        if "no commits between" in reason:
            raise errors.PrNoCommits(branch=branch, base=base) from None
        if problem.status == 422 and "base" in reason and "invalid" in reason:
            raise errors.PrBaseMissing(repository=self._place.repository.full_name, base=base) from None
        raise problem.error from None

    async def _decorate(self, raw: Mapping[str, Any], wanted: Wanted) -> list[str]:
        """Add the labels and reviewers it lacks; the pull request stands even where one of them cannot be had."""
        client, number, warnings = self._place.client, raw["number"], []
        labels = {one["name"].lower() for one in raw.get("labels") or ()}
        asked = {one["login"].lower() for one in raw.get("requested_reviewers") or ()}
        steps = [
            (wanted.labels, labels, "set the labels", f"issues/{number}/labels", "labels"),
            (wanted.reviewers, asked, "ask for reviews", f"pulls/{number}/requested_reviewers", "reviewers"),
        ]
        for values, there, what, path, name in steps:
            lacking = [value for value in values if value.lower() not in there]
            if not lacking:
                continue
            try:
                await client.write("POST", f"{self._place.path}/{path}", what, {name: lacking})
            except Refused as problem:
                warnings.append(f"GitHub refused to {what}: {problem.reason}.")
        return warnings

    async def _read(self, raw: Mapping[str, Any]) -> Pull:
        number = int(raw["number"])
        await self._pulls.link(self._call, self._lane, self._place, number)
        await self._pulls.listings.outdate(self._place)
        with told():
            return await self._pulls.read(self._call, self._place, number)
