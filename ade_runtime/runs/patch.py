"""Patches of a manifest: paths that name elements by what they hold, found and applied one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ade_generated import errors
from ade_runtime.runs.document import Manifest

OPERATIONS = ("add", "replace", "remove")
APPEND = "-"
_SEGMENT = re.compile(r"/(\{(?P<key>[A-Za-z]+):(?P<value>[^{}]*)\}|(?P<name>[^/{}]*))")


@dataclass(frozen=True, slots=True)
class Segment:
    """A step of a path: the name of a field or key, ``-`` behind a list's end, or the element whose ``key`` holds ``value``."""

    name: str
    key: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One change. ``segments`` are ``path``, read."""

    op: str
    path: str
    segments: tuple[Segment, ...]
    value: Any = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where an operation is: ``pattern`` is its path with ``*`` for elements and keys, ``rows`` the elements on the way, the
    outermost first, ``holder`` what holds the last step and ``last`` that step as a key or index."""

    pattern: str
    rows: tuple[Mapping[str, Any], ...]
    holder: Any
    last: Any


def read(op: str, path: str, value: Any = None) -> Operation:
    """An operation of its parts; raises ``invalid_patch``."""
    if op not in OPERATIONS:
        raise errors.InvalidPatch(path=path[:200], reason=f"there is no operation {op[:20]}")
    return Operation(op, path, _segments(path), value)


def _segments(path: str) -> tuple[Segment, ...]:
    found, end = [], 0
    while end < len(path):
        match = _SEGMENT.match(path, end)
        if match is None:
            break
        end = match.end()
        if match["key"] is not None:
            found.append(Segment("*", match["key"], match["value"]))
            continue
        name = match["name"].replace("~1", "/").replace("~0", "~")
        if not name:
            raise errors.InvalidPatch(path=path[:200], reason="a step of it is empty")
        if name.isdigit():
            raise errors.InvalidPatch(
                path=path[:200], reason="elements are named by their id, not by a number"
            )
        found.append(Segment(name))
    if end != len(path) or not found:
        raise errors.InvalidPatch(path=path[:200], reason="it is no path such as /tasks/{id:T-1}/title")
    return tuple(found)


def locate(manifest: Manifest, operation: Operation) -> Place:
    """Find where an operation is; raises ``invalid_patch`` where there is no such place."""
    here: Any = manifest
    pattern: list[str] = []
    rows: list[Mapping[str, Any]] = []
    holder: Any = None
    last: Any = None
    for number, segment in enumerate(operation.segments):
        final = number == len(operation.segments) - 1
        holder = here
        last, step = _step(here, segment, operation, final)
        pattern.append(step)
        if final:
            if step == "*" and isinstance(here, list):
                rows.append(here[last])
            break
        here = here[last]
        if segment.key is not None:
            rows.append(here)
    return Place("/" + "/".join(pattern), tuple(rows), holder, last)


def _step(here: Any, segment: Segment, operation: Operation, final: bool) -> tuple[Any, str]:
    """Key or index of a step, and how a rule names it."""
    path = operation.path[:200]
    if isinstance(here, list):
        if segment.key is not None:
            fits = [at for at, one in enumerate(here) if one.get(segment.key) == segment.value]
            if len(fits) != 1:
                raise errors.InvalidPatch(path=path, reason=f"{len(fits)} elements fit {segment.value[:80]}")
            return fits[0], "*"
        if segment.name == APPEND and final and operation.op == "add":
            return len(here), APPEND
        raise errors.InvalidPatch(path=path, reason="an element is named like {id:T-1}, a new one by -")
    if not isinstance(here, dict) or segment.key is not None:
        raise errors.InvalidPatch(path=path, reason=f"there is nothing at {segment.name[:80]}")
    if segment.name not in here:
        raise errors.InvalidPatch(path=path, reason=f"there is no field {segment.name[:80]}")
    return segment.name, segment.name


def apply(place: Place, operation: Operation) -> None:
    """Make the change in the manifest that the place was found in."""
    if operation.op == "remove":
        del place.holder[place.last]
    elif isinstance(place.holder, list) and place.last == len(place.holder):
        place.holder.append(operation.value)
    else:
        place.holder[place.last] = operation.value
