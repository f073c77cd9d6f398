"""Exchanges over GraphQL, held to a published schema: the document, its variables, and the answer.

The answer is carried out again by that schema with itself as the data: what comes out must be what went in.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    execute_sync,
    parse,
    validate,
)

from tests.support.exchanges import Exchange


def problems(schema: GraphQLSchema, exchange: Exchange) -> list[str]:
    """What of the exchange the schema does not allow; of an answer without data, only what was asked is looked at."""
    asked = json.loads(exchange.sent)
    document, found = _read(schema, asked["query"])
    if found:
        return list(found)
    data = None if exchange.invented else json.loads(exchange.answered).get("data")
    done = execute_sync(
        schema,
        document,
        root_value=data or {},
        variable_values=asked.get("variables") or {},
        field_resolver=_resolve,
        type_resolver=_type_of,
    )
    if not data:
        return [
            one.message for one in done.errors or () if not one.path
        ]  # variables that do not fit have no path
    found = [f"{'.'.join(map(str, one.path or ()))}: {one.message}" for one in done.errors or ()]
    return found or ([] if done.data == data else ["the answer holds what was not asked for"])


@cache
def _read(schema: GraphQLSchema, query: str) -> tuple[DocumentNode, tuple[str, ...]]:
    """A document, and what the schema does not allow in it."""
    document = parse(query)
    return document, tuple(one.message for one in validate(schema, document))


def _resolve(source: Any, info: GraphQLResolveInfo, **_: Any) -> Any:
    """What the answer has, under the name that it was asked for by."""
    if info.path.key not in source:
        raise GraphQLError("it is missing in the answer")
    return source[info.path.key]


def _type_of(value: Any, info: GraphQLResolveInfo, kind: GraphQLAbstractType) -> str:
    """The type that an answer says, else one that the document asks about, else any that may stand there."""
    if "__typename" in value:
        return str(value["__typename"])
    possible = [one.name for one in info.schema.get_possible_types(kind)]
    for field in info.field_nodes:
        for part in field.selection_set.selections if field.selection_set else ():
            about = info.fragments[part.name.value] if part.kind == "fragment_spread" else part
            about_type = getattr(about, "type_condition", None)
            if about_type is not None and about_type.name.value in possible:
                return str(about_type.name.value)
    return possible[0]
