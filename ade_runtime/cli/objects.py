"""Objects whose fields no layout names, as labelled values: what is inside of one stands indented below its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ade_runtime.cli.clean import clean_line

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)")
STEP = "  "
FEW = 4
"""Fields up to which objects that are all alike read better as a table."""


def plain_columns(rows: list[Any]) -> list[tuple[str, str, str | None]]:
    """Label, field and format of each column, where the rows are a table: all with the same few plain fields."""
    first = rows[0]
    if (
        len(rows) < 2
        or not isinstance(first, Mapping)
        or len(first) > FEW
        or any("." in key for key in first)
    ):
        return []
    alike = all(isinstance(row, Mapping) and row.keys() == first.keys() for row in rows)
    if not alike or any(isinstance(value, Mapping | list) for row in rows for value in row.values()):
        return []
    return [(label(key), key, None) for key in first]


def labelled(row: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, Any, str | None]]:
    """Label, value and format of each field that is there; the value of a name that only stands above others is empty."""
    for key, value in row.items():
        if value is None or value in ([], {}, ""):
            continue
        name = STEP * depth + label(key)
        if isinstance(value, Mapping):
            yield name, "", None
            yield from labelled(value, depth + 1)
        elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            yield from _numbered(name, value, depth)
        elif isinstance(value, str):
            yield name, " ".join(value.split()), "time" if _INSTANT.fullmatch(value) else None
        else:
            yield name, value, None


def _numbered(name: str, items: list[Any], depth: int) -> Iterator[tuple[str, Any, str | None]]:
    for number, item in enumerate(items, 1):
        own = name if len(items) == 1 else f"{name} {number}"
        if isinstance(item, Mapping):
            yield own, "", None
            yield from labelled(item, depth + 1)
        else:
            yield own, item, None


def label(key: str) -> str:
    """``startedAt`` and ``started_at`` as ``Started at``."""
    words = clean_line(_HUMP.sub(" ", key)).strip()
    return words[:1].upper() + words[1:].lower() if not words.isupper() else words
