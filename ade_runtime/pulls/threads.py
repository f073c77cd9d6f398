"""Review threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models.types import PrComment, PrThread
from ade_runtime.integrations.github import queries
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pulls.marks import without_mark
from ade_runtime.pulls.pull import login

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.pull import Pull

MOST_PAGES = 20


async def read_threads(pull: Pull) -> list[PrThread]:
    """All review threads, in GitHub's order; a thousand at most."""
    place = pull.place
    asked = {"owner": place.repository.owner, "name": place.repository.name, "number": pull.number}
    after: str | None = None
    found: list[PrThread] = []
    for _ in range(MOST_PAGES):
        what = f"read the reviews of pull request {pull.number}"
        try:
            data = await place.client.query(queries.THREADS, {**asked, "after": after}, what)
        except Refused as problem:
            raise problem.error from None
        page = data["repository"]["pullRequest"]["reviewThreads"]
        found += [thread_of(one) for one in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    return found


async def read_thread(place: Place, thread: str) -> Mapping[str, Any]:
    """A thread as GitHub tells it; raises ``review_thread_not_found`` where this repository has none of that id."""
    missing = errors.ReviewThreadNotFound(thread=thread, repository=place.repository.full_name)
    try:
        data = await place.client.query(queries.THREAD, {"id": thread}, "read a review thread")
    except Refused as problem:
        if problem.status == 404 or "resolve to a node" in problem.reason:
            raise missing from None
        raise problem.error from None
    node: Mapping[str, Any] | None = data["node"]
    if not node or "pullRequest" not in node:
        raise missing
    if node["pullRequest"]["repository"]["nameWithOwner"].lower() != place.repository.key:
        raise missing
    return node


def thread_of(node: Mapping[str, Any]) -> PrThread:
    comments = node["comments"]
    document: JsonObject = {
        "id": node["id"],
        "path": node["path"],
        "line": node.get("line") or node.get("originalLine"),
        "resolved": node["isResolved"],
        "outdated": node["isOutdated"],
        "comments": [comment_document(one) for one in comments["nodes"]],
        "total_comments": comments["totalCount"],
    }
    return PrThread.model_validate_json(_json(document))


def comment_document(node: Mapping[str, Any]) -> JsonObject:
    """The output type PrComment, of a comment in GraphQL's spelling."""
    return {
        "id": node.get("databaseId"),
        "author": login(node.get("author")),
        "body": without_mark(node["body"]),
        "url": node["url"],
        "created_at": node["createdAt"],
    }


def comment_of(node: Mapping[str, Any]) -> PrComment:
    """Of a comment in the spelling of GraphQL, or of REST."""
    if "createdAt" not in node:
        node = {
            "databaseId": node["id"],
            "author": node.get("user"),
            "body": node.get("body") or "",
            "url": node["html_url"],
            "createdAt": node["created_at"],
        }
    return PrComment.model_validate_json(_json(comment_document(node)))


def _json(document: JsonObject) -> bytes:
    import orjson

    return orjson.dumps(document)
