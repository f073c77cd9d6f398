"""The Python annotation of a schema.

datamodel-code-generator writes most of them; this module writes those it would misread (constrained items of
a list, unions in a map, dates, unique lists) and what all of them must come out as, so that a silent
misreading is found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from codegen import ir
from codegen.limits import INT64
from codegen.modelgen.classes import Node, resolve
from codegen.naming import py_name
from codegen.text import python_value

Types = Mapping[str, ir.NamedType]
_FORMATS = {"date": "Date", "date-time": "DateTime"}


def annotation(node: Node, types: Types) -> str:
    """The whole annotation, null included: ``Annotated[str, Field(min_length=1)] | None``."""
    node = resolve(node, types)
    base = constrained(base_type(node, types), constraints(node.schema))
    return f"{base} | None" if node.schema.nullable else base


def field_annotation(name: str, node: Node, types: Types, *, required: bool) -> str:
    """The annotation of a field as datamodel-code-generator lays it out: ``Annotated[T | None,
    Field(…)]``.
    """
    node = resolve(node, types)
    schema = node.schema
    limits = {} if is_opaque(node.schema) else constraints(schema)
    base = (
        constrained(base_type(node, types), constraints(schema))
        if is_opaque(node.schema)
        else base_type(node, types)
    )
    if schema.nullable or (not required and schema.default is None):
        base += " | None"
    if py_name(name) != name:
        limits = {**limits, "alias": name}
    return constrained(base, limits)


def is_opaque(schema: ir.Schema) -> bool:
    """Whether we write a field's annotation ourselves, because datamodel-code-generator would misread the
    schema.
    """
    if isinstance(schema, ir.StringSchema):
        return schema.format is not None or (schema.const is not None and schema.nullable)
    if isinstance(schema, ir.NumberSchema):
        return schema.kind == "integer" and (schema.minimum, schema.maximum) == INT64
    if isinstance(schema, ir.ArraySchema):
        return schema.unique or schema.nullable
    if isinstance(schema, ir.MapSchema):
        return schema.values is None or schema.nullable
    return isinstance(schema, ir.UnionSchema)


def base_type(node: Node, types: Types) -> str:
    """The type without null and without limits."""
    match node.schema:
        case ir.StringSchema(const=str() as const):
            return f"Literal[{python_value(const)}]"
        case ir.StringSchema(enum=(_, *_) as members):
            return f"Literal[{', '.join(python_value(member) for member in members)}]"
        case ir.StringSchema(format=format):
            return "str" if format is None else _FORMATS[format]
        case ir.NumberSchema(kind=kind):
            return "float" if kind == "number" else "Int64" if is_opaque(node.schema) else "int"
        case ir.BooleanSchema():
            return "bool"
        case ir.ArraySchema(unique=unique):
            return f"{'UniqueList' if unique else 'list'}[{annotation(node.items(), types)}]"
        case ir.MapSchema(values=values):
            return "JsonObject" if values is None else f"dict[str, {annotation(node.values(), types)}]"
        case ir.RefSchema(target=target):
            return target
        case ir.ObjectSchema():
            return node.path
        case ir.UnionSchema(branches=branches, discriminator=tag):
            either = " | ".join(branch.target for branch in branches)
            return constrained(either, {"discriminator": py_name(tag)} if len(branches) > 1 else {})
    raise TypeError(type(node.schema).__name__)


def constraints(schema: ir.Schema) -> dict[str, Any]:
    """The arguments of pydantic's ``Field`` that hold a value to its schema."""
    found: dict[str, Any] = {}
    if (
        isinstance(schema, ir.StringSchema)
        and not schema.enum
        and schema.const is None
        and schema.format is None
    ):
        found = {"min_length": schema.min_length, "max_length": schema.max_length, "pattern": schema.pattern}
    elif isinstance(schema, ir.NumberSchema) and not is_opaque(schema):
        found = {
            "ge": _bound(schema.kind, schema.minimum),
            "le": _bound(schema.kind, schema.maximum),
            "gt": _bound(schema.kind, schema.exclusive_minimum),
            "lt": _bound(schema.kind, schema.exclusive_maximum),
        }
    elif isinstance(schema, ir.ArraySchema):
        found = {"min_length": schema.min_items, "max_length": schema.max_items}
    return {name: value for name, value in found.items() if value is not None}


def constrained(base: str, limits: Mapping[str, Any]) -> str:
    if not limits:
        return base
    arguments = ", ".join(f"{name}={python_value(value)}" for name, value in limits.items())
    return f"Annotated[{base}, Field({arguments})]"


def _bound(kind: str, value: float | None) -> float | None:
    """A bound as its kind's Python type. The bounds that every double has by itself are left out."""
    if value is None:
        return None
    if kind == "integer":
        return int(value) if value == int(value) else value
    return None if abs(float(value)) >= math.nextafter(math.inf, 0) else float(value)
