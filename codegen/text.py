"""Text an author wrote, which may land anywhere and must be escaped for where it lands.

A :class:`SpecText` refuses to be printed by itself; each context is a method, and the templates reach them as
filters. The rules come from the grammars of the targets: Python's lexical analysis, CommonMark 0.31 and the
POSIX shell.
"""

from __future__ import annotations

import html as html_module
import json as json_module
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$])")
_MARKDOWN_LINE_START = re.compile(r"^(\s*[0-9]*)([-=.])", re.MULTILINE)
_NOT_PLAIN = re.compile(r"[^ !#-\[\]-~]")
_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class SpecText:
    """One text of a spec. ``raw`` is exactly what the author wrote; only checks and encoders read it."""

    raw: str

    def __str__(self) -> str:
        raise TypeError("spec text must be printed through a context: literal, comment, markdown, help, …")

    def __format__(self, spec: str) -> str:
        return str(self)

    def __html__(self) -> str:
        return self.html()

    def __bool__(self) -> bool:
        return bool(self.raw)

    def literal(self) -> str:
        """A Python string literal in double quotes that evaluates to the text; ASCII only, one line."""
        return python_literal(self.raw)

    def docstring(self) -> str:
        """A Python docstring literal whose value is exactly the text, on one line; see :func:`docstring`."""
        return docstring(self.raw)

    def comment(self) -> str:
        """One line for a Python, YAML or shell comment."""
        return " ".join(visible(part) for part in _LINE_ENDS.split(self.raw)).strip()

    def one_line(self) -> str:
        """The text on one line with control characters made visible; for plain-text products."""
        return one_line(self.raw)

    def markdown(self) -> str:
        """Inline Markdown that renders as the text, on one line, safe in a table cell."""
        return markdown(self.one_line())

    def html(self) -> str:
        return html_module.escape(self.raw, quote=True)

    def shell(self) -> str:
        """One word of a POSIX shell command."""
        return shlex.quote(self.one_line())

    def json(self) -> str:
        return json_module.dumps(self.raw, ensure_ascii=True)


def python_literal(value: str) -> str:
    """A double-quoted ASCII Python literal for any text (JSON escapes are a subset of Python's but for
    surrogate pairs).
    """
    if not _NOT_PLAIN.search(value):
        return f'"{value}"'
    out = []
    for char in value:
        code = ord(char)
        if char in '"\\':
            out.append("\\" + char)
        elif 0x20 <= code < 0x7F:
            out.append(char)
        elif char == "\n":
            out.append("\\n")
        elif code <= 0xFF:
            out.append(f"\\x{code:02x}")
        elif code <= 0xFFFF:
            out.append(f"\\u{code:04x}")
        else:
            out.append(f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def docstring(value: str) -> str:
    """A docstring literal that keeps its value when a formatter trims blanks and pads quotes at its ends."""
    body = python_literal(value)[1:-1]
    for mark in (" ", '\\"', "\\\\"):
        code = f"\\x{ord(mark[-1]):02x}"
        if body.startswith(mark):
            body = code + body[len(mark) :]
        if body.endswith(mark):
            body = body[: -len(mark)] + code
    return f'"""{body}"""'


def visible(value: str) -> str:
    """Control characters and bidirectional overrides as ``\\uXXXX``, everything else as it is."""
    if value.replace("\n", "").isprintable():
        return value
    return "".join(char if char.isprintable() or char in "\n\t" else f"\\u{ord(char):04x}" for char in value)


def one_line(value: str) -> str:
    return re.sub(r"\s+", " ", visible(_LINE_ENDS.sub(" ", value))).strip()


def markdown(value: str) -> str:
    """Escape a line for Markdown; every character that could start a construct gets a backslash."""
    return _MARKDOWN_LINE_START.sub(r"\1\\\2", _MARKDOWN_SPECIAL.sub(r"\\\1", value))


def code_span(value: str) -> str:
    """An inline code span holding the value, with a fence longer than any run of backticks in it (CommonMark
    6.1).
    """
    value = re.sub(r"\s+", " ", visible(_LINE_ENDS.sub(" ", value)))
    longest = max((len(run) for run in re.findall(r"`+", value)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if value.startswith("`") or value.endswith("`") or not value.strip() else ""
    return f"{fence}{pad}{value}{pad}{fence}".replace("|", "\\|")


def python_value(value: Any) -> str:
    """Python source of plain data: spec text, strings, numbers, booleans, None, and tuples, lists and
    mappings of them.
    """
    if isinstance(value, SpecText):
        return value.literal()
    if isinstance(value, Enum):
        raise TypeError("an enum member has no plain source: print its name")
    if isinstance(value, str):
        return python_literal(value)
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{python_value(k)}: {python_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(python_value(item) for item in value) + (",)" if len(value) == 1 else ")")
    if isinstance(value, list):
        return "[" + ", ".join(python_value(item) for item in value) + "]"
    raise TypeError(f"{type(value).__name__} has no Python source here")
