"""The head of a ``SKILL.md``, by the Agent Skills format: YAML between two lines of three dashes, then Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ade_runtime.strict_yaml.places import Span
from ade_runtime.strict_yaml.reader import decode, plain, read

LONGEST_HEAD = 16 * 1024
"""Bytes of the head; it is in an agent's context whether the skill is used or not."""
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
LONGEST_COMPATIBILITY = 500
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*(?:\r\n|\n|\r)")
_END = re.compile(rb"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
_KNOWN = frozenset(("name", "description", "license", "compatibility", "metadata", "allowed-tools"))


@dataclass(frozen=True, slots=True)
class Head:
    """``name`` and ``description`` are empty where they are not given. ``problems`` are in the order of the file; a skill with
    any is not one that agents can be relied on to load. ``remarks`` are about keys that the format does not know.
    """

    name: str = ""
    description: str = ""
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class _Faults:
    """Collects what the YAML reader finds, as lines of text."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def add(self, span: Span, code: str, message: str, help: str = "") -> None:
        del code
        self.items.append(f"line {span.line}: {message}" + (f"; {help}" if help else ""))


def read_head(data: bytes, folder: str) -> Head:
    """The head of a skill whose file begins with ``data`` and lies in a folder called ``folder``."""
    faults = _Faults()
    start = _FENCE.match(data)
    stop = _END.search(data, start.end()) if start else None
    if start is None or stop is None or stop.start() > LONGEST_HEAD:
        most = f"in the first {LONGEST_HEAD} bytes"
        return Head(problems=(f"it does not begin with a head between two lines of three dashes {most}",))
    text = decode(b"\n" + data[start.end() : stop.start()], "SKILL.md", faults)
    if text is None:
        return Head(problems=tuple(faults.items))
    node = read(text, "SKILL.md", faults)
    if node is None or faults.items:
        return Head(problems=tuple(faults.items))
    return _judged(plain(node), folder)


def body_of(data: bytes) -> bytes:
    """What follows the head; everything where there is none."""
    start = _FENCE.match(data)
    stop = _END.search(data, start.end()) if start else None
    return data[stop.end() :] if stop else data


def _judged(head: dict[str, Any], folder: str) -> Head:
    problems: list[str] = []
    name = _text(head, "name", LONGEST_NAME, problems, required=True)
    if name and not _NAME.fullmatch(name):
        problems.append("name: only small letters a to z, digits, and single dashes between them")
    elif name and name != folder:
        problems.append(f"name: it is {name}, and its folder is called {folder}")
    description = _text(head, "description", LONGEST_DESCRIPTION, problems, required=True)
    for key, longest in (("compatibility", LONGEST_COMPATIBILITY), ("license", LONGEST_HEAD)):
        _text(head, key, longest, problems)
    _text(head, "allowed-tools", LONGEST_HEAD, problems)
    metadata = head.get("metadata", {})
    if not isinstance(metadata, dict) or any(isinstance(value, dict | list) for value in metadata.values()):
        problems.append("metadata: it must be a mapping of texts")
    remarks = [f"{key}: the format knows no such key" for key in head if key not in _KNOWN]
    return Head(name, description, tuple(problems), tuple(remarks))


def _text(
    head: dict[str, Any], key: str, longest: int, problems: list[str], *, required: bool = False
) -> str:
    value = head.get(key)
    if value is None:
        if required or key in head:
            problems.append(f"{key}: it is missing" if key not in head else f"{key}: it is empty")
        return ""
    if not isinstance(value, str):
        problems.append(f"{key}: it must be text; put it in quotes")
        return ""
    value = value.strip()
    if not value:
        problems.append(f"{key}: it is empty")
    elif len(value) > longest:
        problems.append(f"{key}: it has {len(value)} characters, and {longest} is the most")
        return value[:longest]
    return value
