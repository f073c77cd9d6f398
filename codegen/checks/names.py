"""Names collide nowhere: fields, classes, modules, commands, tools.

A difference in case or punctuation is never enough: generated code, flags and case-insensitive disks each
drop some of it.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from codegen import ir, naming
from codegen.checks.context import Context, walk
from codegen.diagnostics import did_you_mean
from codegen.ir import Span
from codegen.wording import fold, quote

CLASS_NAMES = frozenset(
    {
        *("AdeError", "Annotated", "Any", "BaseModel", "Call", "ConfigDict", "Enum", "Field", "Generic"),
        *(
            "Literal",
            "Mapping",
            "Optional",
            "Protocol",
            "RootModel",
            "Sequence",
            "StrEnum",
            "Union",
            "WireModel",
        ),
    }
)
"""Capitalised names that generated modules import or define."""
MODULES = frozenset(["types"])
"""Modules beside those of the domains."""
_SPELT = re.compile("[A-Za-z0-9_.-]+")
"""Names of other characters have been reported already."""
ROOT_COMMANDS = frozenset([*(name for name in LOCAL_COMMANDS if " " not in name), "help", "version"])
"""Words after ``ade`` that are no group of actions."""


class Taken:
    """Names of one namespace; adding one that is too like another reports both."""

    def __init__(self, ctx: Context, what: str, help_text: str) -> None:
        self.ctx = ctx
        self.what = what
        self.help = help_text
        self._names: dict[str, tuple[str, str, Span]] = {}

    def add(self, key: str, name: str, owner: str, span: Span) -> bool:
        """Take ``key`` for ``name`` of ``owner``; false, with a diagnostic, where it is taken."""
        first = self._names.setdefault(key, (name, owner, span))
        if first[2] == span:
            return True
        where = f"{first[2].file}:{first[2].line}:{first[2].column}"
        both = f"{quote(name)} of {owner} and {quote(first[0])} of {first[1]}"
        message = f"{both} are the same {self.what}; the other is at {where}"
        self.ctx.sink.add(span, "name-collision", message, self.help)
        return False


def check(ctx: Context) -> None:
    _domains(ctx)
    _tools(ctx)
    _events(ctx)
    for action in ctx.to_prove:
        _fields(ctx, [(field.name, field.span) for field in action.fields], action.id)
        for schema in (*(field.schema for field in action.fields), action.output):
            _properties(ctx, schema, action.id)
    for name, entry in ctx.specs.types.items():
        _properties(ctx, entry.schema, name)
    _classes(ctx)
    _errors(ctx)


def _domains(ctx: Context) -> None:
    modules = Taken(ctx, "domain but for punctuation", "rename one domain")
    groups = Taken(ctx, "group of commands", "give one of them another cli: {group: …} or alias")
    for domain in ctx.specs.domains:
        span = ctx.places.at(domain.span, "domain")
        if domain.name in MODULES:
            message = f"the domain name {quote(domain.name)} is taken by a generated module"
            ctx.sink.add(span, "reserved-name", message, "choose another")
        modules.add(fold(domain.name), domain.name, f"domain {domain.name}", span)
        group_span = ctx.places.at(domain.span, "cli", "group")
        names = [(domain.group, group_span if group_span != domain.span else span)]
        names += [
            (alias, ctx.places.at(domain.span, "cli", "aliases", index))
            for index, alias in enumerate(domain.group_aliases)
        ]
        for name, at in names:
            if name in ROOT_COMMANDS:
                message = f"ade {name} is a command of the program itself"
                ctx.sink.add(at, "reserved-name", message, "choose another group or alias")
            groups.add(fold(name), name, f"domain {domain.name}", at)
        _commands(ctx, domain)
    for domain in ctx.specs.domains:
        _within(ctx, domain, groups)


def _within(ctx: Context, domain: ir.Domain, groups: Taken) -> None:
    """A group inside another: that one exists, and has no command of the name."""
    by_name = {other.group: other for other in ctx.specs.domains}
    for index, name in enumerate(domain.within):
        at = ctx.places.at(domain.span, "cli", "within", index)
        outer, _, word = name.partition(" ")
        parent = by_name.get(outer)
        if parent is None:
            if "domain" not in ctx.incomplete:
                help_text = did_you_mean(outer, sorted(by_name)) or "name a group"
                ctx.sink.add(at, "unknown-command", f"there is no group {quote(outer)}", help_text)
            continue
        taken = {spelling for action in parent.actions for spelling in (action.command, *action.aliases)}
        if word in taken or name in LOCAL_COMMANDS:
            ctx.sink.add(at, "name-collision", f"ade {name} is a command already", "choose another word")
        groups.add(name, name, f"domain {domain.name}", at)


def _commands(ctx: Context, domain: ir.Domain) -> None:
    taken = Taken(ctx, "command", "give one of them another cli: {name: …} or alias")
    for action in domain.actions:
        at = ctx.places.at(action.span, "cli", "name")
        explicit = ctx.places.node(action.span, "cli", "name") is not None
        names = [(action.command, at if explicit else action.span)]
        names += [
            (alias, ctx.places.at(action.span, "cli", "aliases", index))
            for index, alias in enumerate(action.aliases)
        ]
        for name, span in names:
            if f"{domain.group} {name}" in LOCAL_COMMANDS:
                message = f"ade {domain.group} {name} is a command of the program itself"
                ctx.sink.add(span, "reserved-name", message, "choose another cli: {name: …} or alias")
            taken.add(fold(name), name, action.id, span)


def _tools(ctx: Context) -> None:
    """Tools of one server differ in more than case and punctuation. Those of another, which clients show under another name,
    may be spelt differently: the tools of a run have long been ``spawnAgent`` beside ``spawn_agent``."""
    taken = Taken(ctx, "tool name", "give one of them another tool:")
    for action in ctx.specs.actions:
        explicit = ctx.places.node(action.span, "tool") is not None
        span = ctx.places.at(action.span, "tool") if explicit else action.span
        toolset = ctx.specs.toolsets.get(action.toolset)
        if taken.add(action.tool.lower(), action.tool, action.id, span) and toolset is not None:
            taken.add(f"{toolset.server} {fold(action.tool)}", action.tool, action.id, span)
        if len(action.tool) > 40 and not explicit:
            message = f"the tool name {quote(action.tool)} has {len(action.tool)} characters, more than 40"
            ctx.sink.add(span, "bad-name", message, "give the action a shorter tool:")


def _events(ctx: Context) -> None:
    """What changes something has the event of its action already; declaring it again would name two things alike."""
    for domain in ctx.specs.domains:
        taken = Taken(ctx, "event", "rename the event: an action that changes something has one by itself")
        for action in domain.actions:
            if action.effect != "read":
                taken.add(fold(action.name), action.name, action.id, action.span)
        for event in domain.events:
            taken.add(fold(event.name), event.name, f"domain {domain.name}", event.span)


def _fields(ctx: Context, names: list[tuple[str, Span]], owner: str) -> None:
    taken = Taken(ctx, "name in code and on the command line", "rename one of them")
    for name, span in names:
        if not _SPELT.fullmatch(name):
            continue
        if not fold(name):
            message = f"the name {quote(name)} has neither letter nor digit"
            ctx.sink.add(span, "bad-name", message, "use a word")
        elif taken.add(fold(name), name, owner, span):
            taken.add(fold(str(naming.py_name(name))), name, owner, span)


def _properties(ctx: Context, schema: ir.Schema, owner: str) -> None:
    for node in walk(schema):
        if isinstance(node, ir.ObjectSchema):
            names = [(name, ctx.places.key(node.span, "properties", name)) for name in node.properties]
            _fields(ctx, names, owner)


def _classes(ctx: Context) -> None:
    """Classes are named by the path of their owner, so two paths may spell one name."""
    shared = Taken(ctx, "class", "rename one of them")
    for name, entry in ctx.specs.types.items():
        if entry.is_class:
            span = entry.span
            if name in CLASS_NAMES or hasattr(builtins, name):
                message = f"the type name {quote(name)} is taken by Python or by generated code"
                ctx.sink.add(span, "reserved-name", message, "choose another")
            shared.add(fold(name), name, f"type {name}", span)
    for name, entry in ctx.specs.types.items():
        for path, span in _inner_classes(entry.schema, (name,)):
            shared.add(fold("".join(path)), ".".join(path), f"type {name}", span)
    for action in ctx.specs.actions:
        for side, span in (("input", action.span), ("output", ctx.places.at(action.span, "output"))):
            path = (action.domain, action.name, side)
            shared.add(fold("".join(path)), ".".join(path), action.id, span)
        for field in action.fields:
            path = (action.domain, action.name, "input", field.name)
            for inner, span in _inner_classes(field.schema, path, top=True):
                shared.add(fold("".join(inner)), ".".join(inner), action.id, span)
        for inner, span in _inner_classes(action.output, (action.domain, action.name, "output")):
            shared.add(fold("".join(inner)), ".".join(inner), action.id, span)


def _inner_classes(
    schema: ir.Schema, path: tuple[str, ...], top: bool = False
) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Objects written inside a schema, by their path; the schema itself only if ``top``."""
    match schema:
        case ir.ObjectSchema(properties=properties):
            if top:
                yield path, schema.span
            for name, value in properties.items():
                yield from _inner_classes(value, (*path, name), top=True)
        case ir.ArraySchema(items=items):
            yield from _inner_classes(items, path, top=True)
        case ir.MapSchema(values=ir.Schema() as values):
            yield from _inner_classes(values, path, top=True)


def _errors(ctx: Context) -> None:
    taken = Taken(ctx, "error class", "rename one of them")
    for error in ctx.specs.errors.values():
        name = str(naming.class_name(error.code))
        if name in CLASS_NAMES or hasattr(builtins, name):
            message = f"the error code {quote(error.code)} gives the class {name}, which is taken"
            ctx.sink.add(error.span, "reserved-name", message, "choose another code")
        taken.add(fold(error.code), error.code, "specs/errors.yaml", error.span)
        _fields(
            ctx, [(param, ctx.places.key(error.span, "params", param)) for param in error.params], error.code
        )
        for param in error.params:
            if param in ("details", "hint"):
                span = ctx.places.key(error.span, "params", param)
                message = f"the param {quote(param)} is one that every error takes"
                ctx.sink.add(span, "reserved-name", message, "choose another")
