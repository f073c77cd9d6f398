"""What is said about a pull request: comments, reviews, answers in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ade_generated import errors
from ade_generated.models import pr as models
from ade_runtime.domains.pr.base import PullActions
from ade_runtime.domains.pr.changing import check_open
from ade_runtime.integrations.github import queries
from ade_runtime.pulls.marks import find_marked, mark_of, marked
from ade_runtime.pulls.pull import login
from ade_runtime.pulls.service import hold_to_lane, told
from ade_runtime.pulls.threads import comment_of, read_thread, thread_of

if TYPE_CHECKING:
    from ade_generated.models.types import PrComment, PrThread
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place

_EVENTS = {"approve": "APPROVE", "request_changes": "REQUEST_CHANGES", "comment": "COMMENT"}
Verdict = Literal["approve", "request_changes", "comment"]


class ReviewActions(PullActions):
    async def add_comment(self, call: Call, args: models.PrAddCommentInput) -> PrComment:
        pull = await self._write(call, args.number, args.lane)
        client, path, mark = pull.place.client, f"{pull.issue_path}/comments", mark_of(call)

        async def found() -> Mapping[str, Any] | None:
            return find_marked(await client.pages(path, "look for the comment"), mark)

        with told():
            earlier = await found() if call.request_id is not None else None
            body = {"body": marked(args.body, mark)}
            written = earlier or await client.write("POST", path, "comment", body, found=found)
        return comment_of(written)

    async def submit_review(
        self, call: Call, args: models.PrSubmitReviewInput
    ) -> models.PrSubmitReviewOutput:
        if args.verdict != "approve" and args.body is None:
            problem = "a review that does not approve needs a body"
            raise errors.InvalidArguments(problem=problem, action=call.action.id)
        pull = await self._write(call, args.number, args.lane)
        client, path, mark = pull.place.client, f"{pull.path}/reviews", mark_of(call)

        async def found() -> Mapping[str, Any] | None:
            return find_marked(await client.pages(path, "look for the review"), mark)

        with told():
            written = await found() if call.request_id is not None else None
        if written is None:
            check_open(pull)
            if args.commit is not None and not pull.head_commit.startswith(args.commit):
                raise errors.PrHeadMoved(number=pull.number, found=pull.head_commit, expected=args.commit)
            body = {
                "event": _EVENTS[args.verdict],
                "body": marked(args.body or "", mark),
                "commit_id": pull.head_commit,
            }
            with told():
                written = await client.write("POST", path, "review the pull request", body, found=found)
        return models.PrSubmitReviewOutput(
            number=pull.number,
            id=int(written["id"]),
            verdict=args.verdict,
            author=login(written.get("user")),
            commit=written.get("commit_id"),
            url=written["html_url"],
        )

    async def reply_to_review_thread(self, call: Call, args: models.PrReplyToReviewThreadInput) -> PrComment:
        place, node = await self._thread(call, args.thread)
        mark = mark_of(call)

        async def found() -> Mapping[str, Any] | None:
            now = await read_thread(place, args.thread)
            return find_marked(_comments(now), mark)

        written = find_marked(_comments(node), mark)
        if written is None:
            variables = {"thread": args.thread, "body": marked(args.body, mark)}
            with told():
                answer = await place.client.mutate(
                    queries.REPLY, variables, "answer in the review thread", found=found
                )
            inner = answer.get("addPullRequestReviewThreadReply")
            written = answer if inner is None else inner["comment"]
        return comment_of(written)

    async def resolve_review_thread(self, call: Call, args: models.PrResolveReviewThreadInput) -> PrThread:
        place, node = await self._thread(call, args.thread)
        if node["isResolved"] != args.resolved:
            text = queries.RESOLVE if args.resolved else queries.UNRESOLVE
            with told():
                await place.client.mutate(text, {"thread": args.thread}, "resolve the review thread")
            node = await read_thread(place, args.thread)
        return thread_of(node)

    async def _thread(self, call: Call, thread: str) -> tuple[Place, Mapping[str, Any]]:
        """A thread that may be written in."""
        place = await self._pulls.place(call)
        node = await read_thread(place, thread)
        place.check_writable()
        about = node["pullRequest"]
        head = (about.get("headRepository") or {}).get("nameWithOwner")
        of = await self._pulls.lanes_of(call, place)
        hold_to_lane(call, of.lane(about["number"], head, about["headRefName"]))
        call.subject = f"{place.repository.reference}#{about['number']}"
        return place, node


def _comments(node: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    comments: Sequence[Mapping[str, Any]] = node["comments"]["nodes"]
    return comments
