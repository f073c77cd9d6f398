"""Dotted paths into outputs, as layouts, completers and fixtures use them."""

from __future__ import annotations

from codegen import ir
from codegen.jsonschema_export import resolve
from codegen.wording import did_you_mean, quote


def follow(schema: ir.Schema, path: str, specs: ir.Specs, *, through_lists: bool = False) -> ir.Schema | str:
    """The schema at a path, or what is wrong with the path. Free JSON holds anything. ``through_lists`` lets a name mean that
    of every element of a list.
    """
    here = schema
    for part in path.split("."):
        target, _ = resolve(here, specs)
        match target:
            case ir.ObjectSchema(properties=properties):
                if part not in properties:
                    return f"there is no property {quote(part)}{did_you_mean(part, properties)}"
                here = properties[part]
            case ir.MapSchema(values=None):
                return target
            case ir.MapSchema(values=ir.Schema() as values):
                here = values
            case ir.ArraySchema(items=items) if part.isdecimal():
                here = items
            case ir.ArraySchema(items=items) if through_lists:
                inner = follow(items, part, specs, through_lists=True)
                if isinstance(inner, str):
                    return inner
                here = inner
            case ir.ArraySchema():
                return f"{quote(part)} is asked of a list"
            case ir.UnionSchema(branches=branches):
                ends = [follow(branch, part, specs) for branch in branches]
                fits = [end for end in ends if not isinstance(end, str)]
                if not fits:
                    return ends[0]
                here = fits[0]
            case _:
                return f"{quote(part)} is asked of a plain value"
    return here
