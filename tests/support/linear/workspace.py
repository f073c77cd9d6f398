"""What there is in the stand-in's workspace, and what requests change about it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from graphql import GraphQLError

from tests.support.linear.filters import fits

Record = dict[str, Any]
START = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
STATES = (("Backlog", "backlog"), ("Todo", "unstarted"), ("In Progress", "started"), ("Done", "completed"))
PRIORITIES = ("No priority", "Urgent", "High", "Medium", "Low")
LARGEST_PAGE = 250


def refused(message: str, code: str = "INPUT_ERROR", **more: Any) -> GraphQLError:
    """An error in the form Linear gives it."""
    said = {"code": code, "userError": True, "userPresentableMessage": message}
    return GraphQLError(message, extensions=said | more)


def missing(kind: str) -> GraphQLError:
    """What Linear answers for an id that it does not know."""
    return GraphQLError(
        f"Entity not found: {kind}",
        extensions={
            "code": "INPUT_ERROR",
            "userError": True,
            "userPresentableMessage": f"Could not find referenced {kind}.",
        },
    )


class Workspace:
    """Two users, a team with its states, labels and issues. Its clock moves a second with each change."""

    def __init__(self) -> None:
        self.changes = 0
        """How many changes were carried out."""
        self.now = START
        self.users = [
            self._user("Ada Lovelace", "ada", "ada@example.org"),
            self._user("Grace Hopper", "grace", "grace@example.org"),
        ]
        self.teams: list[Record] = []
        self.labels: list[Record] = []
        self.issues: list[Record] = []
        self.comments: list[Record] = []
        self.webhooks: list[Record] = []
        team = self.add_team("ENG", "Engineering")
        for name in ("Bug", "Feature"):
            self.labels.append({"id": _id(), "name": name, "isGroup": False, "team": None})
        self.labels.append({"id": _id(), "name": "Backend", "isGroup": False, "team": team})
        self.add_issue(
            "Log in with a passkey", "People forget their passwords.", priority=2, labels=["Feature"]
        )
        self.add_issue("The search forgets its filter", None, priority=1, labels=["Bug"], assignee="ada")
        self.add_issue("Rename the settings page", None, state="Done")

    # -- what is there before requests come

    def add_team(self, key: str, name: str) -> Record:
        states = [
            {"id": _id(), "name": title, "type": kind, "position": float(place)}
            for place, (title, kind) in enumerate(STATES)
        ]
        team = {"id": _id(), "key": key, "name": name, "states_": states}
        team["states"] = lambda info, first=50, after=None, filter=None: page(
            [one for one in states if fits(one, filter)], first, after
        )
        self.teams.append(team)
        return team

    def add_issue(
        self,
        title: str,
        description: str | None = None,
        *,
        team: str = "ENG",
        state: str = "Todo",
        priority: int = 0,
        labels: Sequence[str] = (),
        assignee: str | None = None,
    ) -> Record:
        home = next(one for one in self.teams if one["key"] == team)
        number = 1 + sum(one["team"] is home for one in self.issues)
        issue: Record = {
            "id": _id(),
            "identifier": f"{team}-{number}",
            "title": title,
            "description": description,
            "url": f"https://linear.app/example/issue/{team}-{number}",
            "priority": float(priority),
            "priorityLabel": PRIORITIES[priority],
            "branchName": f"ada/{team.lower()}-{number}",
            "createdAt": self._tick(),
            "updatedAt": self._stamp(),
            "dueDate": None,
            "state": next(one for one in home["states_"] if one["name"] == state),
            "team": home,
            "assignee": next((one for one in self.users if one["displayName"] == assignee), None),
            "labels": [one for one in self.labels if one["name"] in labels],
        }
        self.issues.append(issue)
        return issue

    # -- queries

    def issue(self, ref: str) -> Record:
        for one in self.issues:
            if ref in (one["id"], one["identifier"]):
                return one
        raise missing("Issue")

    def find(self, kind: str, records: list[Record], identifier: str | None) -> Record:
        for one in records:
            if one["id"] == identifier:
                return one
        raise missing(kind)

    def matching(
        self, wanted: Mapping[str, Any] | None, sort: Sequence[Mapping[str, Any]] = ()
    ) -> list[Record]:
        """Issues that fit, the one that changed last first, or last where that is asked for."""
        me = self.users[0]["id"]
        known = [
            {**one, "assignee": one["assignee"] and {**one["assignee"], "isMe": one["assignee"]["id"] == me}}
            for one in self.issues
        ]
        found = {one["id"] for one in known if fits(one, wanted)}
        rising = any(one.get("updatedAt", {}).get("order") == "Ascending" for one in sort)
        chosen = [one for one in self.issues if one["id"] in found]
        return sorted(chosen, key=lambda one: (one["updatedAt"], one["identifier"]), reverse=not rising)

    # -- changes

    def create_comment(self, fields: Mapping[str, Any]) -> Record:
        issue = self.issue(fields.get("issueId") or "")
        if not fields.get("body"):
            raise refused("A comment needs a text.")
        identifier = fields.get("id") or _id()
        if uuid.UUID(identifier).version != 4:
            raise refused("id must be a UUID v4.")
        if any(one["id"] == identifier for one in self.comments):
            raise refused("There is an entity with this id already.")
        comment = {
            "id": identifier,
            "body": fields["body"],
            "url": f"{issue['url']}#comment-{identifier[:8]}",
            "createdAt": self._tick(),
            "user": self.users[0],
            "botActor": None,
            "issue_": issue,
        }
        self.comments.append(comment)
        self.changes += 1
        return comment

    def update_issue(self, ref: str, fields: Mapping[str, Any]) -> Record:
        issue = self.issue(ref)
        if "stateId" in fields:
            issue["state"] = self.find("WorkflowState", issue["team"]["states_"], fields["stateId"])
        if "assigneeId" in fields:
            wanted = fields["assigneeId"]
            issue["assignee"] = None if wanted is None else self.find("User", self.users, wanted)
        return self._changed(issue)

    def add_label(self, ref: str, label: str) -> Record:
        issue = self.issue(ref)
        found = self.find("IssueLabel", self.labels, label)
        if found["team"] not in (None, issue["team"]):
            raise refused("The label belongs to another team.")
        if found not in issue["labels"]:
            issue["labels"].append(found)
        return self._changed(issue)

    def remove_label(self, ref: str, label: str) -> Record:
        issue = self.issue(ref)
        found = self.find("IssueLabel", self.labels, label)
        if found not in issue["labels"]:
            raise refused("The issue does not have this label.")
        issue["labels"].remove(found)
        return self._changed(issue)

    def save_webhook(self, identifier: str | None, fields: Mapping[str, Any]) -> Record:
        if identifier is None:
            hook: Record = {"id": fields.get("id") or _id(), "label": None, "enabled": True, "team": None}
            if any(one["url"] == fields["url"] for one in self.webhooks):
                raise refused("There is a webhook with this URL already.")
            self.webhooks.append(hook)
        else:
            hook = self.find("Webhook", self.webhooks, identifier)
        hook.update({name: value for name, value in fields.items() if name != "teamId"})
        if fields.get("teamId"):
            hook["team"] = next(one for one in self.teams if fields["teamId"] in (one["id"], one["key"]))
        self.changes += 1
        return hook

    def _changed(self, issue: Record) -> Record:
        issue["updatedAt"] = self._tick()
        self.changes += 1
        return issue

    def _tick(self) -> str:
        self.now += timedelta(seconds=1)
        return self._stamp()

    def _stamp(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    @staticmethod
    def _user(name: str, display: str, email: str) -> Record:
        return {"id": _id(), "name": name, "displayName": display, "email": email, "active": True}


def page(records: Sequence[Record], first: int | None, after: str | None) -> Record:
    """A connection: at most ``first`` records behind the one whose id is ``after``."""
    if first is not None and not 0 < first <= LARGEST_PAGE:
        raise refused(f"first must be from 1 to {LARGEST_PAGE}.")
    start = 0
    if after is not None:
        ids = [one["id"] for one in records]
        if after not in ids:
            raise refused("after is no cursor.")
        start = ids.index(after) + 1
    shown = list(records[start : start + (first or 50)])
    more = start + len(shown) < len(records)
    info = {"endCursor": shown[-1]["id"] if shown else None, "hasNextPage": more}
    return {"nodes": shown, "pageInfo": info}


def _id() -> str:
    return str(uuid.uuid4())
