"""One member put into an object of a JSON file with comments, and taken out again, with every other byte left as it is.

The file is its owner's: comments, order, spaces and trailing commas stay. So nothing is read and written again; text is put in
at one place, found by reading the file's structure.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

DEPTH_LIMIT = 64
_GAP = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?[0-9][0-9.eE+-]*")


class DamagedJsonError(Exception):
    """The text is no JSON, not even with comments; the message says where."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object, by where it begins and ends; ``value`` is where its value begins."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A text with ``before`` replaced by ``after`` at ``at``."""

    text: str
    at: int
    before: str
    after: str


def value_of(text: str, keys: tuple[str, ...]) -> Any:
    """The value at a path of keys; ``None`` where there is none. Raises :class:`DamagedJsonError`."""
    place = _root(text)
    for key in keys:
        if place is None or not text.startswith("{", place):
            return None
        found = _named(text, place, key)
        place = None if found is None else found.value
    return None if place is None else _plain(text, place)


def put(text: str, keys: tuple[str, ...], value: Any) -> Edit:
    """The text with ``value`` at a path of keys, whose objects are made where they are missing. Raises
    :class:`DamagedJsonError`, also where something else than an object is in the way."""
    line = "\r\n" if "\r\n" in text else "\n"
    place = _root(text)
    if place is None:
        return _edit(text, len(text), "", _document(keys, value, line))
    for depth, key in enumerate(keys):
        if not text.startswith("{", place):
            raise DamagedJsonError(f"has no object where {key} belongs (line {_line(text, place)})")
        found = _named(text, place, key)
        if found is None:
            inner = _nested(keys[depth + 1 :], value)
            return _inserted(text, place, keys[depth], inner, line)
        place = found.value
    end = _skip(text, place, 0)
    indent = _indent(text, place)
    return _edit(text, place, text[place:end], _dumped(value, indent, line))


def take(text: str, keys: tuple[str, ...]) -> str:
    """The text without the member at a path of keys, and without the comma that it needed."""
    place = _root(text)
    for key in keys[:-1]:
        found = None if place is None else _named(text, place, key)
        place = None if found is None else found.value
    if place is None or not text.startswith("{", place):
        return text
    members, _ = _members(text, place, 0)
    for position, member in enumerate(members):
        if member.name == keys[-1]:
            return _without(text, place, members, position)
    return text


def _without(text: str, opened: int, members: list[Member], position: int) -> str:
    member = members[position]
    after = _gap(text, member.end)
    if text.startswith(",", after):
        start = members[position - 1].end if position else opened + 1
        head = text[:start] + ("," if position else "")
        return head + text[after + 1 :]
    start = members[position - 1].end if position else opened + 1
    return text[:start] + text[member.end :]


def _inserted(text: str, opened: int, key: str, value: Any, line: str) -> Edit:
    """A member at the beginning of an object."""
    members, closed = _members(text, opened, 0)
    outer = _indent(text, opened)
    inner = (
        _indent(text, members[0].start)
        if members and line in text[opened : members[0].start]
        else outer + "  "
    )
    body = f"{line}{inner}{json.dumps(key)}: {_dumped(value, inner, line)}"
    if members:
        body += ","
    elif text[opened + 1 : closed].strip(" \t\r\n") == "":
        body += line + outer
        return _edit(text, opened + 1, text[opened + 1 : closed], body)
    return _edit(text, opened + 1, "", body)


def _edit(text: str, at: int, before: str, after: str) -> Edit:
    return Edit(text[:at] + after + text[at + len(before) :], at, before, after)


def _document(keys: tuple[str, ...], value: Any, line: str) -> str:
    return _dumped(_nested(keys, value), "", line) + line


def _nested(keys: tuple[str, ...], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _dumped(value: Any, indent: str, line: str) -> str:
    step = "\t" if indent.startswith("\t") else 2
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", line + indent)


# -- reading the structure


def _root(text: str) -> int | None:
    """Where the document begins; ``None`` where there is none."""
    start = _gap(text, 0)
    if start == len(text):
        return None
    end = _skip(text, start, 0)
    if _gap(text, end) != len(text):
        _damaged(text, end)
    return start


def _named(text: str, opened: int, name: str) -> Member | None:
    members, _ = _members(text, opened, 0)
    found = [member for member in members if member.name == name]
    if len(found) > 1:
        raise DamagedJsonError(f"holds {name} twice (line {_line(text, found[1].start)})")
    return found[0] if found else None


def _members(text: str, opened: int, depth: int) -> tuple[list[Member], int]:
    """The members of the object that begins at ``opened``, and where its closing bracket is."""
    found: list[Member] = []
    place = _gap(text, opened + 1)
    while not text.startswith("}", place):
        key = _STRING.match(text, place) or _damaged(text, place)
        colon = _gap(text, key.end())
        if not text.startswith(":", colon):
            _damaged(text, colon)
        value = _gap(text, colon + 1)
        end = _skip(text, value, depth + 1)
        found.append(Member(_string(text, key[0], place), place, value, end))
        place = _gap(text, end)
        if text.startswith(",", place):
            place = _gap(text, place + 1)
        elif not text.startswith("}", place):
            _damaged(text, place)
    return found, place


def _items(text: str, opened: int, depth: int) -> tuple[list[int], int]:
    found: list[int] = []
    place = _gap(text, opened + 1)
    while not text.startswith("]", place):
        found.append(place)
        place = _gap(text, _skip(text, place, depth + 1))
        if text.startswith(",", place):
            place = _gap(text, place + 1)
        elif not text.startswith("]", place):
            _damaged(text, place)
    return found, place


def _skip(text: str, place: int, depth: int) -> int:
    """Where the value that begins at ``place`` ends."""
    if depth > DEPTH_LIMIT:
        raise DamagedJsonError(f"is nested deeper than {DEPTH_LIMIT} (line {_line(text, place)})")
    if text.startswith("{", place):
        return _members(text, place, depth)[1] + 1
    if text.startswith("[", place):
        return _items(text, place, depth)[1] + 1
    found = _STRING.match(text, place) or _SCALAR.match(text, place) or _damaged(text, place)
    return found.end()


def _plain(text: str, place: int) -> Any:
    """The value that begins at ``place``, as Python has it."""
    if text.startswith("{", place):
        return {member.name: _plain(text, member.value) for member in _members(text, place, 0)[0]}
    if text.startswith("[", place):
        return [_plain(text, item) for item in _items(text, place, 0)[0]]
    return _string(text, text[place : _skip(text, place, 0)], place)


def _string(text: str, written: str, place: int) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        _damaged(text, place)


def _gap(text: str, place: int) -> int:
    found = _GAP.match(text, place)
    return place if found is None else found.end()


def _indent(text: str, place: int) -> str:
    """The spaces that the line of ``place`` begins with."""
    start = text.rfind("\n", 0, place) + 1
    return text[start : start + len(text[start:place]) - len(text[start:place].lstrip(" \t"))]


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _damaged(text: str, place: int) -> NoReturn:
    raise DamagedJsonError(f"is not JSON from line {_line(text, place)} on")
