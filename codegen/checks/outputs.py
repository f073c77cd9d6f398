"""Outputs are objects, and nothing in them is ever left out: handlers and readers see one shape."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context, refs, walk
from codegen.wording import quote


def check(ctx: Context) -> None:
    reached: set[str] = set()
    for action in ctx.specs.actions:
        _root(ctx, action)
        _all_required(ctx, action.output)
        _reach(ctx, action.output, reached)
    for name in sorted(reached):
        _all_required(ctx, ctx.specs.types[name].schema)


def _root(ctx: Context, action: ir.Action) -> None:
    output: ir.Schema = action.output
    if isinstance(output, ir.RefSchema):
        entry = ctx.specs.types.get(output.target)
        if entry is None:
            return
        output = entry.schema
    fits = isinstance(output, ir.ObjectSchema) and not action.output.nullable
    if not fits and not ctx.faulty(output):
        span = ctx.places.at(action.span, "output")
        help_text = "wrap it: a list is {items, total, next}, a union or map a property of an object"
        ctx.sink.add(
            span, "schema-root", "an output is an object with named properties at its root", help_text
        )


def _reach(ctx: Context, schema: ir.Schema, reached: set[str]) -> None:
    for ref in refs(schema):
        if ref.target in ctx.specs.types and ref.target not in reached:
            reached.add(ref.target)
            _reach(ctx, ctx.specs.types[ref.target].schema, reached)


def _all_required(ctx: Context, schema: ir.Schema) -> None:
    for node in walk(schema):
        if not isinstance(node, ir.ObjectSchema):
            continue
        for name in node.properties:
            if name not in node.required:
                span = ctx.places.key(node.span, "properties", name)
                message = f"the output property {quote(name)} is not required"
                help_text = 'list it in required, and write type: [string, "null"] where it may have no value'
                ctx.sink.add(span, "schema-optional", message, help_text)
