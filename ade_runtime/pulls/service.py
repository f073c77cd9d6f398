"""Finds pull requests for calls: by number, or as those of lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.integrations.git.remotes import read_upstream
from ade_runtime.integrations.github import queries
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.lanes.failures import translated
from ade_runtime.pipeline.reach import BOUND_UP_TO
from ade_runtime.pulls import links
from ade_runtime.pulls.connect import Connections, Place
from ade_runtime.pulls.pull import Pull, remembered
from ade_runtime.search.outside import remember
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.listing import Listings
    from ade_runtime.services import Services


class Pulls:
    def __init__(self, services: Services) -> None:
        self._services = services
        self.connections = Connections(services)

    @cached_property
    def listings(self) -> Listings:
        from ade_runtime.pulls.listing import Listings

        return Listings(self._services)

    async def close(self) -> None:
        await self.connections.close()

    async def place(self, call: Call, lane: LaneRecord | None = None) -> Place:
        with translated(lane.name if lane else "primary"):
            return await self.connections.place(call, lane)

    async def find(self, call: Call, number: int | None, lane: str | None, *, write: bool = False) -> Pull:
        """The pull request of that number, else the one of the lane named, else the one of the caller's own lane.

        Raises ``pr_not_found`` and ``pr_not_linked``; of a call that writes also ``github_repository_archived``, and
        ``policy_denied`` where a session may write in its own lane only and this is another's.
        """
        if number is None:
            record = await self._services.lanes.resolve(call, lane, write=write)
            place = await self.place(call, record)
            number = await self.number_of(call, place, record)
            if number is None:
                raise errors.PrNotLinked(lane=record.name)
        else:
            place = await self.place(call)
        pull = await self.read(call, place, number)
        if write:
            place.check_writable()
            hold_to_lane(call, pull.lane)
        return pull

    async def read(self, call: Call, place: Place, number: int) -> Pull:
        """A pull request as it is now; raises ``pr_not_found``."""
        what = f"read pull request {number}"
        try:
            raw = await place.client.get(f"{place.path}/pulls/{number}", what)
        except Refused as problem:
            if problem.status == 404:
                raise errors.PrNotFound(repository=place.repository.full_name, number=number) from None
            raise problem.error from None
        if (
            not {"number", "state", "title", "head", "base", "html_url", "created_at", "updated_at"}
            <= raw.keys()
        ):
            raise errors.GithubUnreachable(host=place.client.host, reason="it answered with no pull request")
        if raw.get("merged_at") and not raw.get("merge_commit_sha"):  # newer versions do not tell it
            raw = {**raw, "merge_commit_sha": await _merge_commit(place, number)}
        pull = await self.with_lane(call, Pull(place, raw, None))
        await remember(self._services, call.project.id, "pr", [remembered(pull)])
        return pull

    async def again(self, call: Call, pull: Pull) -> Pull:
        """The same as it is now, after something was done to it."""
        await self.listings.outdate(pull.place)
        return await self.read(call, pull.place, pull.number)

    async def with_lane(self, call: Call, pull: Pull) -> Pull:
        """The same with the lane that it comes from."""
        of = await self.lanes_of(call, pull.place)
        lane = of.lane(pull.number, pull.head_repository, pull.head_branch)
        return replace(pull, lane=lane)

    async def lanes_of(self, call: Call, place: Place) -> LanesOf:
        project, key = call.project.id, place.repository.key
        linked = await self._services.database.read(lambda db: links.lanes_of(db, project, key))
        return LanesOf(place, await self._services.lanes.all(call.project), linked)

    async def link(self, call: Call, lane: LaneRecord, place: Place, number: int) -> None:
        now = to_ms(self._services.clock.now())
        project, key = call.project.id, place.repository.key
        await self._services.database.write(lambda db: links.put(db, project, lane.id, key, number, now))

    async def number_of(self, call: Call, place: Place, lane: LaneRecord) -> int | None:
        """The pull request of a lane: the one it was linked to, else that of its branch, an open one before others."""
        project, key = call.project.id, place.repository.key
        linked = await self._services.database.read(lambda db: links.of_lane(db, project, lane.id, key))
        if linked is not None:
            return linked
        branch = await self.remote_branch(lane)
        if branch is None:
            return None
        found = await self.of_branch(place, branch, state="all")
        first = next((one for one in found if one["state"] == "open"), found[0] if found else None)
        return None if first is None else int(first["number"])

    async def remote_branch(self, lane: LaneRecord) -> str | None:
        """Name of the lane's branch at the remote; ``None`` where it is on no branch."""
        branch = lane.live_branch()
        if branch is None:
            return None
        with translated(lane.name):
            upstream = await read_upstream(self._services.lanes.repository(lane).git, branch)
        # A branch that was started from main may still track main, which is no head of its own.
        if upstream is None or upstream.remote == "." or upstream.branch in (lane.base_branch, lane.base):
            return branch
        return upstream.branch

    async def of_branch(
        self, place: Place, branch: str, *, state: str = "open", base: str | None = None
    ) -> Sequence[Any]:
        """Pull requests from a branch, the newest first."""
        params = {"head": f"{place.head_owner}:{branch}", "state": state, "sort": "created"}
        params |= {"direction": "desc", "per_page": "30"} | ({"base": base} if base else {})
        with told():
            found = await place.client.get(f"{place.path}/pulls", "look for pull requests", params, kind=list)
        return [one for one in found if one["head"]["ref"] == branch]


async def _merge_commit(place: Place, number: int) -> str | None:
    asked = {"owner": place.repository.owner, "name": place.repository.name, "number": number}
    with told():
        data = await place.client.query(queries.MERGED, asked, f"read pull request {number}")
    commit = data["repository"]["pullRequest"]["mergeCommit"]
    return None if commit is None else str(commit["oid"])


class LanesOf:
    """The lanes that pull requests of one repository come from."""

    def __init__(self, place: Place, lanes: Sequence[LaneRecord], linked: dict[int, str]) -> None:
        by_id = {lane.id: lane for lane in lanes}
        self._linked = {number: by_id[lane] for number, lane in linked.items() if lane in by_id}
        self._owner = place.head_owner.lower()
        worktrees = [lane for lane in lanes if not lane.is_primary]
        self._branches = {branch: lane for lane in worktrees if (branch := lane.live_branch())}

    def lane(self, number: int, repository: str | None, branch: str) -> LaneRecord | None:
        """``repository`` is the one its branch is in, ``owner/name`` or the owner alone."""
        if (linked := self._linked.get(number)) is not None:
            return linked
        mine = repository is not None and repository.split("/")[0].lower() == self._owner
        return self._branches.get(branch) if mine else None


def hold_to_lane(call: Call, lane: LaneRecord | None) -> None:
    """Raise ``policy_denied`` where a session bound to a lane would write to what is another's."""
    identity = call.identity
    bound = identity.lane is not None and ROLES[identity.role].rank <= ROLES[BOUND_UP_TO].rank
    if bound and (lane is None or lane.id != identity.lane):
        reason = f"Your session works in lane {identity.lane}; the pull request is not of that lane."
        raise errors.PolicyDenied(role=identity.role, action=call.action.id, reason=reason)


@contextmanager
def told() -> Iterator[None]:
    """Let what GitHub refuses be told to the caller as it is."""
    try:
        yield
    except Refused as problem:
        raise problem.error from None
