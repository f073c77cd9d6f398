"""Issues in Linear, and the lanes in which they are worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import issue as models
from ade_generated.models.types import Issue, IssueChange, IssueComment
from ade_runtime.issues.service import Issues, issue_filter
from ade_runtime.issues.view import comment_document, issue_document, remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from ade_runtime.contracts import JsonObject
    from ade_runtime.issues.links import IssueLink
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class IssueHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def show(self, call: Call, args: models.IssueShowInput) -> models.IssueShowOutput:
        found = await self._issues.with_comments(await self._meant(call, args.issue), args.comments)
        comments = found["comments"]
        return models.IssueShowOutput(
            issue=await self._told(call, found),
            description=found["description"],
            comments=[comment_document(one) for one in comments["nodes"]],
            more_comments=comments["pageInfo"]["hasNextPage"],
        )

    async def list(self, call: Call, args: models.IssueListInput) -> models.IssueListOutput:
        wanted = issue_filter(
            team=args.team,
            state=args.state,
            assignee=args.assignee,
            label=args.label,
            everything=args.all,
        )
        page = await self._issues.page(wanted, args.limit, args.cursor)
        items = await _all_told(self._services, call, page["nodes"])
        return models.IssueListOutput(items=items, total=None, next=_next(page))

    async def search(self, call: Call, args: models.IssueSearchInput) -> models.IssueSearchOutput:
        page = await self._issues.search(args.query, args.limit, args.cursor, comments=args.comments)
        items = await _all_told(self._services, call, page["nodes"])
        return models.IssueSearchOutput(items=items, total=int(page["totalCount"]), next=_next(page))

    async def comment(self, call: Call, args: models.IssueCommentInput) -> IssueComment:
        issue = await self._meant(call, args.issue)
        once = None if call.request_id is None else f"{call.identity.key}\0{call.request_id}"
        return comment_document(await self._issues.comment(issue, args.body, once=once))

    async def update_state(self, call: Call, args: models.IssueUpdateStateInput) -> IssueChange:
        issue = await self._meant(call, args.issue)
        return await self._changed(call, *await self._issues.set_state(issue, args.state))

    async def assign(self, call: Call, args: models.IssueAssignInput) -> IssueChange:
        if args.nobody is False:
            raise errors.InvalidArguments(problem="nobody: true, or a user", action=call.action.id)
        issue = await self._meant(call, args.issue)
        return await self._changed(call, *await self._issues.assign(issue, args.user))

    async def add_label(self, call: Call, args: models.IssueAddLabelInput) -> IssueChange:
        issue = await self._meant(call, args.issue)
        return await self._changed(call, *await self._issues.add_label(issue, args.label))

    async def remove_label(self, call: Call, args: models.IssueRemoveLabelInput) -> IssueChange:
        issue = await self._meant(call, args.issue)
        return await self._changed(call, *await self._issues.remove_label(issue, args.label))

    async def link_to_lane(
        self, call: Call, args: models.IssueLinkToLaneInput
    ) -> models.IssueLinkToLaneOutput:
        from ade_runtime.issues import links

        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        found = await self._issues.get(args.issue)
        now = self._services.clock.now()
        link = links.IssueLink(lane.id, found["id"], found["identifier"])

        def write(db: Connection) -> IssueLink | None:
            before = links.of_lane(db, call.project.id, lane.id)
            if before is None or before.issue != link.issue:
                links.put(db, call.project.id, link, now)
            return before

        before = await self._services.database.write(write)
        return models.IssueLinkToLaneOutput(
            issue=await self._told(call, found),
            lane=lane.name,
            lane_id=lane.id,
            before=None if before is None else before.identifier,
        )

    @property
    def _issues(self) -> Issues:
        return self._services.issues

    async def _meant(self, call: Call, named: str | None) -> str:
        """The issue that is named, else that of the caller's lane; raises ``issue_required``."""
        if named is None:
            from ade_runtime.issues import links

            project = call.project.id
            lane = await self._services.lanes.resolve(call, None, write=False)
            link = await self._services.database.read(lambda db: links.of_lane(db, project, lane.id))
            if link is None:
                raise errors.IssueRequired(action=call.action.id)
            call.subject = link.identifier
            return link.issue
        call.subject = named
        return named

    async def _changed(self, call: Call, found: JsonObject, changed: bool) -> IssueChange:
        return IssueChange(issue=await self._told(call, found), changed=changed)

    async def _told(self, call: Call, found: JsonObject) -> Issue:
        (issue,) = await _all_told(self._services, call, [found])
        return issue


async def _all_told(services: Services, call: Call, found: Sequence[JsonObject]) -> list[Issue]:
    """Issues with the names of the lanes that work on them."""
    from ade_runtime.issues import links
    from ade_runtime.search.outside import remember

    project = call.project.id
    lanes = await services.database.read(lambda db: links.lanes_of(db, project))
    await remember(services, project, "issue", [remembered(one, lanes.get(one["id"])) for one in found])
    names = await services.lanes.names(lanes.get(one["id"]) for one in found)
    return [issue_document(one, names.get(lanes.get(one["id"], ""))) for one in found]


def _next(page: JsonObject) -> str | None:
    info = page["pageInfo"]
    return info["endCursor"] if info["hasNextPage"] else None
