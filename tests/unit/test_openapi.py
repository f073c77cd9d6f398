"""What holds exchanges to a description says of those that do not fit it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from graphql import build_schema

from tests.support import graphql_answers
from tests.support.exchanges import Exchange
from tests.support.openapi import Description

NAME = {"type": "string", "minLength": 2}
PARAMETERS = [
    {"name": "owner", "in": "path", "schema": NAME},
    {"name": "ref", "in": "path", "x-multi-segment": True, "schema": {"type": "string"}},
    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}},
]
THING = {
    "type": "object",
    "required": ["id", "at", "url", "note"],
    "properties": {
        "id": {"type": "integer"},
        "at": {"type": "string", "format": "date-time"},
        "url": {"type": "string", "format": "uri"},
        "note": {"type": "string", "nullable": True},
    },
}
DESCRIPTION = Description(
    {
        "paths": {
            "/x/{owner}/refs/{ref}": {
                "get": {
                    "operationId": "refs/get",
                    "parameters": PARAMETERS,
                    "responses": {
                        "200": {
                            "content": {
                                "application/json": {"schema": {"$ref": "#/components/schemas/thing"}}
                            }
                        },
                        "204": {"description": "Nothing"},
                    },
                }
            },
            "/x/{owner}": {
                "post": {
                    "operationId": "x/create",
                    "parameters": PARAMETERS[:1],
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["title"],
                                    "properties": {"title": NAME, "draft": {"type": "boolean"}},
                                }
                            }
                        },
                    },
                    "responses": {"204": {"description": "Done"}},
                }
            },
        },
        "components": {
            "schemas": {
                "thing": THING,
                "basic-error": {"type": "object", "required": ["message"]},
            }
        },
    }
)
GOOD = json.dumps({"id": 1, "at": "2026-01-02T03:04:05Z", "url": "https://example.org/", "note": None})


def get(target: str, status: int = 200, answered: str = GOOD, **more: Any) -> Exchange:
    usual: dict[str, Any] = {"method": "GET", "sent_type": "", "sent": ""}
    return Exchange(**(usual | more), target=target, status=status, answered=answered)


def post(sent: str, sent_type: str = "application/json") -> Exchange:
    return get("/x/octo", 204, "", method="POST", sent=sent, sent_type=sent_type)


@pytest.mark.parametrize(
    "exchange",
    [
        get("/x/octo/refs/heads/a%20b?page=2"),
        get("/x/octo/refs/a", 304, ""),
        get("/x/octo/refs/a", 404, '{"message": "Not Found"}'),
        get("/x/octo/refs/a", 502, "<html>", invented=True),
        post('{"title": "Hello", "draft": true}'),
    ],
)
def test_what_fits_is_taken(exchange: Exchange) -> None:
    assert DESCRIPTION.problems(exchange) == []


@pytest.mark.parametrize(
    ("exchange", "problem"),
    [
        (get("/y"), "there is no GET /y"),
        (get("/x/o/refs/a"), "path owner $: 'o' is too short"),
        (get("/x/octo/refs/a?page=0"), "query page $: 0 is less than the minimum of 1"),
        (get("/x/octo/refs/a?page=many"), "query page $: 'many' is not of type 'integer'"),
        (get("/x/octo/refs/a?size=1"), "query size is not described"),
        (get("/x/octo/refs/a", 500, "{}"), "status 500 is not described"),
        (get("/x/octo/refs/a", 403, "{}"), "'message' is a required property"),
        (get("/x/octo/refs/a", 204), "has no body by the description"),
        (get("/x/octo/refs/a", 200, ""), "lacks its body"),
        (get("/x/octo/refs/a", 200, GOOD.replace("1,", '"1",')), "$.id: '1' is not of type 'integer'"),
        (
            get("/x/octo/refs/a", 200, GOOD.replace("Z", "")),
            "$.at: '2026-01-02T03:04:05' is not a 'date-time'",
        ),
        (get("/x/octo/refs/a", 200, GOOD.replace("https:", "")), "is not a 'uri'"),
        (post(""), "the body is missing"),
        (post("{}"), "body $: 'title' is a required property"),
        (post('{"title": "Hello", "titel": 1}'), "body titel is not described"),
        (post("title=Hello", "text/plain"), "a body of type text/plain is not described"),
        (get("/x/octo/refs/a", sent="{}"), "a body was sent and none is described"),
    ],
)
def test_what_does_not_fit_is_told(exchange: Exchange, problem: str) -> None:
    assert any(problem in one for one in DESCRIPTION.problems(exchange)), DESCRIPTION.problems(exchange)


SCHEMA = build_schema(
    "interface Node { id: ID! } type User implements Node { id: ID!, name: String } enum Kind { A B }"
    " type Query { node(id: ID!): Node, kind: Kind!, users(first: Int!): [User!]! }"
)


@pytest.mark.parametrize(
    ("query", "variables", "data", "problem"),
    [
        ("{ kind }", {}, {"kind": "A"}, None),
        ("query Q($n: Int!) { some: users(first: $n) { name } }", {"n": 1}, {"some": [{"name": None}]}, None),
        ('{ node(id: "1") { id ... on User { name } } }', {}, {"node": {"id": "1", "name": "Ada"}}, None),
        ("query Q($n: Int!) { users(first: $n) { name } }", {"n": "1"}, None, "Int cannot represent"),
        ("{ users { name } }", {}, None, "of type 'Int!' is required"),
        ("{ sort }", {}, None, "Cannot query field 'sort'"),
        ("{ kind }", {}, {"kind": "C"}, "cannot represent value"),
        ("{ kind }", {}, {}, None),
        ("{ users(first: 1) { name } }", {}, {"users": [{}]}, "it is missing in the answer"),
        ("{ kind }", {}, {"kind": "A", "more": 1}, "the answer holds what was not asked for"),
    ],
)
def test_answers_in_graphql_are_held_to_the_schema(
    query: str, variables: dict[str, Any], data: dict[str, Any] | None, problem: str | None
) -> None:
    sent = json.dumps({"query": query, "variables": variables})
    made = get("/graphql", 200, json.dumps({"data": data}), method="POST", sent=sent)
    told = graphql_answers.problems(SCHEMA, made)
    assert told == [] if problem is None else any(problem in one for one in told), told
