"""JSON Schemas as models and validators get them.

Provider safe: an object at the root without combinators, references inlined, objects closed. Clients strip
keywords, so each constraint is also said in the description. Rules across fields are prose only;
``codegen.validate`` judges them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from codegen import ir
from codegen.deprecation import of_field
from codegen.limits import FINITE, INT64
from codegen.text import SpecText

JsonSchema = dict[str, Any]


def input_schema(action: ir.Action, specs: ir.Specs) -> JsonSchema:
    """The input of an action; rules across fields stand in the root's description."""
    out: JsonSchema = {"type": "object"}
    rules = " ".join(rule_sentence(rule) for rule in action.rules)
    if rules:
        out["description"] = rules
    out["properties"] = {field.name: _field(field, specs) for field in action.fields}
    out["required"] = [field.name for field in action.fields if field.required]
    out["additionalProperties"] = False
    return out


def _field(field: ir.Field, specs: ir.Specs) -> JsonSchema:
    """A field's schema; that it is deprecated stands in its description, too, since clients strip the keyword."""
    out = type_schema(field.schema, specs)
    notice = of_field(field)
    if notice is not None:
        out["description"] = f"{out.get('description', '')} {notice}".strip()
        out["deprecated"] = True
    return out


def output_schema(action: ir.Action, specs: ir.Specs) -> JsonSchema:
    """The output of an action."""
    return type_schema(action.output, specs)


def type_schema(schema: ir.Schema, specs: ir.Specs) -> JsonSchema:
    """Any value, with named types inlined.

    Where words are listed, null is a branch of its own: converters of providers give up on a null beside an enum.
    """
    target, nullable = resolve(schema, specs)
    default = target.default if schema.default is None else schema.default
    out: JsonSchema = {}
    if isinstance(target, ir.UnionSchema):
        branches = [type_schema(branch, specs) for branch in target.branches]
        out["anyOf"] = [*branches, {"type": "null"}] if nullable else branches
    elif nullable and isinstance(target, ir.StringSchema) and (target.enum or target.const is not None):
        out["anyOf"] = [{"type": "string", **_keywords(target, specs)}, {"type": "null"}]
    else:
        kind = json_kind(target)
        out["type"] = [kind, "null"] if nullable else kind
    title = schema.title or target.title
    if title is not None:
        out["title"] = title.raw
    description = _description(schema.description or target.description, constraints(target), default)
    if description:
        out["description"] = description
    if "anyOf" not in out:
        out |= _keywords(target, specs)
    if default is not None:
        out["default"] = default
    return out


def resolve(schema: ir.Schema, specs: ir.Specs) -> tuple[ir.Schema, bool]:
    """What a chain of references ends at, and whether null is allowed anywhere on the way."""
    nullable = schema.nullable
    while isinstance(schema, ir.RefSchema):
        schema = specs.types[schema.target].schema
        nullable = nullable or schema.nullable
    return schema, nullable


def json_kind(schema: ir.Schema) -> str:
    """JSON Schema's name of what a value of the schema is; no reference."""
    match schema:
        case ir.StringSchema():
            return "string"
        case ir.NumberSchema(kind=kind):
            return kind
        case ir.BooleanSchema():
            return "boolean"
        case ir.ArraySchema():
            return "array"
        case _:
            return "object"


def _keywords(schema: ir.Schema, specs: ir.Specs) -> JsonSchema:
    pairs: JsonSchema
    match schema:
        case ir.StringSchema():
            return _string(schema)
        case ir.NumberSchema():
            pairs = {
                "minimum": schema.minimum,
                "maximum": schema.maximum,
                "exclusiveMinimum": schema.exclusive_minimum,
                "exclusiveMaximum": schema.exclusive_maximum,
            }
        case ir.ArraySchema():
            pairs = {
                "items": type_schema(schema.items, specs),
                "minItems": schema.min_items,
                "maxItems": schema.max_items,
                "uniqueItems": schema.unique or None,
            }
        case ir.ObjectSchema():
            pairs = {
                "properties": {name: type_schema(value, specs) for name, value in schema.properties.items()},
                "required": list(schema.required),
                "additionalProperties": False,
            }
        case ir.MapSchema(values=values):
            return {"additionalProperties": True if values is None else type_schema(values, specs)}
        case _:
            return {}
    return {key: value for key, value in pairs.items() if value is not None}


def _string(schema: ir.StringSchema) -> JsonSchema:
    pairs: JsonSchema = {
        "enum": [*schema.enum] if schema.enum else None,
        "const": schema.const,
        "minLength": schema.min_length,
        "maxLength": schema.max_length,
        "pattern": schema.pattern,
        "format": schema.format,
    }
    return {key: value for key, value in pairs.items() if value is not None}


def _description(text: SpecText | None, limits: str, default: Any) -> str:
    """The author's words, then the constraints in a few of our own."""
    said = "" if text is None else text.raw.strip()
    notes = [limits] if limits else []
    if default is not None:
        notes.append(f"default {_word(default)}")
    if not notes:
        return said
    note = "; ".join(notes)
    if not said:
        return note[0].upper() + note[1:] + "."
    return f"{said} ({note})" if said[-1] not in ".!?" else f"{said[:-1]} ({note}){said[-1]}"


def constraints(schema: ir.Schema) -> str:
    """What a value must be besides its type, in at most a dozen words; empty where there is nothing to say."""
    match schema:
        case ir.StringSchema(format="date"):
            return "a date like 2026-01-31"
        case ir.StringSchema(format="date-time"):
            return "RFC 3339 with zone, like 2026-01-31T09:30:00Z"
        case ir.StringSchema():
            length = _range(schema.min_length or None, schema.max_length, "character")
            short = schema.pattern is not None and len(schema.pattern) <= 60
            pattern = f"matches {schema.pattern}" if short else ""
            return ", ".join(part for part in (length, pattern) if part)
        case ir.NumberSchema():
            return _number(schema)
        case ir.ArraySchema():
            count = _range(schema.min_items or None, schema.max_items, "item")
            return ", ".join(part for part in (count, "no two alike" if schema.unique else "") if part)
        case _:
            return ""


def _number(schema: ir.NumberSchema) -> str:
    limits = (*INT64, *FINITE)
    low = None if schema.minimum in limits else schema.minimum
    high = None if schema.maximum in limits else schema.maximum
    parts = [_range(low, high, "")]
    if schema.exclusive_minimum is not None:
        parts.append(f"more than {schema.exclusive_minimum}")
    if schema.exclusive_maximum is not None:
        parts.append(f"less than {schema.exclusive_maximum}")
    return ", ".join(part for part in parts if part)


def _range(low: float | None, high: float | None, unit: str) -> str:
    def count(number: float) -> str:
        return f"{number} {unit}{'' if number == 1 else 's'}" if unit else str(number)

    if low is not None and high is not None:
        return f"exactly {count(low)}" if low == high else f"{low} to {count(high)}"
    if low is not None:
        return f"at least {count(low)}"
    return "" if high is None else f"at most {count(high)}"


def _word(value: Any) -> str:
    if isinstance(value, str) and value and value.isprintable() and value == value.strip():
        return value
    return json.dumps(value, ensure_ascii=True, sort_keys=True)


def rule_sentence(rule: ir.Rule) -> str:
    """A rule across fields as a sentence; field names as they are on the wire."""
    names = _listed(rule.fields)
    match rule.kind:
        case "exactly_one_of":
            return f"Give exactly one of {names}."
        case "at_most_one_of":
            return f"Give at most one of {names}."
        case "at_least_one_of":
            return f"Give at least one of {names}."
        case _:
            return f"{rule.fields[0]} needs {_listed(rule.fields[1:])} too."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
