"""Secrets: input that nothing may show is plain text of an action whose calls are never kept."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.wording import quote

_NOT_WITH = ("positional", "short", "complete")


def check(ctx: Context) -> None:
    for action in ctx.specs.actions:
        for field in action.fields:
            if field.secret:
                _field(ctx, field)
        secret = [field for field in action.fields if field.secret]
        if secret and action.effect != "secret":
            span = ctx.places.key(secret[0].span, "secret")
            message = (
                f"{action.id} takes the secret {quote(secret[0].name)}, but its effect is {action.effect}"
            )
            ctx.sink.add(span, "misplaced-key", message, "give the action effect: secret")
        if action.effect == "secret" and action.idempotency == "request_id":
            span = ctx.places.at(action.span, "idempotency")
            message = "a receipt would keep what is secret"
            ctx.sink.add(span, "misplaced-key", message, "write idempotency: natural, or leave it out")


def _field(ctx: Context, field: ir.Field) -> None:
    kind = ctx.kind(field.schema)
    span = ctx.places.key(field.span, "secret")
    if isinstance(kind, ir.StringSchema) and (
        kind.enum or kind.const is not None or kind.default is not None
    ):
        message = "a secret has neither a default nor a list of values"
        ctx.sink.add(span, "misplaced-key", message, "leave out one of the two")
    for key in _NOT_WITH:
        if ctx.places.node(field.span, "cli", key) is not None:
            at = ctx.places.key(field.span, "cli", key)
            message = f"a secret is never on a command line, so it has no {key}"
            ctx.sink.add(at, "misplaced-key", message, "leave it out; the command asks for the secret")
