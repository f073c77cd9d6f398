"""Input schemas as every model API takes them.

Gemini refuses a whole turn for one tool with an exclusive bound, a format other than ``date-time``, or an enum of numbers. The
last no spec can have. The first two are taken out here: what they say stands in the field's description, and each call is
checked against the model all the same.
"""

from __future__ import annotations

from typing import Any

FORMATS = ("date-time",)
_NAMED = ("properties",)
_INNER = ("items", "additionalProperties")
_LISTS = ("anyOf", "oneOf", "allOf")
_STEP = {"exclusiveMinimum": ("minimum", 1, max), "exclusiveMaximum": ("maximum", -1, min)}


def provider_safe(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without what a provider refuses; it accepts whatever the given one does."""
    found = {key: _inside(key, value) for key, value in schema.items()}
    found.pop("deprecated", None)
    if found.get("format") not in (None, *FORMATS):
        del found["format"]
    for key, (inclusive, step, stricter) in _STEP.items():
        bound = found.pop(key, None)
        if bound is not None:
            nearest = bound + step if found.get("type") == "integer" else bound
            found[inclusive] = stricter(nearest, found.get(inclusive, nearest))
    return found


def _inside(key: str, value: Any) -> Any:
    if key in _NAMED:
        return {name: provider_safe(inner) for name, inner in value.items()}
    if key in _INNER and isinstance(value, dict):
        return provider_safe(value)
    if key in _LISTS:
        return [provider_safe(inner) for inner in value]
    return value
