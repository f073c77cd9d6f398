"""Issues and comments as Linear gives them, as the outputs of actions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ade_generated.models.types import DeeplinkIssue, Issue, IssueComment
from ade_runtime.deeplinks.mint import mint
from ade_runtime.search.outside import Outside
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject


def issue_document(found: Mapping[str, Any], lane: str | None) -> Issue:
    """``lane`` is the name of the lane that works on it."""
    assignee = found["assignee"]
    document: JsonObject = {
        "id": found["id"],
        "identifier": found["identifier"],
        "title": found["title"],
        "state": found["state"]["name"],
        "state_type": found["state"]["type"],
        "team": found["team"]["key"],
        "priority": int(found["priority"]),
        "priority_name": found["priorityLabel"],
        "assignee": None if assignee is None else assignee["displayName"],
        "labels": [one["name"] for one in found["labels"]["nodes"]],
        "due": found["dueDate"],
        "branch": found["branchName"],
        "lane": lane,
        "url": found["url"],
        "deeplink": mint(DeeplinkIssue(kind="issue", issue=found["identifier"])),
        "created_at": found["createdAt"],
        "updated_at": found["updatedAt"],
    }
    return Issue.model_validate(document)


def remembered(found: Mapping[str, Any], lane: str | None) -> Outside:
    """What of an issue a search finds; ``lane`` is the id of the lane that works on it."""
    labels = [one["name"] for one in found["labels"]["nodes"]]
    assignee = found["assignee"]
    return Outside(
        id=found["identifier"],
        title=found["title"],
        body=found["description"] or "" if "description" in found else None,
        names=" ".join((found["branchName"], found["team"]["key"], *labels)),
        lane=lane,
        author=None if assignee is None else assignee["displayName"],
        at=to_ms(datetime.fromisoformat(found["updatedAt"])),
    )


def comment_document(found: Mapping[str, Any]) -> IssueComment:
    author, bot, issue = found["user"], found["botActor"], found["issue"]
    document: JsonObject = {
        "id": found["id"],
        "issue": "" if issue is None else issue["identifier"],
        "author": author["displayName"] if author else bot["name"] if bot else None,
        "body": found["body"],
        "url": found["url"],
        "created_at": found["createdAt"],
    }
    return IssueComment.model_validate(document)
