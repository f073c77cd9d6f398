"""Every name that refers to something must be declared."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context, refs
from codegen.wording import quote

TARGETS = ("lane", "session", "project", "request")


def check(ctx: Context) -> None:
    for schema in ctx.roots_to_prove:
        for ref in refs(schema):
            span = ctx.places.at(ref.span, "$ref")
            ctx.known(span, "unknown-ref", "type", ref.target, ctx.specs.types)
    _recursion(ctx)
    for action in ctx.to_prove:
        _action(ctx, action)
    for domain in ctx.specs.domains:
        for event in domain.events:
            span = ctx.places.at(event.span, "toolset")
            ctx.known(span, "unknown-toolset", "toolset", event.toolset, ctx.specs.toolsets)
    for toolset in ctx.specs.toolsets.values():
        for index, role in enumerate(toolset.roles):
            span = ctx.places.at(toolset.span, "roles", index)
            ctx.known(span, "unknown-role", "role", role, ctx.specs.roles)
        own = [action.id for action in ctx.specs.actions if action.toolset == toolset.name]
        for index, shown in enumerate(toolset.always):
            span = ctx.places.at(toolset.span, "always", index)
            ctx.known(span, "unknown-action", f"action of {toolset.name}", shown, own)
    whole = [name for name, layout in ctx.specs.layouts.items() if layout.kind != "page"]
    for layout in ctx.specs.layouts.values():
        for index, part in enumerate(layout.parts):
            span = ctx.places.at(layout.span, "parts", index)
            ctx.known(span, "unknown-layout", "text layout that is no page", part, whole)
    for limit in ctx.specs.rate_limits.values():
        if limit.also is not None:
            others = [name for name, other in ctx.specs.rate_limits.items() if other.also is None]
            span = ctx.places.at(limit.span, "also")
            ctx.known(span, "unknown-rate-limit", "limit that stands alone", limit.also, others)


def _action(ctx: Context, action: ir.Action) -> None:
    specs, at = ctx.specs, ctx.places.at
    if action.toolset:
        ctx.known(at(action.span, "toolset"), "unknown-toolset", "toolset", action.toolset, specs.toolsets)
    if action.min_role is not None:
        ctx.known(at(action.span, "min_role"), "unknown-role", "role", action.min_role, specs.roles)
    if action.rate_limit is not None:
        span = at(action.span, "rate_limit")
        ctx.known(span, "unknown-rate-limit", "rate limit", action.rate_limit, specs.rate_limits)
    if action.text is not None:
        ctx.known(at(action.span, "text"), "unknown-layout", "text layout", action.text, specs.layouts)
    fields = [one.name for one in action.fields]
    for what in TARGETS:
        named = getattr(action.target, what)
        if named is not None:
            ctx.known(at(action.span, "target", what), "unknown-field", "field", named, fields)
    if action.moves_refs and action.effect == "read":
        message = f"{action.id} moves refs, but its effect is read"
        ctx.sink.add(at(action.span, "moves_refs"), "misplaced-key", message, "give it effect: write")
    for index, code in enumerate(action.errors):
        span = at(action.span, "errors", index)
        ctx.known(span, "unknown-error", "error", code, specs.errors)
        if code in action.errors[:index]:
            ctx.sink.add(span, "duplicate-value", f"the error {quote(code)} is listed twice", "keep one")
    for one in action.fields:
        if one.cli.complete is not None:
            span = at(one.span, "cli", "complete")
            ctx.known(span, "unknown-completer", "completer", one.cli.complete, specs.completers)
    for example in action.examples:
        for index, name in enumerate(example.given):
            span = at(example.span, "given", index)
            ctx.known(span, "unknown-fixture", "fixture", name, specs.fixtures)
        if example.error is not None:
            span = at(example.span, "error", "code")
            ctx.known(span, "unknown-error", "error", example.error.code, specs.errors)


def _recursion(ctx: Context) -> None:
    """Report each cycle of types once, at the reference that closes it."""
    done: set[str] = set()
    for name in ctx.specs.types:
        _visit(ctx, name, [], done)


def _visit(ctx: Context, name: str, trail: list[str], done: set[str]) -> None:
    if name in done or name not in ctx.specs.types:
        return
    trail.append(name)
    for ref in refs(ctx.specs.types[name].schema):
        if ref.target in trail:
            cycle = " → ".join([*trail[trail.index(ref.target) :], ref.target])
            message = f"the type {quote(ref.target)} contains itself: {cycle}"
            help_text = "refer to the inner thing by its id, or list the parts flat"
            ctx.sink.add(ctx.places.at(ref.span, "$ref"), "recursive-ref", message, help_text)
        else:
            _visit(ctx, ref.target, trail, done)
    trail.pop()
    done.add(name)
