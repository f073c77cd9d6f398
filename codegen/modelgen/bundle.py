"""The JSON Schema handed to datamodel-code-generator: normalised so that it cannot misread it.

- Every inline object is a definition of its own, named by its owner's path; nothing carries a title.
- Author's text never reaches it: descriptions, patterns, enum values and defaults are stand-in words that
  :mod:`codegen.modelgen.rewrite` replaces by literals. So its output is the module's skeleton.
- What it would misread (see :func:`codegen.modelgen.annotations.is_opaque`), and classes of another module,
  are opaque types, replaced the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from codegen import ir
from codegen.modelgen.annotations import Types, annotation, base_type, constrained, constraints, is_opaque
from codegen.modelgen.classes import ModelClass, Node, resolve
from codegen.text import SpecText, docstring, python_literal, python_value

OPAQUE_MODULE = "ade_opaque"


@dataclass(slots=True)
class StandIns:
    """Words in the generated source and the Python each stands for, by the context it is found in.

    ``docstrings`` are in the order of the source: a class's, then its fields'.
    """

    expressions: dict[str, str] = field(default_factory=dict)
    docstrings: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def expression(self, source: str) -> str:
        return _add(self.expressions, "AdeValue", source)

    def docstring(self, text: SpecText) -> str:
        return _add(self.docstrings, "AdeDoc", docstring(text.raw))

    def type(self, source: str) -> dict[str, Any]:
        return {"customTypePath": f"{OPAQUE_MODULE}.{_add(self.types, 'AdeType', source)}"}


def _add(words: dict[str, str], prefix: str, source: str) -> str:
    word = f"{prefix}{len(words):06d}X"
    words[word] = source
    return word


@dataclass(slots=True)
class Bundle:
    """``document`` is the JSON Schema with one definition a class."""

    document: dict[str, Any]
    stand_ins: StandIns


def bundle(classes: Iterable[ModelClass], types: Types) -> Bundle:
    made = StandIns()
    definitions = {model.name: _object(model, types, made) for model in classes}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    return Bundle(schema, made)


def _object(model: ModelClass, types: Types, made: StandIns) -> dict[str, Any]:
    described = {"description": made.docstring(model.doc)} if model.doc else {}
    properties = {}
    for name, node in model.fields:
        properties[name] = _property(resolve(node, types), model.module, types, made)
    return {"type": "object", **described, "properties": properties, "required": list(model.schema.required)}


def _property(node: Node, module: str, types: Types, made: StandIns) -> dict[str, Any]:
    schema = node.schema
    out = _type(node, module, types, made)
    if schema.description:
        out["description"] = made.docstring(schema.description)
    if schema.default is not None:
        out["default"] = made.expression(default_source(node, types))
    return out


def default_source(node: Node, types: Types) -> str:
    """Python source of a default. A date's is the typed value, an object's is the model."""
    schema = node.schema
    if isinstance(schema, ir.StringSchema) and schema.format is not None:
        parse = "parse_date" if schema.format == "date" else "parse_date_time"
        return f"{parse}({python_literal(schema.default)})"
    if isinstance(schema, ir.RefSchema | ir.ObjectSchema):
        return f"{base_type(node, types)}.from_wire({python_value(schema.default)})"
    if isinstance(schema, ir.NumberSchema):
        return repr(int(schema.default) if schema.kind == "integer" else float(schema.default))
    return python_value(schema.default)


def _type(node: Node, module: str, types: Types, made: StandIns) -> dict[str, Any]:
    schema = node.schema
    if is_opaque(schema):
        opaque = made.type(constrained(base_type(node, types), constraints(schema)))
        return _or_null(opaque, schema.nullable)
    if isinstance(schema, ir.RefSchema | ir.ObjectSchema):
        name = base_type(node, types)
        made_of = made.type(name) if schema.default is not None else _class(node, module, types, made)
        return _or_null(made_of, schema.nullable)
    if isinstance(schema, ir.ArraySchema):
        items = _element(resolve(node.items(), types), module, types, made)
        limits = {"minItems": schema.min_items, "maxItems": schema.max_items}
        return {"type": "array", "items": items} | _given(limits)
    if isinstance(schema, ir.MapSchema):
        values = _element(resolve(node.values(), types), module, types, made)
        return {"type": "object", "additionalProperties": values}
    return _scalar(schema, made)


def _element(node: Node, module: str, types: Types, made: StandIns) -> dict[str, Any]:
    """What is inside a list or a map: a plain text, a flag or a class; all else is opaque there."""
    schema = node.schema
    if not schema.nullable:
        if isinstance(schema, ir.RefSchema | ir.ObjectSchema):
            return _class(node, module, types, made)
        if isinstance(schema, ir.BooleanSchema) or (
            isinstance(schema, ir.StringSchema) and annotation(node, types) == "str"
        ):
            return _scalar(schema, made)
    return made.type(annotation(node, types))


def _class(node: Node, module: str, types: Types, made: StandIns) -> dict[str, Any]:
    name = base_type(node, types)
    home = "types" if isinstance(node.schema, ir.RefSchema) else node.module
    return {"$ref": f"#/$defs/{name}"} if home == module else made.type(name)


def _scalar(schema: ir.Schema, made: StandIns) -> dict[str, Any]:
    def typed(name: str) -> dict[str, Any]:
        return {"type": [name, "null"] if schema.nullable else name}

    if isinstance(schema, ir.StringSchema):
        if schema.const is not None:
            return typed("string") | {"const": made.expression(python_literal(schema.const))}
        if schema.enum:
            members: list[str | None] = [made.expression(python_literal(member)) for member in schema.enum]
            return typed("string") | {"enum": [*members, None] if schema.nullable else members}
        pattern = None if schema.pattern is None else made.expression(python_literal(schema.pattern))
        limits = {"minLength": schema.min_length, "maxLength": schema.max_length, "pattern": pattern}
        return typed("string") | _given(limits)
    if isinstance(schema, ir.NumberSchema):
        limit = constraints(schema)
        bounds = {
            "minimum": limit.get("ge"),
            "maximum": limit.get("le"),
            "exclusiveMinimum": limit.get("gt"),
            "exclusiveMaximum": limit.get("lt"),
        }
        return typed(schema.kind) | _given(bounds)
    return typed("boolean")


def _or_null(schema: dict[str, Any], nullable: bool) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]} if nullable else schema


def _given(limits: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in limits.items() if value is not None}
