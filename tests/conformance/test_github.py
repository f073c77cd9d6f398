"""Every request to GitHub and every answer of the stand-in, held to GitHub's own descriptions: OpenAPI and GraphQL."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from graphql import GraphQLSchema, build_schema

from tests.support.exchanges import Exchange, noted
from tests.support.github import rest
from tests.support.graphql_answers import problems
from tests.support.openapi import Description
from tests.support.programs import GITHUB_GRAPHQL, GITHUB_OPENAPI, described

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(1200)]


@cache
def openapi() -> Description:
    return Description(json.loads(described(GITHUB_OPENAPI, "generated/api.github.com.json").read_bytes()))


@cache
def graphql() -> GraphQLSchema:
    return build_schema(described(GITHUB_GRAPHQL, "schema.graphql").read_text(), assume_valid=True)


def of_rest(folder: Path) -> list[Exchange]:
    return [one for one in noted("github", folder) if one.target != "/graphql"]


def test_requests_and_answers_are_as_github_describes_them(recorded: Path) -> None:
    description = openapi()
    found: Counter[str] = Counter()
    for exchange in of_rest(recorded):
        found.update(set(description.problems(exchange)))
    assert not found, "\n".join(f"{count} times: {problem}" for problem, count in found.most_common(40))


def test_everything_that_the_stand_in_offers_was_asked_for(recorded: Path) -> None:
    """An operation that no test uses would be described by nobody."""
    seen = {(one.method, one.target.split("?")[0]) for one in of_rest(recorded) if one.status < 400}
    unseen = [
        f"{method} {pattern.pattern}"
        for method, pattern, _, _ in rest.ROUTES
        if not any(method == asked and pattern.fullmatch(path) for asked, path in seen)
    ]
    assert unseen == []


def test_queries_and_answers_are_as_github_describes_them(recorded: Path) -> None:
    schema, found = graphql(), Counter[str]()
    asked = [one for one in noted("github", recorded) if one.target == "/graphql"]
    for exchange in asked:
        found.update(set(problems(schema, exchange)))
    assert len(asked) > 10
    assert not found, "\n".join(f"{count} times: {problem}" for problem, count in found.most_common(40))
