"""Schemas that no value fits, defaults that do not fit, patterns, enums, unions and objects without shape."""

from __future__ import annotations

from typing import Any

from ade_runtime.strict_yaml.reader import Scalar, Sequence, plain
from codegen import ir
from codegen.checks import patterns
from codegen.checks.context import Context, walk
from codegen.ir import Span
from codegen.jsonschema_export import resolve, type_schema
from codegen.validate import PatternError, problems, validator
from codegen.wording import did_you_mean, quote


def check(ctx: Context) -> None:
    for root in ctx.roots_to_prove:
        for schema in walk(root):
            _check(ctx, schema)
            _default(ctx, schema)


def _check(ctx: Context, schema: ir.Schema) -> None:
    match schema:
        case ir.StringSchema():
            _string(ctx, schema)
        case ir.NumberSchema():
            _number(ctx, schema)
        case ir.ArraySchema():
            _order(ctx, schema.span, "minItems", schema.min_items, "maxItems", schema.max_items)
            _unique(ctx, schema)
        case ir.ObjectSchema():
            _object(ctx, schema)
        case ir.MapSchema():
            if ctx.places.node(schema.span, "required") is not None:
                message = 'the key "required" does not go with free names'
                ctx.sink.add(
                    ctx.places.key(schema.span, "required"), "misplaced-key", message, "leave it out"
                )
        case ir.UnionSchema():
            _union(ctx, schema)


def _string(ctx: Context, schema: ir.StringSchema) -> None:
    span = schema.span
    owner = (
        "enum" if schema.enum else "const" if schema.const is not None else "format" if schema.format else ""
    )
    for key in ("const", "format", "pattern", "minLength", "maxLength"):
        if owner and key != owner and ctx.places.node(span, key) is not None:
            message = f"the keys {quote(owner)} and {quote(key)} exclude each other"
            ctx.sink.add(ctx.places.key(span, key), "misplaced-key", message, f"keep {owner} alone")
    for index, value in enumerate(schema.enum):
        if value in schema.enum[:index]:
            at = ctx.places.at(span, "enum", index)
            ctx.sink.add(at, "schema-enum", f"the value {quote(value)} is listed twice", "keep one")
    _order(ctx, span, "minLength", schema.min_length, "maxLength", schema.max_length)
    if schema.pattern is not None:
        found = patterns.problem(schema.pattern)
        if found is not None:
            ctx.sink.add(ctx.places.at(span, "pattern"), "schema-pattern", *found)


def _order(ctx: Context, span: Span, low_key: str, low: Any, high_key: str, high: Any) -> None:
    if low is not None and high is not None and low > high:
        message = f"{low_key} {low} is above {high_key} {high}: no value fits"
        ctx.sink.add(ctx.places.at(span, low_key), "schema-bounds", message, "swap or mend the two")


def _number(ctx: Context, schema: ir.NumberSchema) -> None:
    span = schema.span
    for side in ("minimum", "maximum"):
        exclusive = "exclusive" + side.capitalize()
        if ctx.places.node(span, side) is not None and ctx.places.node(span, exclusive) is not None:
            message = f"the keys {quote(side)} and {quote(exclusive)} exclude each other"
            ctx.sink.add(ctx.places.key(span, exclusive), "misplaced-key", message, "keep the tighter one")
    lows = [("minimum", schema.minimum), ("exclusiveMinimum", schema.exclusive_minimum)]
    highs = [("maximum", schema.maximum), ("exclusiveMaximum", schema.exclusive_maximum)]
    (low_key, low), (high_key, high) = (
        next((pair for pair in pairs if pair[1] is not None), pairs[0]) for pairs in (lows, highs)
    )
    if low is None or high is None:
        return
    _order(ctx, span, low_key, low, high_key, high)
    open_ends = [key for key in (low_key, high_key) if key.startswith("exclusive")]
    steps = len(open_ends) if schema.kind == "integer" else 0
    if low <= high and open_ends and (low == high or low + steps > high):
        message = f"no value lies between {low_key} {low} and {high_key} {high}"
        ctx.sink.add(ctx.places.at(span, open_ends[0]), "schema-bounds", message, "widen the range")


def _unique(ctx: Context, schema: ir.ArraySchema) -> None:
    if not schema.unique or not ctx.sound(schema.items):
        return
    target, _ = resolve(schema.items, ctx.specs)
    if not isinstance(target, ir.StringSchema | ir.NumberSchema | ir.BooleanSchema):
        span = ctx.places.key(schema.span, "uniqueItems")
        message = "uniqueItems is for lists of texts, numbers or booleans"
        ctx.sink.add(span, "misplaced-key", message, "leave it out and check it in the handler")


def _object(ctx: Context, schema: ir.ObjectSchema) -> None:
    span = schema.span
    extra = ctx.places.node(span, "additionalProperties")
    if ctx.places.node(span, "properties") is None:
        help_text = "list them, or write additionalProperties: true for a free JSON object"
        ctx.sink.add(span, "missing-key", 'an object needs the key "properties"', help_text)
    elif extra is not None and plain(extra) is not False:
        message = "named properties and free names exclude each other"
        help_text = "put the free ones into a property of their own"
        ctx.sink.add(ctx.places.key(span, "additionalProperties"), "misplaced-key", message, help_text)
    listed = ctx.places.node(span, "required")
    if not isinstance(listed, Sequence):
        return
    seen: set[str] = set()
    for item in listed.items:
        if not isinstance(item, Scalar) or not isinstance(item.value, str):
            continue
        if item.value not in schema.properties:
            message = f"there is no property {quote(item.value)}{did_you_mean(item.value, schema.properties)}"
            ctx.sink.add(item.span, "unknown-field", message)
        elif item.value in seen:
            ctx.sink.add(item.span, "duplicate-value", f"{quote(item.value)} is listed twice", "keep one")
        seen.add(item.value)


def _union(ctx: Context, schema: ir.UnionSchema) -> None:
    tags: dict[str, str] = {}
    for index, branch in enumerate(schema.branches):
        span = ctx.places.at(schema.span, "oneOf", index)
        if not ctx.sound(branch):
            continue
        target, _ = resolve(branch, ctx.specs)
        tag = target.properties.get(schema.discriminator) if isinstance(target, ir.ObjectSchema) else None
        if (
            not isinstance(target, ir.ObjectSchema)
            or not isinstance(tag, ir.StringSchema)
            or tag.const is None
            or tag.nullable
            or schema.discriminator not in target.required
        ):
            help_text = (
                f"give it {schema.discriminator}: {{type: string, const: …}}, and list that as required"
            )
            message = f"the branch {quote(branch.target)} has no required const {quote(schema.discriminator)}"
            ctx.sink.add(span, "schema-union", message, help_text)
        elif tag.const in tags:
            message = (
                f"the branches {tags[tag.const]} and {branch.target} have the same tag {quote(tag.const)}"
            )
            ctx.sink.add(span, "schema-union", message, "give each its own")
        else:
            tags[tag.const] = branch.target


def _default(ctx: Context, schema: ir.Schema) -> None:
    node = ctx.places.node(schema.span, "default")
    if node is None:
        return
    if schema.default is None:
        help_text = "write optional: true, or quote a text"
        ctx.sink.add(
            node.span, "schema-default", "a default of null cannot be told from no default", help_text
        )
        return
    if isinstance(schema.default, list | dict) and schema.default:
        message = "the default of a list or object must be empty"
        ctx.sink.add(node.span, "schema-default", message, "write optional: true and fill it in the handler")
        return
    if not ctx.sound(schema):
        return
    try:
        found = problems(validator(type_schema(schema, ctx.specs)), schema.default)
    except PatternError:
        return
    target, _ = resolve(schema, ctx.specs)
    shown = quote(node.written) if isinstance(node, Scalar) else "given"
    if found and isinstance(target, ir.StringSchema) and target.enum and isinstance(schema.default, str):
        message = f"the default {shown} is not in its enum ({', '.join(target.enum)})"
        help_text = did_you_mean(schema.default, target.enum).removeprefix("; ")
        ctx.sink.add(node.span, "schema-default", message, help_text)
    elif found:
        unquoted = isinstance(node, Scalar) and not node.quoted and not isinstance(node.value, str)
        is_text = isinstance(target, ir.StringSchema)
        help_text = f"quote it: {shown}" if is_text and unquoted else "mend the one or the other"
        ctx.sink.add(node.span, "schema-default", f"the default {shown} {found[0].message}", help_text)


def named(ctx: Context) -> None:
    """Objects and unions have class names, everything else has not; classes are never nullable themselves."""
    for name, entry in ctx.specs.types.items():
        is_object = isinstance(entry.schema, ir.ObjectSchema | ir.UnionSchema)
        span = entry.span
        if ctx.faulty(entry.schema):
            continue
        if isinstance(entry.schema, ir.RefSchema):
            ctx.sink.add(
                span, "bad-name", f"the type {quote(name)} only renames another", "refer to that one"
            )
        elif is_object and not entry.is_class:
            ctx.sink.add(
                span, "bad-name", f"the object type {quote(name)} needs a PascalCase name", "rename it"
            )
        elif not is_object and entry.is_class:
            message = f"the type {quote(name)} is no object, so its name is in snake_case"
            ctx.sink.add(span, "bad-name", message, "rename it")
        elif is_object and entry.schema.nullable:
            message = f"the type {quote(name)} cannot be null itself"
            ctx.sink.add(span, "misplaced-key", message, "write nullable: true beside the $ref")
