"""Linear's filters over plain records: comparators, nested filters, ``or``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda found, wanted: found == wanted,
    "eqIgnoreCase": lambda found, wanted: found is not None and found.lower() == wanted.lower(),
    "containsIgnoreCase": lambda found, wanted: found is not None and wanted.lower() in found.lower(),
    "in": lambda found, wanted: found in wanted,
    "nin": lambda found, wanted: found not in wanted,
    "gt": lambda found, wanted: found > wanted,
    "gte": lambda found, wanted: found >= wanted,
}


def fits(record: Mapping[str, Any] | None, wanted: Mapping[str, Any] | None) -> bool:
    """Whether a record is one that a filter asks for."""
    return all(_part(record, name, part) for name, part in (wanted or {}).items())


def _part(record: Mapping[str, Any] | None, name: str, part: Any) -> bool:
    if name == "null":
        return (record is None) == part
    if name == "or":
        return any(fits(record, one) for one in part)
    if record is None:
        return False
    found = record[name]
    if isinstance(found, list):
        return any(fits(one, part["some"]) for one in found)
    if isinstance(found, Mapping):
        return fits(found, part)
    if all(key in _COMPARE for key in part):
        return all(_COMPARE[key](found, value) for key, value in part.items())
    return fits(found, part)
