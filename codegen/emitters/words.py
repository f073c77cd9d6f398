"""Schemas in words: what a field takes, said in a dozen words for help, docs and tool descriptions.

Clients strip keywords from tool schemas, so every constraint is said here too.
"""

from __future__ import annotations

import json
import re
from typing import Any

from codegen import ir
from codegen.limits import FINITE, INT64

_SHOWN_ENUM = 12
PLAIN = re.compile("[^\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
"""Text without control and direction characters; written out, so that every version of Python agrees."""


def resolve(schema: ir.Schema, specs: ir.Specs) -> ir.Schema:
    """The schema a chain of references ends at."""
    while isinstance(schema, ir.RefSchema):
        schema = specs.types[schema.target].schema
    return schema


def takes(schema: ir.Schema, specs: ir.Specs, *, short: bool = False) -> str:
    """Type, bounds and default in words: ``text, 1 to 120 characters; default main``.

    With ``short`` the fields of an object are left out, for where they are listed anyway.
    """
    words = _takes(schema, specs, 1 if short else 0)
    default = schema.default if schema.default is not None else resolve(schema, specs).default
    return words if default is None else f"{words}; default {as_text(default)}"


def as_text(value: Any) -> str:
    """A value as a person writes it: text bare where that is clear, everything else as JSON."""
    if isinstance(value, str) and PLAIN.fullmatch(value) and value == value.strip():
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def type_word(schema: ir.Schema, specs: ir.Specs) -> str:
    """One word for tables and metavariables: text, integer, number, boolean, date, time, list, object."""
    match resolve(schema, specs):
        case ir.StringSchema(format="date"):
            return "date"
        case ir.StringSchema(format="date-time"):
            return "time"
        case ir.StringSchema():
            return "text"
        case ir.NumberSchema(kind=kind):
            return kind
        case ir.BooleanSchema():
            return "boolean"
        case ir.ArraySchema():
            return "list"
        case _:
            return "object"


def _takes(schema: ir.Schema, specs: ir.Specs, depth: int) -> str:
    target = resolve(schema, specs)
    nullable = " or null" if schema.nullable or target.nullable else ""
    match target:
        case ir.StringSchema():
            return _string(target) + nullable
        case ir.NumberSchema():
            return _number(target) + nullable
        case ir.BooleanSchema():
            return "true or false" + nullable
        case ir.ArraySchema():
            return _array(target, specs, depth) + nullable
        case ir.ObjectSchema():
            return _object(target, specs, depth) + nullable
        case ir.MapSchema(values=values):
            inner = "" if values is None else f" of names to {_takes(values, specs, depth + 1)}"
            return f"a JSON object{inner}{nullable}"
        case ir.UnionSchema(discriminator=tag):
            return f"a JSON object told apart by {tag}: {' | '.join(union_tags(target, specs))}{nullable}"
        case _:
            raise TypeError(f"no words for {type(target).__name__}")


def union_tags(union: ir.UnionSchema, specs: ir.Specs) -> list[str]:
    """The values of the discriminator, in the order of the branches."""
    tags = []
    for branch in union.branches:
        target = resolve(branch, specs)
        tag = (
            resolve(target.properties[union.discriminator], specs)
            if isinstance(target, ir.ObjectSchema)
            else None
        )
        tags.append(tag.const or branch.target if isinstance(tag, ir.StringSchema) else branch.target)
    return tags


def _string(schema: ir.StringSchema) -> str:
    if schema.const is not None:
        return f"exactly {as_text(schema.const)}"
    if schema.enum:
        shown = [as_text(value) for value in schema.enum[:_SHOWN_ENUM]]
        more = len(schema.enum) - len(shown)
        return "one of " + ", ".join(shown) + (f" and {more} more" if more else "")
    if schema.format == "date":
        return "a date like 2026-01-31"
    if schema.format == "date-time":
        return "a time like 2026-01-31T09:30:00Z"
    words = ["text"]
    length = _range(schema.min_length, schema.max_length, "character")
    words += [length] if length else []
    words += [f"matching {schema.pattern}"] if schema.pattern is not None else []
    return ", ".join(words)


def _number(schema: ir.NumberSchema) -> str:
    name = "an integer" if schema.kind == "integer" else "a number"
    low = None if schema.minimum is None or schema.minimum in (INT64[0], FINITE[0]) else schema.minimum
    high = None if schema.maximum is None or schema.maximum in (INT64[1], FINITE[1]) else schema.maximum
    words = []
    if low is not None and high is not None:
        words.append(f"{low} to {high}")
    elif low is not None:
        words.append(f"at least {low}")
    elif high is not None:
        words.append(f"at most {high}")
    if schema.exclusive_minimum is not None:
        words.append(f"more than {schema.exclusive_minimum}")
    if schema.exclusive_maximum is not None:
        words.append(f"less than {schema.exclusive_maximum}")
    return ", ".join([name, *words])


def _array(schema: ir.ArraySchema, specs: ir.Specs, depth: int) -> str:
    count = _range(schema.min_items, schema.max_items, "item")
    words = "a list" if not count else f"a list of {count}"
    words += ", no two alike" if schema.unique else ""
    return words if depth > 2 else f"{words}, each {_takes(schema.items, specs, depth + 1)}"


def _object(schema: ir.ObjectSchema, specs: ir.Specs, depth: int) -> str:
    if depth or not schema.properties:
        return "a JSON object"
    names = [name if name in schema.required else f"{name}?" for name in schema.properties]
    return f"a JSON object with {', '.join(names)}"


def _range(low: int | None, high: int | None, unit: str) -> str:
    low = low or None
    if low is not None and high is not None:
        return _count(low, unit) if low == high else f"{low} to {_count(high, unit)}"
    if low is not None:
        return f"at least {_count(low, unit)}"
    return f"at most {_count(high, unit)}" if high is not None else ""


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
