"""Search over a project, of which every caller finds what it may read."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.models import search as models
from ade_generated.models.types import SearchHit
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.search.query import read
from ade_runtime.search.sources.commits import own_commits
from ade_runtime.search.store import MARK_END, MARK_START, Filters, Hit
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

COMMITS_OF_A_LANE = 2000
_MARKS = str.maketrans({MARK_START: "**", MARK_END: "**"})


class SearchHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def workspace(self, call: Call, args: models.SearchWorkspaceInput) -> models.SearchWorkspaceOutput:
        query = read(args.query)
        if not query.terms:
            raise errors.SearchQueryEmpty()
        offset = _offset(args.cursor)
        hits, complete = await self._services.search.find(
            call.project, query, await self._filters(call, args), offset=offset, limit=args.limit
        )
        end = offset + args.limit
        return models.SearchWorkspaceOutput(
            items=[_document(hit) for hit in hits.items],
            total=hits.total,
            next=str(end) if end < hits.reachable else None,
            complete=complete,
        )

    async def _filters(self, call: Call, args: models.SearchWorkspaceInput) -> Filters:
        lane = None if args.lane is None else await self._services.lanes.find(call.project, args.lane)
        since = None if args.since is None else datetime.combine(args.since, time(), UTC)
        return Filters(
            readers=self._readers(call),
            kinds=args.kinds or (),
            lane=None if lane is None else lane.id,
            lane_ids=() if lane is None else await self._commits(call, lane),
            author=args.author,
            since=None if since is None else int(since.timestamp() * 1000),
        )

    def _readers(self, call: Call) -> list[str]:
        """The reading actions that the caller may call, by the function that listing and calling use."""
        may_call = self._services.pipeline.may_call
        return [name for name in ACTIONS if may_call(name, call.identity, call.caller)]

    async def _commits(self, call: Call, lane: LaneRecord) -> list[str]:
        """The commits of the lane's branch that its parent does not have; the primary lane has all of its own."""
        lanes = self._services.lanes
        parent = lanes.parent_of(lane, await lanes.all(call.project))
        try:
            git = lanes.repository(lane).git
            without = []
            if parent is not None:
                above = await lanes.repository(parent).git.read(
                    "rev-parse", "--verify", "--quiet", "HEAD", check=False
                )
                without = above.lines[:1]
            head = await git.read("rev-parse", "--verify", "--quiet", "HEAD", check=False)
            if not head.lines:
                return []
            return await own_commits(git, head.lines[0], without=without, most=COMMITS_OF_A_LANE)
        except (GitError, errors.LaneMissing, errors.ProjectMissing):
            return []


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdecimal():
        raise errors.InvalidCursor(cursor=cursor)
    return int(cursor)


def _document(hit: Hit) -> SearchHit:
    return SearchHit.model_validate(
        {
            "kind": hit.kind,
            "id": hit.id,
            "title": hit.title,
            "snippet": hit.snippet.translate(_MARKS),
            "lane": hit.lane,
            "author": hit.author,
            "at": from_ms(hit.at),
            "score": hit.score,
            "read_with": hit.reader,
        }
    )
