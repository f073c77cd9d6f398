"""Rules about actions, their fields and their examples, and about what nothing uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from codegen import ir
from codegen.checks.context import Context, refs, roots
from codegen.checks.tables import PIPELINE_ERRORS
from codegen.emitters.tools import definition
from codegen.jsonschema_export import resolve
from codegen.lint.findings import Report
from codegen.wording import fold, quote

WRITES = frozenset(
    {
        *("add", "approve", "cancel", "clear", "commit", "create", "delete", "deny", "edit", "end", "import", "kill", "merge"),
        *("move", "pause", "purge", "push", "remove", "rename", "reset", "restart", "restore", "resume", "revoke", "save"),
        *("send", "set", "start", "stop", "store", "switch", "update", "write"),
    }
)  # fmt: skip
"""First words of names of actions that change something."""
GUARDS = ("confirm", "dry_run", "preview", "force", "forget", "expected", "approve")
"""Parts of names of fields that are given by whoever means it."""
TOKENS = 1500
"""The most a tool's definition may cost a model, at about four characters a token."""
_BOUNDED = re.compile(r"\^(?:[^*+{]|\{[0-9]+(?:,[0-9]+)?\})*\$")
"""An anchored pattern without a repetition that never ends."""
_VAGUE = re.compile(r"(?:the|a|an|its|some)?\s*([\w -]+?)\.?", re.IGNORECASE)


def check(ctx: Context, report: Report) -> None:
    for action in ctx.specs.actions:
        _effect(ctx, report, action)
        _budget(ctx, report, action)
        _examples(ctx, report, action)
        for field in action.fields:
            _field(ctx, report, field)
    _unused(ctx, report)


def _effect(ctx: Context, report: Report, action: ir.Action) -> None:
    first = action.name.partition("_")[0]
    if action.effect == "read" and (first in WRITES or action.idempotency == "request_id"):
        why = f"its name begins with {first}" if first in WRITES else "a receipt is kept for it"
        message = f"{action.id} has the effect read, but {why}"
        report.add("read-that-writes", ctx.places.key(action.span, "effect"), message)
    if action.effect == "destructive" and not _guarded(action):
        message = f"{action.id} destroys without asking for a second word"
        report.add("unguarded-destructive", action.span, message)


def _guarded(action: ir.Action) -> bool:
    named = any(guard in field.name for field in action.fields for guard in GUARDS)
    target = action.target
    return bool(
        named or action.min_role or action.rate_limit or target.lane or target.session or target.request
    )


def _budget(ctx: Context, report: Report, action: ir.Action) -> None:
    tool = definition(action, ctx.specs)
    cost = len(json.dumps({key: tool[key] for key in ("name", "description", "inputSchema")})) // 4
    if cost > TOKENS:
        message = f"the tool {action.tool} costs about {cost} tokens, more than {TOKENS}"
        report.add("over-budget", action.span, message)


def _examples(ctx: Context, report: Report, action: ir.Action) -> None:
    seen: dict[str, str] = {}
    for example in action.examples:
        key = json.dumps(
            [example.input, example.given, example.role, getattr(example, "token", None)], sort_keys=True
        )
        first = seen.setdefault(key, example.title.raw)
        if first != example.title.raw:
            message = f"{quote(example.title.raw)} is the same call as {quote(first)}"
            report.add("repeated-example", ctx.places.at(example.span, "title"), message)
    tried = {example.error.code for example in action.examples if example.error is not None}
    for index, code in enumerate(action.errors):
        if code not in tried and code not in PIPELINE_ERRORS:
            message = f"no example of {action.id} ends with {code}"
            report.add("untried-error", ctx.places.at(action.span, "errors", index), message)


def _field(ctx: Context, report: Report, field: ir.Field) -> None:
    target, _ = resolve(field.schema, ctx.specs)
    said = field.schema.description or target.description
    if said is None and not (isinstance(target, ir.StringSchema) and target.const is not None):
        report.add("missing-description", field.span, f"the field {quote(field.name)} has no description")
    elif said is not None and _vague(said.raw, field.name):
        span = ctx.places.at(field.span, "description")
        report.add("vague-description", span, f"{quote(said.raw)} only repeats the name {quote(field.name)}")
    if isinstance(target, ir.BooleanSchema) and field.name.startswith(
        ("no_", "not_", "disable_", "without_")
    ):
        report.add(
            "negative-name", field.span, f"the switch {quote(field.name)} is named after what it is not"
        )
    _bounds(ctx, report, field.schema, field)


def _vague(text: str, name: str) -> bool:
    found = _VAGUE.fullmatch(text.strip())
    return found is not None and fold(found[1]) == fold(name)


def _bounds(ctx: Context, report: Report, schema: ir.Schema, field: ir.Field) -> None:
    """Texts and lists of an input that can be of any length, however deep."""
    target, _ = resolve(schema, ctx.specs)
    span = schema.span if schema is not field.schema else field.span
    match target:
        case ir.StringSchema(enum=(), const=None, format=None, max_length=None, pattern=pattern):
            if pattern is not None and _BOUNDED.fullmatch(pattern):
                return
            report.add("unbounded-string", span, f"a text of {quote(field.name)} can be of any length")
        case ir.ArraySchema():
            if target.max_items is None:
                report.add("unbounded-array", span, f"a list of {quote(field.name)} can be of any length")
            _bounds(ctx, report, target.items, field)
        case ir.ObjectSchema(properties=properties):
            for inner in properties.values():
                _bounds(ctx, report, inner, field)
        case ir.MapSchema(values=ir.Schema() as values):
            _bounds(ctx, report, values, field)
        case ir.UnionSchema(branches=branches):
            for branch in branches:
                _bounds(ctx, report, branch, field)
        case _:
            pass


def _unused(ctx: Context, report: Report) -> None:
    specs = ctx.specs
    used = {ref.target for root in roots(specs) for ref in refs(root)}
    for name, named in specs.types.items():
        if name not in used and not _of_a_file(name):
            report.add("unused-type", named.span, f"nothing refers to the type {quote(name)}")
    layouts = {action.text for action in specs.actions}
    layouts |= {part for layout in specs.layouts.values() for part in layout.parts}
    fixtures = set(_started_from(specs))
    completers = {field.cli.complete for action in specs.actions for field in action.fields}
    for rule, word, known, needed in (
        ("unused-layout", "layout", specs.layouts, layouts),
        ("unused-fixture", "fixture", specs.fixtures, fixtures),
        ("unused-completer", "completer", specs.completers, completers),
    ):
        entries: Any = known
        for name, entry in entries.items():
            if name not in needed:
                report.add(rule, entry.span, f"nothing uses the {word} {quote(name)}")


def _of_a_file(name: str) -> bool:
    """Whether a type describes a file that users write, which no action need mention."""
    from codegen.emitters.schemas import DOCUMENTS

    return name in DOCUMENTS.values()


def _started_from(specs: ir.Specs) -> Iterator[str]:
    for action in specs.actions:
        for example in action.examples:
            yield from example.given
    for fixture in specs.fixtures.values():
        yield from (str(step["use"]) for step in fixture.steps if "use" in step)
