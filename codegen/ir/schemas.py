"""Types and fields: the subset of JSON Schema that specs use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ade_runtime.strict_yaml.places import Span
from codegen.text import SpecText

ScalarKind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Base of all schema nodes. ``default`` is ``None`` when there is none: a default of null cannot be written."""

    span: Span
    title: SpecText | None = None
    description: SpecText | None = None
    nullable: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StringSchema(Schema):
    enum: tuple[str, ...] = ()
    const: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: Literal["date", "date-time"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSchema(Schema):
    """``kind`` tells integers from numbers; bounds are always present after normalisation unless exclusive ones are."""

    kind: Literal["integer", "number"]
    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BooleanSchema(Schema):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ArraySchema(Schema):
    items: Schema
    min_items: int | None = None
    max_items: int | None = None
    unique: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectSchema(Schema):
    """A closed object. ``required`` keeps the order of ``properties``."""

    properties: Mapping[str, Schema]
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSchema(Schema):
    """An object with free keys. ``values`` is ``None`` for a free JSON object (any value)."""

    values: Schema | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefSchema(Schema):
    """A reference to a named type of ``specs/types``; the target is found in :attr:`Specs.types`."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionSchema(Schema):
    """A tagged union of object types; each branch has ``discriminator`` as a required const string."""

    branches: tuple[RefSchema, ...]
    discriminator: str
