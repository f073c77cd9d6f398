"""Walking through the model, whatever its parts are."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

_KNOWN: dict[type, tuple[str, ...] | None] = {}


def field_names(kind: type) -> tuple[str, ...] | None:
    """The names of a dataclass's fields, ``None`` for any other type; asked for every value of the model, many times over."""
    if kind not in _KNOWN:
        _KNOWN[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
    return _KNOWN[kind]
