"""What ADE sends to Linear, and the stand-in's schema, against the schema that Linear publishes.

That schema is not part of this project: ``ADE_TEST_DATA`` names a folder that holds it as ``linear/schema.graphql``.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    is_required_argument,
    is_required_input_field,
    parse,
    validate,
)

from ade_runtime.integrations.linear import documents
from tests.support.linear.execute import schema

DATA = os.environ.get("ADE_TEST_DATA")
PUBLISHED = None if DATA is None else Path(DATA) / "linear" / "schema.graphql"
published_only = pytest.mark.skipif(
    PUBLISHED is None or not PUBLISHED.is_file(),
    reason="ADE_TEST_DATA names no folder with linear/schema.graphql, which is not part of the project",
)


@cache
def published() -> GraphQLSchema:
    assert PUBLISHED is not None
    return build_schema(PUBLISHED.read_text(), assume_valid=True)


@pytest.mark.parametrize("name", documents.ALL)
def test_the_stand_in_understands_every_document(name: str) -> None:
    assert validate(schema(), parse(documents.ALL[name])) == []


@published_only
@pytest.mark.parametrize("name", documents.ALL)
def test_linear_understands_every_document(name: str) -> None:
    assert validate(published(), parse(documents.ALL[name])) == []


@published_only
def test_the_stand_in_offers_nothing_that_linear_does_not() -> None:
    problems: list[str] = []
    for name, kind in schema().type_map.items():
        if not name.startswith("__"):
            real = published().type_map.get(name)
            problems += [f"{name} is unknown"] if real is None else differences(kind, real)
    assert problems == []


@published_only
def test_the_stand_in_demands_what_linear_demands() -> None:
    """A field that the real one requires must be required here, too, else a client that forgets it would pass."""
    problems: list[str] = []
    for name, kind in schema().type_map.items():
        real = published().type_map[name]
        if isinstance(kind, GraphQLInputObjectType) and isinstance(real, GraphQLInputObjectType):
            needed = {field for field, one in real.fields.items() if is_required_input_field(one)}
            problems += [f"{name}.{field}" for field in needed - kind.fields.keys()]
        elif isinstance(kind, GraphQLObjectType) and isinstance(real, GraphQLObjectType):
            for field, own in kind.fields.items():
                given = real.fields[field].args
                needed = {arg for arg, one in given.items() if is_required_argument(one)}
                problems += [f"{name}.{field}({arg})" for arg in needed - own.args.keys()]
    assert problems == []


def differences(kind: GraphQLNamedType, real: GraphQLNamedType) -> list[str]:
    """Where a type of the stand-in is not a part of the real one."""
    if type(kind) is not type(real):
        return [f"{kind.name} is another kind of type"]
    if isinstance(kind, GraphQLEnumType) and isinstance(real, GraphQLEnumType):
        return [f"{kind.name}.{value}" for value in kind.values.keys() - real.values.keys()]
    if not isinstance(kind, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
        return []
    assert isinstance(real, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType)
    found = []
    for name, own in kind.fields.items():
        theirs = real.fields.get(name)
        if theirs is None or str(theirs.type) != str(own.type):
            found.append(f"{kind.name}.{name}: {own.type}")
        elif not isinstance(kind, GraphQLInputObjectType):
            known = {arg: str(one.type) for arg, one in theirs.args.items()}
            mine = {arg: str(one.type) for arg, one in own.args.items()}
            found += [f"{kind.name}.{name}({arg})" for arg in mine if known.get(arg) != mine[arg]]
    return found
