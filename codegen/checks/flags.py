"""Fields on the command line: flags are free and distinct, positionals can be told apart."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.checks.names import Taken
from codegen.ir import Span
from codegen.options import RESERVED
from codegen.wording import fold, quote

_FOLDED = {fold(flag): flag for flag in RESERVED if flag.startswith("--")}


def check(ctx: Context) -> None:
    for action in ctx.to_prove:
        taken = Taken(ctx, "option", "give one of them another cli: {flag: …}")
        seen: set[str] = set()
        for field in action.fields:
            name = fold(field.name)
            own_flag = ctx.places.node(field.span, "cli", "flag") is not None
            if name and (own_flag or name not in seen):
                _field(ctx, field, taken)
            seen.add(name)
        _positionals(ctx, action)


def _field(ctx: Context, field: ir.Field, taken: Taken) -> None:
    cli, at = field.cli, ctx.places.at
    if cli.positional:
        for key in ("short", "flag"):
            if ctx.places.node(field.span, "cli", key) is not None:
                span = ctx.places.key(field.span, "cli", key)
                message = f"a positional field has no {key}"
                ctx.sink.add(span, "misplaced-key", message, "keep one of the two")
        return
    explicit = ctx.places.node(field.span, "cli", "flag") is not None
    span = at(field.span, "cli", "flag") if explicit else field.span
    kind = ctx.kind(field.schema)
    flags = [cli.flag]
    if isinstance(kind, ir.BooleanSchema):
        flags.append(cli.off or f"--no-{cli.flag[2:]}")
    elif cli.off is not None and kind is not None:
        off = ctx.places.key(field.span, "cli", "off")
        ctx.sink.add(off, "misplaced-key", "only a boolean is turned off", "leave it out")
    for flag in flags:
        if fold(flag) in _FOLDED:
            _reserved(ctx, field, flag, span)
        taken.add(fold(flag), flag, f"field {field.name}", span)
    if cli.short is not None:
        short = at(field.span, "cli", "short")
        if cli.short in RESERVED:
            message = f"the option {cli.short} belongs to every command"
            ctx.sink.add(short, "reserved-name", message, "choose another letter")
        taken.add(cli.short, cli.short, f"field {field.name}", short)
    _completion(ctx, field, kind)
    _duration(ctx, field, kind)


def _reserved(ctx: Context, field: ir.Field, flag: str, span: Span) -> None:
    message = f"the field {quote(field.name)} would be the option {flag}, which belongs to every command"
    help_text = (
        f"name it with cli: {{flag: --{field.name.replace('_', '-').strip('-')}-…}}, or make it positional"
    )
    ctx.sink.add(span, "reserved-name", message, help_text)


def _completion(ctx: Context, field: ir.Field, kind: ir.Schema | None) -> None:
    if isinstance(kind, ir.ArraySchema):
        kind = ctx.kind(kind.items)
    plain = isinstance(kind, ir.StringSchema) and not kind.enum
    if field.cli.complete is not None and kind is not None and not plain:
        span = ctx.places.key(field.span, "cli", "complete")
        message = "only texts without an enum, and lists of them, are completed live"
        ctx.sink.add(span, "misplaced-key", message, "leave it out")


def _duration(ctx: Context, field: ir.Field, kind: ir.Schema | None) -> None:
    counts = kind is None or (isinstance(kind, ir.NumberSchema) and kind.kind == "integer")
    if field.cli.duration and not counts:
        span = ctx.places.key(field.span, "cli", "duration")
        message = "only an integer, which then counts seconds, is written as a duration"
        ctx.sink.add(span, "misplaced-key", message, "leave it out")


def _positionals(ctx: Context, action: ir.Action) -> None:
    optional = rest = ""
    for field in action.fields:
        if not field.cli.positional:
            continue
        span = ctx.places.key(field.span, "cli", "positional")
        kind = ctx.kind(field.schema)
        if rest:
            message = f"nothing can follow {quote(rest)}, which takes all remaining words"
            ctx.sink.add(span, "misplaced-key", message, "make it an option, or move it before")
        elif optional and field.required:
            message = f"the required {quote(field.name)} follows the optional {quote(optional)}"
            ctx.sink.add(span, "misplaced-key", message, "move it before, or make one an option")
        if isinstance(kind, ir.ArraySchema):
            rest = field.name
        elif isinstance(kind, ir.BooleanSchema | ir.ObjectSchema | ir.UnionSchema | ir.MapSchema):
            message = "a boolean or an object cannot be positional"
            ctx.sink.add(span, "misplaced-key", message, "make it an option")
        if not field.required:
            optional = field.name
