"""Builds schema nodes of the model; bounds are normalised to what 64-bit integers and doubles can hold."""

from __future__ import annotations

from typing import Any, Literal

from ade_runtime.strict_yaml.reader import Mapping, Node, Scalar, Sequence, plain
from codegen import ir
from codegen.limits import FINITE, INT64
from codegen.load.nodes import View
from codegen.places import Places


class ValueBuilder:
    """Nodes → schemas. A faulty node becomes a free JSON value, on which no further check can stumble."""

    def __init__(self, bad: set[int], places: Places) -> None:
        self.bad = bad
        self.places = places

    def build(self, node: Node | None) -> ir.Schema:
        """The schema a node describes."""
        if node is None:
            return ir.MapSchema(span=ir.Span("", 1, 1), values=None)
        view = View(node, self.bad)
        if view.bad or not isinstance(node, Mapping):
            return ir.MapSchema(span=node.span, values=None)
        schema = self._build(view)
        self.places.note(schema.span, node)
        return schema

    def _build(self, view: View) -> ir.Schema:
        common: dict[str, Any] = {
            "span": view.span,
            "title": view.text("title"),
            "description": view.text("description"),
            "nullable": view.word("nullable", False),
            "default": view.data("default"),
        }
        if "$ref" in view:
            return ir.RefSchema(**common, target=view.word("$ref", ""))
        if "oneOf" in view:
            return self._union(view, common)
        kind, nullable = _kind(view.get("type"))
        common["nullable"] = nullable
        match kind:
            case "string":
                return _string(view, common)
            case "integer" | "number":
                return _number(view, common, kind)
            case "boolean":
                return ir.BooleanSchema(**common)
            case "array":
                return ir.ArraySchema(
                    **common,
                    items=self.build(view.raw("items")),
                    min_items=_integer(view, "minItems"),
                    max_items=_integer(view, "maxItems"),
                    unique=view.word("uniqueItems", False),
                )
            case _:
                return self._object(view, common)

    def _union(self, view: View, common: dict[str, Any]) -> ir.Schema:
        branches = []
        for item in view.items("oneOf"):
            branches.append(ir.RefSchema(span=item.span, target=item.word("$ref", "")))
            self.places.note(item.span, item.node)
        return ir.UnionSchema(
            **common, branches=tuple(branches), discriminator=view.word("discriminator", "")
        )

    def _object(self, view: View, common: dict[str, Any]) -> ir.Schema:
        extra = view.get("additionalProperties")
        if "properties" not in view and extra is not None and not _is(extra, False):
            return ir.MapSchema(**common, values=None if _is(extra, True) else self.build(extra))
        properties: dict[str, ir.Schema] = {}
        for name, span, entry in view.entries("properties"):
            properties[name] = self.build(entry.node)
            self.places.note_key(span, entry.node)
        named = set(view.words("required"))
        return ir.ObjectSchema(
            **common, properties=properties, required=tuple(name for name in properties if name in named)
        )


def _kind(node: Node | None) -> tuple[str, bool]:
    value = None if node is None else plain(node)
    return (value[0], True) if isinstance(value, list) else (str(value), False)


def _is(node: Node, value: bool) -> bool:
    return isinstance(node, Scalar) and node.value is value


def _string(view: View, common: dict[str, Any]) -> ir.StringSchema:
    enum = view.get("enum")
    return ir.StringSchema(
        **common,
        enum=view.words("enum") if isinstance(enum, Sequence) else (),
        const=view.word("const"),
        min_length=_integer(view, "minLength"),
        max_length=_integer(view, "maxLength"),
        pattern=view.word("pattern"),
        format=view.word("format"),
    )


def _integer(view: View, key: str) -> int | None:
    value = view.scalar(key)
    return None if value is None else int(value)


def _number(view: View, common: dict[str, Any], kind: Literal["integer", "number"]) -> ir.NumberSchema:
    cast: type[int] | type[float] = int if kind == "integer" else float
    bounds: dict[str, Any] = {}
    for key, name in (
        ("minimum", "minimum"),
        ("maximum", "maximum"),
        ("exclusiveMinimum", "exclusive_minimum"),
        ("exclusiveMaximum", "exclusive_maximum"),
    ):
        value = view.scalar(key)
        bounds[name] = None if value is None else cast(value)
    low, high = INT64 if kind == "integer" else FINITE
    if bounds["minimum"] is None and bounds["exclusive_minimum"] is None:
        bounds["minimum"] = low
    if bounds["maximum"] is None and bounds["exclusive_maximum"] is None:
        bounds["maximum"] = high
    default = common["default"]
    if isinstance(default, int | float) and not isinstance(default, bool) and cast(default) == default:
        common["default"] = cast(default)
    return ir.NumberSchema(**common, kind=kind, **bounds)
