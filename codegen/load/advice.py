"""What to write instead of keywords that the spec language leaves out, and of keywords in a wrong place."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.wording import closest, quote

_UNION = (
    "write a tagged union: oneOf: [{$ref: A}, {$ref: B}] with discriminator: kind; "
    'or type: [string, "null"] for a nullable value'
)
_RULES = "write rules: of the action, such as rules: [{exactly_one_of: [a, b]}]"
_SPLIT = "write one closed object with properties:, or additionalProperties: <schema> for a map of free names"

INSTEAD: dict[str, str] = {
    "anyOf": _UNION,
    "allOf": "write all properties in one object",
    "not": "write what is allowed: an enum, bounds or a pattern",
    "if": _RULES,
    "then": _RULES,
    "else": _RULES,
    "dependentRequired": _RULES,
    "dependentSchemas": _RULES,
    "dependencies": _RULES,
    "patternProperties": _SPLIT,
    "propertyNames": _SPLIT,
    "unevaluatedProperties": "leave it out: objects are closed unless they say additionalProperties",
    "unevaluatedItems": "leave it out",
    "minProperties": _SPLIT,
    "maxProperties": _SPLIT,
    "prefixItems": "write an object with a named property for each position",
    "contains": "write the constraint as prose in the description, and check it in the handler",
    "minContains": "write the constraint as prose in the description, and check it in the handler",
    "maxContains": "write the constraint as prose in the description, and check it in the handler",
    "additionalItems": "leave it out",
    "multipleOf": "write it in the description and check it in the handler; validators disagree on it",
    "$defs": "declare the type in specs/types and write $ref: its_name",
    "definitions": "declare the type in specs/types and write $ref: its_name",
    "$id": "leave it out; types are named by their key in specs/types",
    "$schema": "leave it out; the editor line at the top of the file names the schema",
    "$anchor": "leave it out",
    "$dynamicRef": "write $ref: with the name of a type in specs/types",
    "$comment": "write a YAML comment: # …",
    "examples": "write examples: of the action",
    "example": "write examples: of the action",
    "contentEncoding": "write pattern:, and what the text holds in the description",
    "contentMediaType": "write what the text holds in the description",
    "readOnly": "leave the field out of the input",
    "writeOnly": "leave the field out of the output",
    "deprecated": "write deprecated: {since, use, remove_after} of the action or of the input field",
    "maximumLength": "write maxLength",
    "minimumLength": "write minLength",
    "values": "write enum",
    "nullable": 'write type: [string, "null"]',
}

_MISPLACED: dict[tuple[str, str], str] = {
    ("minLength", "type integer"): "write minimum",
    ("maxLength", "type integer"): "write maximum",
    ("minLength", "type number"): "write minimum",
    ("maxLength", "type number"): "write maximum",
    ("minLength", "type array"): "write minItems",
    ("maxLength", "type array"): "write maxItems",
    ("minimum", "type string"): "write minLength",
    ("maximum", "type string"): "write maxLength",
    ("minimum", "type array"): "write minItems",
    ("maximum", "type array"): "write maxItems",
    ("enum", "type integer"): "write minimum and maximum, or an enum of quoted texts with type: string",
    ("enum", "type number"): "write minimum and maximum, or an enum of quoted texts with type: string",
    ("enum", "type boolean"): "leave it out, or write type: string with quoted texts",
    ("const", "type integer"): "write minimum and maximum with the same value",
    ("const", "type boolean"): "write type: string with a const text",
    ("properties", "type string"): "write type: object",
    ("items", "type string"): "write type: array",
    ("items", "type object"): "write type: array",
}


def misplaced_key(key: str, about: str, known: Iterable[str]) -> tuple[str, str]:
    """Message and help for a keyword that does not go with ``about`` (``type integer``, ``$ref``)."""
    message = f"the key {quote(key)} does not go with {about}"
    if key == "nullable":
        kind = about.removeprefix("type ")
        return message, f'write type: [{kind}, "null"]'
    if about == "$ref" and key == "type":
        return message, "write one of them; nullable: true beside $ref allows null"
    if about == "$ref":
        return message, "put it into the type, or write the value out in place of the $ref"
    advice = _MISPLACED.get((key, about))
    if advice is None:
        near = closest(key, known)
        advice = f"did you mean {quote(near)}?" if near else "known are: " + ", ".join(known)
    return message, advice
