"""Text layouts and completers name parts of outputs that exist."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.checks.documents import said
from codegen.checks.messages import slots, stray_brace
from codegen.checks.paths import follow
from codegen.jsonschema_export import input_schema, resolve
from codegen.validate import problems, validator
from codegen.wording import quote


def check(ctx: Context) -> None:
    for action in ctx.to_prove:
        layout = ctx.specs.layouts.get(action.text or "")
        if layout is not None and ctx.sound(action.output):
            parts = (ctx.specs.layouts[name] for name in layout.parts if name in ctx.specs.layouts)
            for one in (layout, *parts):
                _layout(ctx, one, action)
    for completer in ctx.specs.completers.values():
        _completer(ctx, completer)


def _layout(ctx: Context, layout: ir.TextLayout, action: ir.Action) -> None:
    row: ir.Schema | None = action.output
    if layout.rows is not None:
        row = _list(ctx, layout.span, ("rows",), action, layout.rows)
    if layout.body is not None:
        _path(ctx, layout.span, ("body",), action, action.output, layout.body)
    for index, column in enumerate(layout.columns):
        if row is not None:
            _path(ctx, layout.span, ("columns", index, "field"), action, row, column.field)
    if layout.headline is not None:
        if stray_brace(layout.headline.raw):
            span = ctx.places.at(layout.span, "headline")
            help_text = "write {field} for a slot, and no other braces"
            ctx.sink.add(span, "bad-slot", "the headline has a brace that is no slot", help_text)
        for name in slots(layout.headline.raw):
            _path(ctx, layout.span, ("headline",), action, action.output, name)


def _path(
    ctx: Context, owner: ir.Span, at: tuple[str | int, ...], action: ir.Action, schema: ir.Schema, path: str
) -> ir.Schema | None:
    found = follow(schema, path, ctx.specs, through_lists="columns" in at) if path else None
    if not isinstance(found, str):
        return found
    message = f"{quote(path)} is not in the output of {action.id}: {found}"
    ctx.sink.add(ctx.places.at(owner, *at), "unknown-field", message)
    return None


def _list(
    ctx: Context, owner: ir.Span, at: tuple[str | int, ...], action: ir.Action, path: str
) -> ir.Schema | None:
    """The schema of the elements of the list at a path."""
    found = _path(ctx, owner, at, action, action.output, path)
    if found is None:
        return None
    target, _ = resolve(found, ctx.specs)
    if isinstance(target, ir.ArraySchema):
        return target.items
    if not (isinstance(target, ir.MapSchema) and target.values is None):
        message = f"{quote(path)} in the output of {action.id} is no list"
        ctx.sink.add(ctx.places.at(owner, *at), "unknown-field", message)
    return None


def _completer(ctx: Context, completer: ir.Completer) -> None:
    actions = {action.id: action for action in ctx.specs.actions}
    span = ctx.places.at(completer.span, "action")
    if not completer.action or not ctx.known(span, "unknown-action", "action", completer.action, actions):
        return
    action = actions[completer.action]
    if action.effect != "read":
        message = f"{action.id} is no read action, and completing must not change anything"
        ctx.sink.add(span, "wrong-value", message, "complete from a list action")
        return
    if not ctx.sound(action.output) or not all(ctx.sound(field.schema) for field in action.fields):
        return
    wrong = problems(validator(input_schema(action, ctx.specs)), completer.input)
    if wrong:
        message = f"the input does not fit {action.id}: {said(wrong[0])}"
        ctx.sink.add(ctx.places.at(completer.span, "input"), "wrong-value", message)
    row = _list(ctx, completer.span, ("items",), action, completer.items)
    if row is not None:
        _path(ctx, completer.span, ("value",), action, row, completer.value)
        if completer.help is not None:
            _path(ctx, completer.span, ("help",), action, row, completer.help)
