"""Every keyword of JSON Schema 2020-12: whether specs have it, and why not where they do not.

The table in ``docs/reference/json-schema.md`` is made from this; a test holds it to the schema of the spec files, to the
loader's advice, and to cases of each keyword.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Support = Literal["yes", "part", "no"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """``judged`` keywords accept or refuse values; the others only say or organise something. ``note`` is how far it is
    supported, or why it is not."""

    supported: Support
    note: str
    judged: bool = True


def _yes(note: str = "", *, judged: bool = True) -> Keyword:
    return Keyword("yes", note, judged)


def _part(note: str, *, judged: bool = True) -> Keyword:
    return Keyword("part", note, judged)


def _no(note: str, *, judged: bool = True) -> Keyword:
    return Keyword("no", note, judged)


_ROOT = "model APIs refuse or ignore combinators, and models do not become readable classes from them"
_EVALUATED = "it depends on what other branches looked at, on which validators and model APIs disagree"
_COUNT = "objects have named properties; a map's size is checked by its handler"
_IDENTITY = "types have one global namespace, the keys of specs/types"
_OPEN = "a class cannot tell what the names of a family mean"
_BYTES = "what a text holds is for the handler to read; validators only annotate it"

KEYWORDS: dict[str, Keyword] = {
    "type": _part("exactly one type, or one and null; a value without a type is refused"),
    "enum": _part("of texts; other constants become different things in different model APIs"),
    "const": _part("a text; it tags the branches of a union"),
    "minLength": _yes("counts code points"),
    "maxLength": _yes("counts code points"),
    "pattern": _part("what Rust, ECMAScript and Python read alike"),
    "format": _part("date and date-time, always asserted; the others are read differently everywhere"),
    "minimum": _yes("left out, the range of a 64-bit integer or a finite double holds"),
    "maximum": _yes("left out, the range of a 64-bit integer or a finite double holds"),
    "exclusiveMinimum": _yes(),
    "exclusiveMaximum": _yes(),
    "multipleOf": _no("validators divide doubles and disagree on the rest"),
    "items": _part("one schema for all items, and always written; false and true are not"),
    "prefixItems": _no("positions without names are what models get wrong most"),
    "contains": _no("model APIs drop it, and a class cannot say it"),
    "minContains": _no("goes with contains"),
    "maxContains": _no("goes with contains"),
    "minItems": _yes(),
    "maxItems": _yes(),
    "uniqueItems": _part("for lists of texts, numbers and booleans, compared as JSON Schema compares them"),
    "unevaluatedItems": _no(_EVALUATED),
    "properties": _yes("names of 1 to 64 of A-Z a-z 0-9 _ . -, the most that every model API takes"),
    "required": _part("names of properties only; in outputs all of them"),
    "additionalProperties": _part(
        "false unless written; true and a schema make maps, never beside named properties"
    ),
    "patternProperties": _no(_OPEN),
    "propertyNames": _no(_OPEN),
    "minProperties": _no(_COUNT),
    "maxProperties": _no(_COUNT),
    "unevaluatedProperties": _no(_EVALUATED),
    "dependentRequired": _no("model APIs drop it; rules: say it in the description, the model and the command line"),
    "dependentSchemas": _no("model APIs drop it"),
    "allOf": _no(_ROOT),
    "anyOf": _no(_ROOT),
    "oneOf": _part("a union told apart by the const of its discriminator, inside an object"),
    "not": _no(_ROOT),
    "if": _no(_ROOT),
    "then": _no(_ROOT),
    "else": _no(_ROOT),
    "true / false": _no("a schema that takes everything or nothing says nothing to a model"),
    "$ref": _part("the name of a type; no pointers, no other files, no type inside itself"),
    "$defs": _no("types are shared between all actions", judged=False),
    "$id": _no(_IDENTITY, judged=False),
    "$schema": _no("the dialect is this one; the schema of the file stands in its first line", judged=False),
    "$anchor": _no(_IDENTITY, judged=False),
    "$dynamicRef": _no("what it refers to depends on who asks, which no class can follow"),
    "$dynamicAnchor": _no("goes with $dynamicRef", judged=False),
    "$vocabulary": _no("the vocabulary is this table", judged=False),
    "$comment": _no("YAML has comments", judged=False),
    "title": _yes(judged=False),
    "description": _yes("the constraints are said behind it", judged=False),
    "default": _part("makes an input field optional; fits its own schema; of a list or object it is empty", judged=False),
    "deprecated": _part("of actions and input fields, as {since, use, remove_after}", judged=False),
    "readOnly": _no("input and output have schemas of their own", judged=False),
    "writeOnly": _no("input and output have schemas of their own", judged=False),
    "examples": _no("examples belong to actions, where they are run", judged=False),
    "contentEncoding": _no(_BYTES, judged=False),
    "contentMediaType": _no(_BYTES, judged=False),
    "contentSchema": _no(_BYTES, judged=False),
}  # fmt: skip
"""By name, in the order of the specification's vocabularies."""

OWN: dict[str, str] = {
    "nullable": "beside $ref and oneOf: null is a value too",
    "discriminator": "beside oneOf: the property whose const tells the branches apart",
    "optional": "of an input field: it may be left out, which is not null",
    "secret": "of an input field: a text that nothing shows or keeps",
    "cli": "of an input field: how the command line takes it",
    "rules": "of an action: what holds across its fields",
}
"""Keywords that JSON Schema does not have."""
