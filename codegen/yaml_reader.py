"""Strict YAML 1.2 core with positions, on PyYAML's parser.

PyYAML resolves plain scalars by YAML 1.1 (``no`` is false, ``12:30`` a number). Here its implicit resolvers are switched off
and the YAML 1.2 core schema (section 10.3.2 of the specification) decides. Duplicate keys, tabs, anchors, merge keys, tags,
several documents, other encodings than UTF-8 and control characters are diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from codegen.diagnostics import Sink
from codegen.ir import Span

_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS = {
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MAY_ANCHOR = re.compile(r"(?:^|[\s\[{,:-])[&*][^\s,\]}]", re.MULTILINE)
_TAB_INDENT = re.compile(r"^ *\t", re.MULTILINE)
_BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_STR_TAG = "tag:yaml.org,2002:str"
_MAX_DEPTH = 40


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Composes nodes only; every plain scalar stays text until :func:`_scalar_value` reads it."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own attribute


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place. ``value`` is text, number, boolean or None for a scalar; see the subclasses."""

    span: Span


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    value: str | int | float | bool | None
    written: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mapping(Node):
    """``entries`` maps a key to the place of the key and the node of its value, in the order of the file."""

    entries: dict[str, tuple[Span, Node]]

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return entry[1] if entry else None

    def key_span(self, key: str) -> Span:
        return self.entries[key][0]


def plain(node: Node) -> Any:
    """The node as plain data."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, Scalar)
    return node.value


def decode(data: bytes, file: str, sink: Sink) -> str | None:
    """The text of a spec file, without a byte-order mark; a diagnostic and ``None`` where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1]) + 1
        byte = data[problem.start]
        sink.add(Span(file, line, column), "yaml-encoding", f"byte 0x{byte:02x} is not UTF-8", "save the file as UTF-8")
        return None


def read(text: str, file: str, sink: Sink) -> Mapping | None:
    """Read one spec file. Returns ``None`` after a diagnostic that makes the rest unreadable."""
    before = len(sink.items)
    for match in _TAB_INDENT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        sink.add(Span(file, line, len(match[0])), "yaml-tab", "a tab cannot indent YAML", "use two spaces a level")
    if len(sink.items) > before:
        return None
    try:
        if _MAY_ANCHOR.search(text):
            _refuse_anchors(text, file, sink)
        root = _Loader(text).get_single_node()
    except yaml.YAMLError as problem:
        _syntax(problem, text, file, sink)
        return None
    except RecursionError:
        sink.add(Span(file, 1, 1), "yaml-syntax", "the file is nested too deeply", f"at most {_MAX_DEPTH} levels")
        return None
    if len(sink.items) > before:
        return None
    if root is None:
        sink.add(Span(file, 1, 1), "yaml-empty", "the file is empty", "a spec file is a mapping")
        return None
    node = _Converter(file, sink).convert(root, 0)
    if not isinstance(node, Mapping):
        what = "list" if isinstance(node, Sequence) else "single value"
        sink.add(Span(file, 1, 1), "yaml-not-mapping", f"a spec file is a mapping, not a {what}", "begin with a key and a colon")
        return None
    return node


def _refuse_anchors(text: str, file: str, sink: Sink) -> None:
    for event in yaml.parse(text, Loader=_Loader):
        mark = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            sink.add(
                _span(file, mark), "yaml-anchor", f"alias *{event.anchor} is not allowed", "write the value out, or make it a shared type"
            )
        elif getattr(event, "anchor", None):
            sink.add(_span(file, mark), "yaml-anchor", f"anchor &{event.anchor} is not allowed (nor its alias)", "remove it")


def _syntax(problem: yaml.YAMLError, text: str, file: str, sink: Sink) -> None:
    mark = getattr(problem, "problem_mark", None) or getattr(problem, "context_mark", None)
    what = str(getattr(problem, "problem", None) or getattr(problem, "reason", None) or problem)
    span = _span(file, mark) if mark else Span(file, 1, 1)
    position = getattr(problem, "position", None)
    if mark is None and isinstance(position, int):
        span = Span(file, text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position))
    if "single document" in str(getattr(problem, "context", "")) or "another document" in what:
        sink.add(span, "yaml-document", "a spec file holds one document", "remove the line ---, or make a second file")
    elif "undefined alias" in what:
        sink.add(span, "yaml-anchor", f"{what}; aliases and anchors are not allowed", "write the value out")
    elif "special characters" in what or "control characters" in what:
        sink.add(span, "yaml-character", what, "remove the character, or write it as an escape in double quotes")
    else:
        sink.add(span, "yaml-syntax", what, "if the text holds ': ', '{', '#' or quotes, quote it as a whole")


def _span(file: str, mark: Any) -> Span:
    return Span(file, mark.line + 1, mark.column + 1)


class _Converter:
    """Turns PyYAML's nodes into ours, with a diagnostic for what the spec language leaves out."""

    def __init__(self, file: str, sink: Sink) -> None:
        self.file = file
        self.sink = sink

    def convert(self, node: yaml.Node, depth: int) -> Node:
        span = _span(self.file, node.start_mark)
        if depth > _MAX_DEPTH:
            self.sink.add(span, "yaml-syntax", "the value is nested too deeply", f"at most {_MAX_DEPTH} levels")
            return Scalar(span, None, "", False)
        standard = {"scalar": _STR_TAG, "sequence": "tag:yaml.org,2002:seq", "mapping": "tag:yaml.org,2002:map"}
        if node.tag not in (standard[node.id], "!"):
            self.sink.add(span, "yaml-tag", f"the tag {node.tag} is not allowed", "remove the tag and write the plain value")
            return Scalar(span, None, "", False)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, span)
        if isinstance(node, yaml.SequenceNode):
            return Sequence(span, tuple(self.convert(item, depth + 1) for item in node.value))
        return Mapping(span, dict(self._entries(node, depth)))

    def _scalar(self, node: yaml.ScalarNode, span: Span) -> Scalar:
        self._check_characters(node.value, span)
        quoted = node.style not in (None, "")
        return Scalar(span, node.value if quoted else _scalar_value(node.value), node.value, quoted)

    def _check_characters(self, value: str, span: Span) -> None:
        if match := _BAD_CHARACTER.search(value):
            name = f"U+{ord(match[0]):04X}"
            self.sink.add(span, "yaml-character", f"the text holds the character {name}", "remove it")

    def _entries(self, node: yaml.MappingNode, depth: int) -> Iterator[tuple[str, tuple[Span, Node]]]:
        seen: dict[str, Span] = {}
        for key_node, value_node in node.value:
            span = _span(self.file, key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                self.sink.add(span, "yaml-key", "a key must be plain text", "to write braces or brackets as text, quote it")
                continue
            key = key_node.value
            self._check_characters(key, span)
            if key == "<<" and key_node.style in (None, ""):
                self.sink.add(span, "yaml-merge-key", "the merge key << is not allowed", "write the entries out")
            elif key in seen:
                first = seen[key]
                self.sink.add(
                    span,
                    "yaml-duplicate-key",
                    f"duplicate key {key}, first at line {first.line}, column {first.column}",
                    "keep one of them",
                )
            else:
                seen[key] = span
                yield key, (span, self.convert(value_node, depth + 1))


def _scalar_value(written: str) -> str | int | float | bool | None:
    """A plain scalar by the YAML 1.2 core schema; ``.inf`` and ``.nan`` stay text because no spec value can be one."""
    if written in _CONSTANTS:
        return _CONSTANTS[written]
    if _INT.fullmatch(written):
        return int(written) if len(written) < 400 else written
    if _OCTAL.fullmatch(written):
        return int(written[2:], 8)
    if _HEX.fullmatch(written):
        return int(written[2:], 16)
    if _FLOAT.fullmatch(written):
        return float(written)
    return written
