"""``typescript/ade.ts``: types of every action, and a thin client of the machine socket."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath

from ade_runtime.machine.facts import PROTOCOL
from codegen import ir
from codegen.deprecation import of_action, of_field
from codegen.narrow import per_domain
from codegen.plan import PlannedFile
from codegen.templating import render
from codegen.text import SpecText

PATH = PurePosixPath("ade_generated/typescript/ade.ts")
STEP = "  "


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """One module without dependencies."""
    types = [_named(named, specs) for named in specs.types.values() if named.is_class]
    content = render(
        "typescript/client.ts.jinja",
        protocol=PROTOCOL,
        types=types,
        actions=[text for domain in specs.domains for text in _actions(domain, specs)],
        codes=_union(sorted(specs.errors)),
    )
    types_files = sorted({named.file for named in specs.types.values()})
    sources = ("specs/errors.yaml", *types_files, *(domain.file for domain in specs.domains))
    yield PlannedFile(PATH, content, sources)


def _named(named: ir.NamedType, specs: ir.Specs) -> str:
    note = _comment(named.schema.description, "")
    if isinstance(named.schema, ir.ObjectSchema):
        return f"{note}export interface {named.name} {type_of(named.schema, specs, '')}"
    return f"{note}export type {named.name} = {type_of(named.schema, specs, '')};"


@per_domain
def _actions(domain: ir.Domain, specs: ir.Specs) -> list[str]:
    return [_action(action, specs) for action in domain.actions]


def _action(action: ir.Action, specs: ir.Specs) -> str:
    inner = STEP * 2
    fields = "".join(
        f"{_comment(field.schema.description, inner + STEP, of_field(field))}"
        f"{inner}{STEP}{_key(field.name)}{'' if field.required else '?'}: {type_of(field.schema, specs, inner + STEP)};\n"
        for field in action.fields
    )
    given = f"{{\n{fields}{inner}}}" if fields else "Record<string, never>"
    return (
        f"{_comment(action.summary, STEP, of_action(action, specs, by='id'))}{STEP}{_key(action.id)}: {{\n"
        f"{inner}input: {given};\n"
        f"{inner}output: {type_of(action.output, specs, inner)};\n"
        f"{inner}errors: {_union(action.errors)};\n"
        f"{STEP}}};"
    )


def type_of(schema: ir.Schema, specs: ir.Specs, indent: str) -> str:
    """The type of a value, over several lines where it is an object. ``indent`` is that of its first line."""
    made = _bare(schema, specs, indent)
    return f"{made} | null" if schema.nullable and not made.endswith("| null") else made


def _bare(schema: ir.Schema, specs: ir.Specs, indent: str) -> str:
    match schema:
        case ir.RefSchema(target=target):
            named = specs.types[target]
            return named.name if named.is_class else type_of(named.schema, specs, indent)
        case ir.StringSchema(const=const, enum=enum):
            return _union([const] if const is not None else list(enum or ())) if const or enum else "string"
        case ir.NumberSchema():
            return "number"
        case ir.BooleanSchema():
            return "boolean"
        case ir.ArraySchema(items=items):
            return f"Array<{type_of(items, specs, indent)}>"
        case ir.ObjectSchema():
            return _object(schema, specs, indent)
        case ir.MapSchema(values=values):
            return f"Record<string, {'unknown' if values is None else type_of(values, specs, indent)}>"
        case ir.UnionSchema(branches=branches):
            return " | ".join(type_of(branch, specs, indent) for branch in branches)
    raise TypeError(type(schema))


def _object(schema: ir.ObjectSchema, specs: ir.Specs, indent: str) -> str:
    inner = indent + STEP
    lines = [
        f"{_comment(part.description, inner)}"
        f"{inner}{_key(name)}{'' if name in schema.required else '?'}: {type_of(part, specs, inner)};\n"
        for name, part in schema.properties.items()
    ]
    return f"{{\n{''.join(lines)}{indent}}}" if lines else "Record<string, never>"


def _union(words: Iterable[str]) -> str:
    return " | ".join(json.dumps(word) for word in words) or "never"


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else json.dumps(name)


def _comment(text: SpecText | None, indent: str, deprecated: str | None = None) -> str:
    """A comment that nothing in the text can end; editors strike through what is ``deprecated``."""
    if text is None and deprecated is None:
        return ""
    words = [text.raw if text else "", f"@deprecated {deprecated}" if deprecated else ""]
    said = " ".join(" ".join(words).split()).replace("*/", "* /")
    return f"{indent}/** {said} */\n"
