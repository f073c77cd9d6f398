"""Requests, checked against the schema and carried out on a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from tests.support.linear.filters import fits
from tests.support.linear.workspace import Record, Workspace, page

SDL = Path(__file__).with_name("schema.graphql")


@cache
def schema() -> GraphQLSchema:
    return build_schema(SDL.read_text())


def perform(workspace: Workspace, request: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Status and answer of a request ``{query, variables}``."""
    document, problems = _read(request["query"])
    if document is None or problems:
        return 400, {"errors": [_told(one, "GRAPHQL_VALIDATION_FAILED") for one in problems]}
    found = execute_sync(
        schema(), document, root_value=_roots(workspace), variable_values=request.get("variables") or {}
    )
    assert isinstance(found, ExecutionResult)
    if found.errors:
        return 400, {"data": None, "errors": [_told(one, "INPUT_ERROR") for one in found.errors]}
    return 200, {"data": found.data}


@cache
def _read(query: str) -> tuple[DocumentNode | None, list[GraphQLError]]:
    """A document and what is wrong with it."""
    try:
        document = parse(query)
    except GraphQLError as problem:
        return None, [problem]
    return document, validate(schema(), document)


def _told(problem: GraphQLError, code: str) -> dict[str, Any]:
    extensions = dict(problem.extensions or {}) or {"code": code, "userPresentableMessage": problem.message}
    return {"message": problem.message, "extensions": extensions}


def _roots(workspace: Workspace) -> dict[str, Any]:
    """What the fields of Query and Mutation give; names are those of the schema."""

    def issue(record: Record) -> Record:
        return _issue(workspace, record)

    def searched(info: Any, term: str, first: int = 50, after: str | None = None, **_: Any) -> Record:
        words = term.lower()
        hits = [
            one
            for one in workspace.matching(None)
            if words in f"{one['identifier']} {one['title']} {one['description'] or ''}".lower()
        ]
        return _mapped(page(hits, first, after), issue) | {"totalCount": float(len(hits))}

    return {
        "viewer": lambda info: workspace.users[0],
        "issue": lambda info, id: issue(workspace.issue(id)),
        "issues": lambda info, first=50, after=None, filter=None, orderBy=None, sort=(): _mapped(  # noqa: N803
            page(workspace.matching(filter, sort), first, after), issue
        ),
        "searchIssues": searched,
        "issueLabels": lambda info, first=50, after=None, filter=None: page(
            [one for one in workspace.labels if fits(one, filter)], first, after
        ),
        "users": lambda info, first=50, after=None, filter=None: page(
            [one for one in workspace.users if fits(one, filter)], first, after
        ),
        "comments": lambda info, first=50, after=None, filter=None: _mapped(
            page([one for one in workspace.comments if fits(one, filter)], first, after),
            lambda one: _comment(workspace, one),
        ),
        "webhooks": lambda info, first=50, after=None: page(workspace.webhooks, first, after),
        "commentCreate": lambda info, input: {
            "success": True,
            "comment": _comment(workspace, workspace.create_comment(input)),
        },
        "issueUpdate": lambda info, id, input: _done(issue(workspace.update_issue(id, input))),
        "issueAddLabel": lambda info, id, labelId: _done(issue(workspace.add_label(id, labelId))),  # noqa: N803
        "issueRemoveLabel": lambda info, id, labelId: _done(  # noqa: N803
            issue(workspace.remove_label(id, labelId))
        ),
        "webhookCreate": lambda info, input: {
            "success": True,
            "webhook": workspace.save_webhook(None, input),
        },
        "webhookUpdate": lambda info, id, input: {
            "success": True,
            "webhook": workspace.save_webhook(id, input),
        },
    }


def _issue(workspace: Workspace, record: Record) -> Record:
    def comments(info: Any, first: int = 50, after: str | None = None, **_: Any) -> Record:
        own = [one for one in workspace.comments if one["issue_"] is record]
        return _mapped(page(own, first, after), lambda one: _comment(workspace, one))

    def labels(info: Any, first: int = 50, after: str | None = None, filter: Any = None) -> Record:
        return page([one for one in record["labels"] if fits(one, filter)], first, after)

    return {**record, "comments": comments, "labels": labels}


def _comment(workspace: Workspace, record: Record) -> Record:
    return {**record, "issue": lambda info: _issue(workspace, record["issue_"])}


def _mapped(connection: Record, change: Any) -> Record:
    return {**connection, "nodes": [change(one) for one in connection["nodes"]]}


def _done(issue: Record) -> Record:
    return {"success": True, "issue": issue}
