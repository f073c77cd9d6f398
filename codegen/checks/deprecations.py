"""What is deprecated may be left out, says what to use instead, and goes after it was said."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.compat.versions import version
from codegen.wording import quote


def check(ctx: Context) -> None:
    actions = {action.id: action for action in ctx.specs.actions}
    for action in actions.values():
        if action.deprecated is not None:
            _action(ctx, action, action.deprecated, actions)
        fields = {field.name: field for field in action.fields}
        for field in action.fields:
            if field.deprecated is not None:
                _field(ctx, field, field.deprecated, fields)


def _action(ctx: Context, action: ir.Action, found: ir.Deprecation, actions: dict[str, ir.Action]) -> None:
    _order(ctx, found)
    span = ctx.places.at(found.span, "use")
    if found.use is not None and ctx.known(span, "unknown-action", "action", found.use, actions):
        _not_itself(ctx, span, found.use, action.id, actions[found.use].deprecated)


def _field(ctx: Context, field: ir.Field, found: ir.Deprecation, fields: dict[str, ir.Field]) -> None:
    _order(ctx, found)
    span = ctx.places.at(found.span, "use")
    if found.use is not None and ctx.known(span, "unknown-field", "field", found.use, fields):
        _not_itself(ctx, span, found.use, field.name, fields[found.use].deprecated)
    if field.required:
        at = ctx.places.key(field.span, "deprecated")
        message = f"the field {quote(field.name)} must be given, so nobody can stop giving it"
        ctx.sink.add(at, "misplaced-key", message, "write optional: true for the field")


def _not_itself(ctx: Context, span: ir.Span, use: str, name: str, other: ir.Deprecation | None) -> None:
    if use == name or other is not None:
        message = f"{quote(use)} is deprecated itself"
        ctx.sink.add(span, "wrong-value", message, "name what stays")


def _order(ctx: Context, found: ir.Deprecation) -> None:
    if found.since and found.remove_after and version(found.remove_after) < version(found.since):
        span = ctx.places.at(found.span, "remove_after")
        message = f"{found.remove_after} comes before {found.since}, when it was said first"
        ctx.sink.add(span, "wrong-value", message, "name a later version")
