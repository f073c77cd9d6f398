"""What can be done to issues. A change is looked for before it is made, so that repeating it makes it once."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.integrations.linear import documents
from ade_runtime.integrations.linear.account import sign_in
from ade_runtime.integrations.linear.client import PAUSE_SECONDS, LinearClient
from ade_runtime.integrations.linear.failures import EntityMissing

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.services import Services

ME = "me"
OVER = ("completed", "canceled", "duplicate")
"""Kinds of states in which nothing is left to do."""


class Issues:
    """Linear's issues, as Linear gives them. Every method raises the errors of :class:`LinearClient`, and ``issue_not_found``
    for an issue that Linear does not have."""

    def __init__(self, services: Services, *, pause: float = PAUSE_SECONDS) -> None:
        self._services = services
        self._pause = pause
        self._clients: list[LinearClient] = []

    async def client(self) -> LinearClient:
        """The client for the account that is good now."""
        account = await sign_in(self._services)
        for client in self._clients:
            if (client.account.address, client.account.source) == (account.address, account.source):
                client.account = account
                return client
        renew = self._services.linear_sign_in.renewed
        self._clients.append(LinearClient(account, pause=self._pause, renew=renew))
        return self._clients[-1]

    async def close(self) -> None:
        """Close the connections that are kept."""
        for client in self._clients:
            await client.close()

    # -- reading

    async def get(self, ref: str) -> JsonObject:
        return await self._issue(documents.ISSUE, ref)

    async def with_comments(self, ref: str, comments: int) -> JsonObject:
        """The issue with its ``description`` and ``comments``."""
        return await self._issue(documents.ISSUE_WITH_COMMENTS, ref, first=comments)

    async def page(self, wanted: JsonObject, limit: int, cursor: str | None) -> JsonObject:
        """A page of issues that fit Linear's filter: ``nodes`` and ``pageInfo``."""
        client = await self.client()
        data = await client.read(documents.ISSUES, {"first": limit, "after": cursor, "filter": wanted})
        return _part(data, "issues")

    async def changed(self, since: str, limit: int, cursor: str | None) -> JsonObject:
        """A page of what changed at or after a time in Linear's form, the oldest change first: ``nodes`` and ``pageInfo``."""
        client = await self.client()
        variables = {"first": limit, "after": cursor, "since": since}
        return _part(await client.read(documents.CHANGED_ISSUES, variables), "issues")

    async def search(self, words: str, limit: int, cursor: str | None, *, comments: bool) -> JsonObject:
        """A page of what was found: ``totalCount``, ``nodes`` and ``pageInfo``."""
        client = await self.client()
        variables = {"term": words, "first": limit, "after": cursor, "comments": comments}
        return _part(await client.read(documents.SEARCH, variables), "searchIssues")

    # -- changing

    async def comment(self, ref: str, body: str, *, once: str | None) -> JsonObject:
        """The new comment. With ``once``, a text that names this one wish, the comment's id follows from it and there is one
        comment however often this is done."""
        client = await self.client()
        issue = await self.get(ref)
        identifier = str(uuid.uuid4()) if once is None else _id_for("comment", once, issue["id"], body)

        async def landed() -> JsonObject | None:
            found = await client.read(documents.COMMENT, {"id": identifier})
            return next(iter(_part(found, "comments")["nodes"]), None)

        earlier = None if once is None else await landed()
        if earlier is not None:
            return earlier
        return await client.write(
            documents.CREATE_COMMENT,
            {"input": {"id": identifier, "issueId": issue["id"], "body": body}},
            landed=landed,
            answer=lambda data: _part(_part(data, "commentCreate"), "comment"),
        )

    async def set_state(self, ref: str, name: str) -> tuple[JsonObject, bool]:
        """The issue in the state of that name, and whether that is a change; raises ``issue_state_not_found``."""
        issue = await self._issue(documents.STATES, ref)
        states = _part(_part(issue, "team"), "states")["nodes"]
        state = next((one for one in states if one["name"].lower() == name.strip().lower()), None)
        if state is None:
            known = [one["name"] for one in sorted(states, key=lambda one: one["position"])]
            raise errors.IssueStateNotFound(
                state=name, team=issue["team"]["key"], known=", ".join(known), details={"states": known}
            )
        return await self._update(
            issue, {"stateId": state["id"]}, lambda now: bool(now["state"]["id"] == state["id"])
        )

    async def assign(self, ref: str, user: str | None) -> tuple[JsonObject, bool]:
        """The issue as that person's, and whether that is a change; raises ``issue_user_not_found`` and
        ``issue_user_ambiguous``. ``None`` is nobody."""
        issue = await self.get(ref)
        wanted = None if user is None else (await self._person(user))["id"]
        return await self._update(
            issue, {"assigneeId": wanted}, lambda now: (now["assignee"] or {}).get("id") == wanted
        )

    async def add_label(self, ref: str, name: str) -> tuple[JsonObject, bool]:
        """The issue with the label, and whether that is a change; raises ``issue_label_not_found``."""
        issue = await self.get(ref)
        client = await self.client()
        found = _part(await client.read(documents.LABELS, {"name": name.strip()}), "issueLabels")["nodes"]
        team = issue["team"]
        fitting = [
            one
            for one in found
            if not one["isGroup"] and (one["team"] is None or one["team"]["id"] == team["id"])
        ]
        if not fitting:
            raise errors.IssueLabelNotFound(label=name, team=team["key"])
        label = min(fitting, key=lambda one: one["team"] is None)[
            "id"
        ]  # the team's own before the workspace's
        return await self._relabel(issue, documents.ADD_LABEL, "issueAddLabel", label, wanted=True)

    async def remove_label(self, ref: str, name: str) -> tuple[JsonObject, bool]:
        """The issue without the label, and whether that is a change."""
        issue = await self.get(ref)
        label = next(
            (one["id"] for one in issue["labels"]["nodes"] if one["name"].lower() == name.strip().lower()),
            None,
        )
        if label is None:
            return issue, False
        return await self._relabel(issue, documents.REMOVE_LABEL, "issueRemoveLabel", label, wanted=False)

    # -- parts

    async def _issue(self, document: str, ref: str, **more: Any) -> JsonObject:
        client = await self.client()
        try:
            return _part(await client.read(document, {"id": _canonical(ref), **more}), "issue")
        except EntityMissing:
            raise errors.IssueNotFound(issue=ref) from None

    async def _person(self, name: str) -> JsonObject:
        client = await self.client()
        if name == ME:
            return _part(await client.read(documents.VIEWER, {}), "viewer")
        found = _part(await client.read(documents.USERS, {"name": name.strip()}), "users")["nodes"]
        active: list[JsonObject] = [one for one in found if one["active"]]
        if not active:
            raise errors.IssueUserNotFound(user=name)
        if len(active) > 1:
            emails = ", ".join(str(one["email"]) for one in active)
            raise errors.IssueUserAmbiguous(user=name, emails=emails)
        return active[0]

    async def _relabel(
        self, issue: JsonObject, document: str, field: str, label: str, *, wanted: bool
    ) -> tuple[JsonObject, bool]:
        def holds(now: Mapping[str, Any]) -> bool:
            return any(one["id"] == label for one in now["labels"]["nodes"]) == wanted

        return await self._change(issue, document, field, {"label": label}, holds)

    async def _update(
        self, issue: JsonObject, fields: JsonObject, holds: Callable[[Mapping[str, Any]], bool]
    ) -> tuple[JsonObject, bool]:
        return await self._change(issue, documents.UPDATE_ISSUE, "issueUpdate", {"input": fields}, holds)

    async def _change(
        self,
        issue: JsonObject,
        document: str,
        field: str,
        variables: JsonObject,
        holds: Callable[[Mapping[str, Any]], bool],
    ) -> tuple[JsonObject, bool]:
        """Change an issue unless it is so already; ``holds`` says whether an issue is as wanted."""
        if holds(issue):
            return issue, False
        client = await self.client()

        async def landed() -> JsonObject | None:
            now = await self.get(issue["id"])
            return now if holds(now) else None

        try:
            changed = await client.write(
                document,
                {"id": issue["id"], **variables},
                landed=landed,
                answer=lambda data: _part(_part(data, field), "issue"),
            )
        except EntityMissing as problem:
            raise errors.LinearRefused(reason=str(problem)) from None
        return changed, True


def issue_filter(
    *, team: str | None, state: str | None, assignee: str | None, label: str | None, everything: bool
) -> JsonObject:
    """Linear's filter for these wishes. Names are compared whatever their case."""
    wanted: JsonObject = {}
    if team is not None:
        wanted["team"] = {"key": {"eqIgnoreCase": team}}
    if state is not None:
        wanted["state"] = {"name": {"eqIgnoreCase": state}}
    elif not everything:
        wanted["state"] = {"type": {"nin": list(OVER)}}
    if assignee == ME:
        wanted["assignee"] = {"isMe": {"eq": True}}
    elif assignee is not None:
        same = {"eqIgnoreCase": assignee}
        wanted["assignee"] = {"or": [{"displayName": same}, {"name": same}, {"email": same}]}
    if label is not None:
        wanted["labels"] = {"some": {"name": {"eqIgnoreCase": label}}}
    return wanted


def _canonical(ref: str) -> str:
    """An identifier in capitals, as Linear writes it; ids stay."""
    return ref if len(ref) == 36 and ref.count("-") == 4 else ref.upper()


def _id_for(*parts: str) -> str:
    """The UUID that follows from these texts, in the form (version 4) that Linear takes."""
    digest = hashlib.sha256("\0".join(parts).encode()).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _part(document: Mapping[str, Any], name: str) -> JsonObject:
    """An object inside an answer; raises ``linear_refused`` where Linear gave none."""
    found = document.get(name)
    if not isinstance(found, dict):
        raise errors.LinearRefused(reason=f"the answer lacks {name}")
    return found
