"""Every request to Linear and every answer of the stand-in, held to the schema that Linear publishes.

That schema is in no package: ``ADE_TEST_DATA`` names a folder that holds it as ``linear/schema.graphql``.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from graphql import build_schema

from tests.support.exchanges import noted
from tests.support.graphql_answers import problems

DATA = os.environ.get("ADE_TEST_DATA")
PUBLISHED = None if DATA is None else Path(DATA) / "linear" / "schema.graphql"
pytestmark = [
    pytest.mark.conformance,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(
        PUBLISHED is None or not PUBLISHED.is_file(),
        reason="ADE_TEST_DATA names no folder with linear/schema.graphql, which is not part of the project",
    ),
]


def test_queries_and_answers_are_as_linear_describes_them(recorded: Path) -> None:
    assert PUBLISHED is not None
    schema, found = build_schema(PUBLISHED.read_text(), assume_valid=True), Counter[str]()
    asked = list(noted("linear", recorded))
    for exchange in asked:
        found.update(set(problems(schema, exchange)))
    assert len(asked) > 20
    assert not found, "\n".join(f"{count} times: {problem}" for problem, count in found.most_common(40))
