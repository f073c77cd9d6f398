"""Rules across fields name fields for which presence means something."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.jsonschema_export import resolve
from codegen.wording import quote


def check(ctx: Context) -> None:
    for action in ctx.specs.actions:
        fields = {field.name: field for field in action.fields}
        for rule in action.rules:
            before = len(ctx.sink.items)
            _rule(ctx, rule, fields)
            if len(ctx.sink.items) > before:
                ctx.bad_rules.add(rule.span)


def _rule(ctx: Context, rule: ir.Rule, fields: dict[str, ir.Field]) -> None:
    for index, name in enumerate(rule.fields):
        if rule.kind != "requires":
            span = ctx.places.at(rule.span, rule.kind, index)
        elif index == 0:
            span = ctx.places.at(rule.span, "requires", "field")
        else:
            span = ctx.places.at(rule.span, "requires", "fields", index - 1)
        if not ctx.known(span, "unknown-field", "field", name, fields):
            continue
        field = fields[name]
        if name in rule.fields[:index]:
            ctx.sink.add(span, "bad-rule", f"the field {quote(name)} is named twice", "keep one")
        elif field.required:
            message = f"the field {quote(name)} is always there, so the rule says nothing about it"
            ctx.sink.add(span, "bad-rule", message, "write optional: true for the field")
        elif field.schema.default is not None:
            message = f"the field {quote(name)} has a default, so it cannot be told whether it was given"
            ctx.sink.add(span, "bad-rule", message, "write optional: true instead of the default")
        elif ctx.sound(field.schema) and resolve(field.schema, ctx.specs)[1]:
            message = f"the field {quote(name)} may be null, which some readers take for absent"
            ctx.sink.add(span, "bad-rule", message, "leave null out of its type")
