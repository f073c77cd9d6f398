"""Schemas without their words: what a value may be, as plain data that can be kept and compared.

A shape is ``{"kind", …}`` with the keywords of the kind; ``@`` is where it stands, ``{"ref": NAME}`` a shared type. ``null``
says that null is a value too.
"""

from __future__ import annotations

from typing import Any

from codegen import ir

Shape = dict[str, Any]
AT = "@"
"""The key of a place: no property can be called so."""


def place(span: ir.Span) -> str:
    """A span as ``file:line:column``."""
    return f"{span.file}:{span.line}:{span.column}"


def shape(schema: ir.Schema) -> Shape:
    """What a schema says besides titles, descriptions and defaults."""
    out: Shape = {AT: place(schema.span), **_kind(schema)}
    if schema.nullable:
        out["null"] = True
    return {key: value for key, value in out.items() if value not in (None, (), [])}


def _kind(schema: ir.Schema) -> Shape:
    match schema:
        case ir.RefSchema(target=target):
            return {"ref": target}
        case ir.StringSchema():
            values = list(schema.enum) or ([schema.const] if schema.const is not None else None)
            return {
                "kind": "string",
                "values": values,
                "shortest": schema.min_length or None,
                "longest": schema.max_length,
                "pattern": schema.pattern,
                "format": schema.format,
            }
        case ir.NumberSchema():
            return {
                "kind": schema.kind,
                "minimum": schema.minimum,
                "maximum": schema.maximum,
                "above": schema.exclusive_minimum,
                "below": schema.exclusive_maximum,
            }
        case ir.BooleanSchema():
            return {"kind": "boolean"}
        case ir.ArraySchema():
            return {
                "kind": "array",
                "items": shape(schema.items),
                "fewest": schema.min_items or None,
                "most": schema.max_items,
                "unique": schema.unique or None,
            }
        case ir.ObjectSchema():
            fields = {name: shape(value) for name, value in schema.properties.items()}
            return {"kind": "object", "fields": fields, "required": list(schema.required)}
        case ir.UnionSchema():
            return {
                "kind": "union",
                "tag": schema.discriminator,
                "branches": [shape(one) for one in schema.branches],
            }
        case ir.MapSchema(values=values):
            return {"kind": "map", "of": None if values is None else shape(values)}
        case _:
            raise TypeError(f"no shape for {type(schema).__name__}")


def without_places(value: Any) -> Any:
    """The same data without the places of schemas: a kept surface names those of whole things only."""
    if isinstance(value, dict):
        return {key: without_places(item) for key, item in value.items() if key != AT}
    return [without_places(item) for item in value] if isinstance(value, list) else value
