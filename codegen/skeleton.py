"""Finds an escape that failed, by structure: a module with the author's text must have the syntax tree it has
without.

Every text of the specs is replaced by a harmless one of the same length and the module is rendered again; the
two trees may differ in the values of string literals and in nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from codegen import ir, memo
from codegen.failure import GenerationError
from codegen.text import SpecText
from codegen.walking import field_names

_HARMFUL = re.compile(r"(\{[a-z][a-z0-9_]*\})|[^A-Za-z0-9 \n]")
"""Anything but letters, digits and blanks; slots of messages stay, since the error classes pass what the
slots name.
"""

_STRINGS = re.compile(
    r"""(\b[rR]?[fF][rR]?(?=["']))?("{3}(?:[^\\]|\\.)*?"{3}|'{3}(?:[^\\]|\\.)*?'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*""",
    re.DOTALL,
)


def harmless(specs: ir.Specs) -> ir.Specs:
    """The specs with every text made of letters, digits, blanks and line ends."""
    found = _tame(specs)
    assert isinstance(found, ir.Specs)
    return found


def same_shape(path: str, content: str, expected: str) -> None:
    """Raise unless the trees agree but for the values of their strings."""
    if bare(content) != bare(expected) and not _alike(_parse(path, content), _parse(path, expected)):
        raise GenerationError(f"{path}: text from the specs changed the structure of the module")


def bare(content: str) -> str:
    """A module without the values of its strings and without comments.

    Where these agree the tokens do, and so do the trees; it costs a third of making trees. What a formatted string holds
    is code, so it stays.
    """
    return _STRINGS.sub(lambda found: found[0] if found[1] else '""' if found[2] else "", content)


def _parse(path: str, content: str) -> ast.Module:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError) as problem:
        raise GenerationError(f"{path} does not parse: {problem}") from None


def _alike(one: Any, two: Any) -> bool:
    kind = type(one)
    if kind is not type(two):
        return False
    if kind is list:
        return len(one) == len(two) and all(map(_alike, one, two))
    if kind is ast.Constant:
        kinds = type(one.value), type(two.value)
        return kinds == (str, str) or (kinds[0] is kinds[1] and bool(one.value == two.value))
    if isinstance(one, ast.AST):
        return all(_alike(getattr(one, name), getattr(two, name)) for name in kind._fields)
    return bool(one == two)


def _tame(value: Any) -> Any:
    if isinstance(value, _PARTS):
        return memo.of(_tame, value, lambda: _tamed(value))
    if isinstance(value, SpecText):
        return SpecText(_HARMFUL.sub(lambda found: found[1] or "x", value.raw))
    if value is None or isinstance(value, str | int | float | ir.Span):
        return value
    if field_names(type(value)) is not None:
        return _tamed(value)
    if isinstance(value, tuple):
        return tuple(_tame(item) for item in value)
    if isinstance(value, Mapping):
        return {key: _tame(item) for key, item in value.items()}
    return value


_PARTS = (
    *(
        ir.Completer,
        ir.Domain,
        ir.EnvironmentVariable,
        ir.ErrorSpec,
        ir.ExternalTool,
        ir.Fixture,
        ir.GuidanceText,
        ir.Method,
    ),
    *(
        ir.NamedType,
        ir.Provider,
        ir.RateLimit,
        ir.Role,
        ir.RunMove,
        ir.RunRule,
        ir.SkillText,
        ir.TextLayout,
        ir.Toolset,
    ),
)
"""What the specs consist of; a part that is still the same need not be made harmless again."""


def _tamed(value: Any) -> Any:
    kind = type(value)
    return kind(**{name: _tame(getattr(value, name)) for name in field_names(kind) or ()})
