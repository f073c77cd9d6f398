"""JSON text read strictly: no duplicate keys, no NaN, no number past a double or a 64-bit integer."""

from __future__ import annotations

import json
import math
from typing import Any

LARGEST = 2**63 - 1
SMALLEST = -(2**63)


def parse(document: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError, which says what is wrong."""
    text = document.decode("utf-8") if isinstance(document, bytes) else document
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_float
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {json.dumps(twice)[:80]} is given twice")
    return made


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _integer(text: str) -> int:
    if len(text) > 20 or not SMALLEST <= (value := int(text)) <= LARGEST:
        raise ValueError(f"the number {text[:40]} does not fit 64 bits")
    return value


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:40]} is too large")
    return value
