"""Strict YAML 1.2 core with positions, on the event stream of PyYAML.

PyYAML speaks YAML 1.1 and resolves silently. This reader takes only its events and decides by itself what a
plain scalar is (YAML 1.2.2, section 10.3.2), so that ``no``, ``on``, ``12:30`` and ``2026-01-01`` stay
text. What two readers could take differently is refused: tabs, anchors, merge keys, tags, directives,
further documents, duplicate keys, and raw characters that are invisible, reorder a line or end one in YAML
1.1 only.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

import yaml

from ade_runtime.strict_yaml.places import LINE_END, Faults, Span
from ade_runtime.wire_json import LARGEST, SMALLEST

MAX_DEPTH = 48
"""Levels of mappings and lists in one file."""
_MAX_FINDINGS = 20
_LONGEST_NUMBER = 400

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MAYBE_TYPED = frozenset("0123456789+-.~nNtTfF")

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks and overrides that change the order in which a line is shown, as a class of a regular expression."""
_RAW_REFUSED = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff{BIDI}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar: ``written`` without its quotes, ``value`` what the core schema makes of it."""

    span: Span
    value: str | int | float | bool | None
    written: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    span: Span
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    """``entries`` maps a key, as written, to its place and the node of its value, in the file's order."""

    span: Span
    entries: dict[str, tuple[Span, Node]]

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return entry[1] if entry else None

    def key_span(self, key: str) -> Span:
        return self.entries[key][0]


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> Any:
    """The node as plain data."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


def decode(data: bytes, file: str, sink: Faults) -> str | None:
    """The text of a file without a byte-order mark; a diagnostic and ``None`` where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start]
        line_start = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
        column = len(before[line_start:].decode("utf-8", "replace")) + 1
        line = len(LINE_END.findall(before.decode("latin-1"))) + 1
        byte = data[problem.start]
        message = f"byte 0x{byte:02x} is not UTF-8"
        sink.add(Span(file, line, column), "yaml-encoding", message, "save the file as UTF-8")
        return None


def read(text: str, file: str, sink: Faults) -> Mapping | None:
    """The top mapping of a file, or ``None`` when it has none; every fault goes to the sink."""
    text, sound = _scan(text, file, sink)
    if not sound:
        return None
    before = len(sink.items)
    root = _Composer(file, text, sink).compose()
    if isinstance(root, Mapping):
        return root
    if isinstance(root, Scalar) and not root.quoted and root.written == "":
        sink.add(
            Span(file, 1, 1), "yaml-empty", "the file is empty", "write something into it, or remove the file"
        )
    elif root is not None or len(sink.items) == before:
        span = root.span if root is not None else Span(file, 1, 1)
        message = "the top of the file is not a mapping"
        sink.add(span, "yaml-not-mapping", message, "begin with `key: value` lines, without a dash")
    return None


def lines_of(text: str) -> list[str]:
    """The lines as YAML counts them."""
    return LINE_END.split(text)


def _scan(text: str, file: str, sink: Faults) -> tuple[str, bool]:
    """Refuse what must not stand raw in a file; such characters come back replaced, one by one."""
    sound = "\t" not in text
    if not sound:
        tabbed = [(number, line) for number, line in enumerate(lines_of(text), 1) if "\t" in line]
        for number, line in tabbed[:_MAX_FINDINGS]:
            indents = "\t" in line[: len(line) - len(line.lstrip())]
            what = "a tab indents the line" if indents else "a tab stands in the line"
            span = Span(file, number, line.index("\t") + 1)
            sink.add(span, "yaml-tab", what, 'indent with spaces; inside a text write "\\t" in double quotes')
    refuse_characters(text, file, sink)
    return _RAW_REFUSED.sub("\ufffd", text), sound


def refuse_characters(text: str, file: str, sink: Faults) -> None:
    """Report raw characters that are invisible, reorder a line or end one for some readers only."""
    for found in islice(_RAW_REFUSED.finditer(text), _MAX_FINDINGS):
        before = lines_of(text[: found.start()])
        code = ord(found[0])
        sink.add(
            Span(file, len(before), len(before[-1]) + 1),
            "yaml-character",
            f"the character U+{code:04X} stands unescaped in the file",
            f'remove it, or write "\\u{code:04x}" in double quotes where the text may hold it',
        )


class _Composer:
    """Builds nodes from events with a stack of its own, so that deep nesting cannot exhaust Python's."""

    def __init__(self, file: str, text: str, sink: Faults) -> None:
        self.file = file
        self.text = text
        self.sink = sink
        self.stack: list[_Open] = []

    def span(self, mark: Any) -> Span:
        return Span(self.file, mark.line + 1, mark.column + 1)

    def compose(self) -> Node | None:
        """The one node of the one document; ``None`` after a fault that ends reading."""
        try:
            return self._build()
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        except yaml.YAMLError as error:
            message = " ".join(str(getattr(error, "reason", error)).split())
            self.sink.add(Span(self.file, 1, 1), "yaml-syntax", message, _QUOTE)
        return None

    def _build(self) -> Node | None:
        root: Node | None = None
        documents = 0
        for event in yaml.parse(self.text, Loader=_Loader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if not self._document(event, documents):
                    return None
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                if not self._open(event):
                    return None
            else:
                node = self._node(event)
                if node is not None and self.stack:
                    self._place(self.stack[-1], node)
                elif node is not None:
                    root = node
        return root if documents else Scalar(Span(self.file, 1, 1), None, "", False)

    def _node(self, event: Any) -> Node | None:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.AliasEvent):
            self._refuse_alias(event, f"*{event.anchor} is an alias")
            return Scalar(self.span(event.start_mark), "", "", True)
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            return self.stack.pop().close()
        return None

    def _open(self, event: Any) -> bool:
        self._decorations(event)
        span = self.span(event.start_mark)
        self.stack.append(_Open(span, isinstance(event, yaml.MappingStartEvent)))
        if len(self.stack) <= MAX_DEPTH:
            return True
        message = f"the file is nested deeper than {MAX_DEPTH} levels"
        self.sink.add(span, "yaml-depth", message, "flatten it, or give the inner parts names as types")
        return False

    def _document(self, event: Any, count: int) -> bool:
        span = self.span(event.start_mark)
        if event.version or event.tags:
            self.sink.add(span, "yaml-directive", "a % directive stands before the document", "remove it")
        if count > 1:
            help_text = "remove the ---; one file holds one document"
            self.sink.add(span, "yaml-document", "a second document begins here", help_text)
        return count == 1

    def _scalar(self, event: Any) -> Scalar:
        self._decorations(event)
        span, text = self.span(event.start_mark), event.value
        if event.style or event.tag is not None:
            if _SURROGATE.search(text):
                message = "the text holds half of a character (a surrogate)"
                self.sink.add(span, "yaml-character", message, "write the whole character")
                text = _SURROGATE.sub("\ufffd", text)
            return Scalar(span, text, text, True)
        return Scalar(span, self._resolve(text, span), text, False)

    def _resolve(self, text: str, span: Span) -> str | int | float | bool | None:
        if text and text[0] not in _MAYBE_TYPED:
            return text
        if text in _NULL:
            return None
        if text in _BOOL:
            return _BOOL[text]
        number = _number(text)
        if number is None:
            return text
        if isinstance(number, int) and SMALLEST <= number <= LARGEST:
            return number
        if isinstance(number, float) and math.isfinite(number):
            return number
        kind = "a 64-bit integer" if isinstance(number, int) else "a finite double"
        shown = text if len(text) <= 40 else text[:39] + "…"
        self.sink.add(span, "number-range", f"the number {shown} is not {kind}", "quote it if it is a text")
        return 0

    def _decorations(self, event: Any) -> None:
        if getattr(event, "anchor", None):
            self._refuse_alias(event, f"&{event.anchor} is an anchor")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            help_text = "remove the tag; quote a text that begins with !"
            message = f"the tag {tag} is not supported"
            self.sink.add(self.span(event.start_mark), "yaml-tag", message, help_text)

    def _refuse_alias(self, event: Any, what: str) -> None:
        self.sink.add(
            self.span(event.start_mark),
            "yaml-anchor",
            f"{what}; anchors and aliases are not supported",
            "write the value out in both places; quote a text that begins with & or *",
        )

    def _place(self, parent: _Open, node: Node) -> None:
        if not parent.is_mapping:
            parent.items.append(node)
        elif parent.key is None:
            parent.key = self._key(parent, node)
        else:
            key, parent.key = parent.key, None
            if key.span is not None:
                parent.entries[key.text] = (key.span, node)

    def _key(self, parent: _Open, node: Node) -> _Key:
        if not isinstance(node, Scalar):
            help_text = 'quote a text that begins with { or [, such as "{name}"'
            self.sink.add(node.span, "yaml-key", "a mapping or list stands where a key belongs", help_text)
        elif node.written == "<<" and not node.quoted:
            help_text = "write the merged keys out"
            self.sink.add(node.span, "yaml-merge-key", "the merge key << is not supported", help_text)
        elif node.written in parent.entries:
            first = parent.entries[node.written][0]
            where = f"line {first.line}, column {first.column}"
            message = f'duplicate key "{node.written}"; it stands in {where} already'
            self.sink.add(node.span, "yaml-duplicate-key", message, "keep one of the two")
        else:
            return _Key(node.written, node.span)
        return _Key("", None)

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark or error.context_mark
        span = Span(self.file, 1, 1) if mark is None else self.span(mark)
        lines = lines_of(self.text)
        if span.line > len(lines):
            span = Span(self.file, len(lines), len(lines[-1]) + 1)
        problem = (error.problem or "this is no YAML").strip()
        context = f" {error.context}" if error.context else ""
        code = "yaml-anchor" if "undefined alias" in problem else "yaml-syntax"
        self.sink.add(span, code, f"{problem}{context}", _hint(problem))


@dataclass(frozen=True, slots=True)
class _Key:
    """A key waiting for its value; without a span the value is dropped, because the key was refused."""

    text: str
    span: Span | None


class _Open:
    """A collection whose end has not been read."""

    __slots__ = ("entries", "is_mapping", "items", "key", "span")

    def __init__(self, span: Span, is_mapping: bool) -> None:
        self.span = span
        self.is_mapping = is_mapping
        self.entries: dict[str, tuple[Span, Node]] = {}
        self.items: list[Node] = []
        self.key: _Key | None = None

    def close(self) -> Node:
        return Mapping(self.span, self.entries) if self.is_mapping else Sequence(self.span, tuple(self.items))


def _number(text: str) -> int | float | None:
    if _INT.fullmatch(text):
        if len(text) > _LONGEST_NUMBER:
            return 2**64
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return math.nan if _SPECIAL_FLOAT.fullmatch(text) else None


_QUOTE = "quote a text that holds a colon with a blank or a #, or begins with one of { [ & * ! | > % @ `"


def _hint(problem: str) -> str:
    if "mapping values" in problem:
        return 'quote a text that holds ": ", such as "Add: a note"; else mend the indentation'
    return f"line the keys up; {_QUOTE}" if "block" in problem else _QUOTE
