"""JSON documents to try on models: fitting ones, ones changed a little, and any at all."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

Path = tuple[str | int, ...]
_SCRAPS = [
    "2020-01-01",
    "2020-02-30",
    "2020-01-01T00:00:00Z",
    "2020-01-01T00:00:00",
    "a",
    "1",
    "circle",
    "true",
    "",
]
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.sampled_from([2**63, 2**63 - 1, -(2**63), -(2**63) - 1, 10**400, 0, 1])
    | st.floats()
    | st.sampled_from([1.0, -0.0, 1e300, 2.0**63, math.inf, math.nan])
    | st.text(max_size=5)
    | st.sampled_from(_SCRAPS)
)
anything: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def documents(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Documents around a schema: about half of them fit."""
    fitting = from_schema(schema)
    return fitting | changed(fitting) | anything


@st.composite
def changed(draw: st.DrawFn, base: st.SearchStrategy[Any]) -> Any:
    """A fitting document after one or two changes somewhere inside."""
    document = draw(base)
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(list(paths(document))))
        document = put(document, path, _change(draw, at(document, path)))
    return document


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, (*path, index))


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    made = copy.copy(value)
    made[path[0]] = put(value[path[0]], path[1:], new)
    return made


def is_wire_json(value: Any) -> bool:
    """Whether every number in it may be on the wire; the reader of frames refuses the others before any model."""
    if isinstance(value, dict):
        return all(is_wire_json(item) for item in value.values())
    if isinstance(value, list):
        return all(is_wire_json(item) for item in value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return not isinstance(value, float) or math.isfinite(value)


def _change(draw: st.DrawFn, value: Any) -> Any:
    ways = [_replaced]
    if isinstance(value, dict):
        ways += [_with_key, _without_key]
    elif isinstance(value, list):
        ways += [_doubled, _longer]
    elif isinstance(value, str):
        ways += [_extended]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        ways += [_nudged, _as_text, _as_float]
    return draw(st.sampled_from(ways))(draw, value)


def _replaced(draw: st.DrawFn, value: Any) -> Any:
    return draw(anything)


def _with_key(draw: st.DrawFn, value: dict[str, Any]) -> Any:
    return {**value, draw(st.text(max_size=6)): draw(anything)}


def _without_key(draw: st.DrawFn, value: dict[str, Any]) -> Any:
    gone = draw(st.sampled_from(sorted(value))) if value else ""
    return {key: item for key, item in value.items() if key != gone}


def _doubled(draw: st.DrawFn, value: list[Any]) -> Any:
    return value + value


def _longer(draw: st.DrawFn, value: list[Any]) -> Any:
    return [*value, draw(anything)]


def _extended(draw: st.DrawFn, value: str) -> Any:
    return value + draw(st.sampled_from([" ", "\n", "x", "Z", "\u0661", "\U0001f600"]))


def _nudged(draw: st.DrawFn, value: float) -> Any:
    return value + draw(st.sampled_from([1, -1, 2**63]))


def _as_text(draw: st.DrawFn, value: float) -> Any:
    return str(value)


def _as_float(draw: st.DrawFn, value: float) -> Any:
    return float(value) if abs(value) < 1e300 else 0.5
