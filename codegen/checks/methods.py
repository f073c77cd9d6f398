"""Methods name actions that exist, and say their parameters once."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context


def check(ctx: Context) -> None:
    known = {action.id for action in ctx.specs.actions}
    for method in ctx.specs.methods.values():
        at = ctx.places.at(method.span, "action")
        if method.action is not None:
            ctx.known(at, "unknown-action", "action", method.action, known)
            if method.params is not None or method.result is not None:
                message = "an action's own input and output are the parameters and result"
                ctx.sink.add(at, "misplaced-key", message, "leave out params and result, or action")
        if method.kind == "notification" and (method.result is not None or method.action is not None):
            span = ctx.places.at(method.span, "kind")
            ctx.sink.add(span, "misplaced-key", "a notification has no result", "leave out result and action")
        for key, schema in (("params", method.params), ("result", method.result)):
            if schema is not None and not isinstance(schema, ir.ObjectSchema | ir.MapSchema | ir.RefSchema):
                ctx.sink.add(
                    ctx.places.at(method.span, key),
                    "schema-root",
                    f"{key} are an object",
                    "write type: object",
                )
