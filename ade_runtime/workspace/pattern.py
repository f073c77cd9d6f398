r"""What is searched for, in Python's words and in ripgrep's.

A query is read by a grammar of its own, small enough that both engines mean the same by it: literals, ``.``, classes, groups,
``|``, ``* + ? {m,n}`` (and lazy ones), ``^ $ \b \B``, ``\w \d \s`` and their opposites, all about ASCII. Python's pattern
decides; ripgrep's may only find more (it is used to leave out files), so where the two differ its side is written wider.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_REPEATS = 1000
DEEPEST = 50
_BYTE = r"(?-u:[\x80-\xff])"
"""For ripgrep: a byte that is no UTF-8, which Python sees as one character."""
_CLASSES = {"w": "0-9A-Za-z_", "d": "0-9", "s": r" \t\r\f\v"}
_CONTROLS = {"t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_SPECIAL = frozenset(r"\.+*?()|[]{}^$#&-~")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??")


class BadPattern(ValueError):
    """The query is no pattern of this grammar; the text says why."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """``python`` is for :func:`compiled`, ``rust`` for ripgrep; ``literal`` is what every match holds, where it is known."""

    python: str
    rust: str
    ignore_case: bool
    literal: str | None


def compiled(python: str, *, ignore_case: bool) -> re.Pattern[str]:
    return re.compile(python, re.ASCII | (re.IGNORECASE if ignore_case else 0))


def pattern_of(query: str, *, regex: bool, ignore_case: bool, whole_word: bool) -> Pattern:
    """Raises :class:`BadPattern`."""
    if "\n" in query:
        raise BadPattern("it holds a line end, and lines are searched one by one")
    if regex:
        python, rust = _Reader(query).read()
        literal = None
    else:
        python, rust = re.escape(query), _rust(query)
        literal = None if ignore_case else query
    if whole_word:
        python = f"(?<![0-9A-Za-z_])(?:{python})(?![0-9A-Za-z_])"
    try:
        compiled(python, ignore_case=ignore_case)
    except (re.error, OverflowError, RecursionError) as problem:
        raise BadPattern(str(problem)) from None
    return Pattern(python, f"(?i){rust}" if ignore_case else rust, ignore_case, literal)


def _rust(text: str) -> str:
    return "".join(f"\\{char}" if char in _SPECIAL else _control(char) for char in text)


def _control(char: str) -> str:
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"


class _Reader:
    """Reads a query once, left to right, and writes both patterns side by side."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._at = 0
        self._python: list[str] = []
        self._rust: list[str] = []

    def read(self) -> tuple[str, str]:
        self._alternatives(0)
        if self._at < len(self._query):
            raise BadPattern(f"the ) at {self._at + 1} closes nothing")
        return "".join(self._python), "".join(self._rust)

    def _put(self, python: str, rust: str | None = None) -> None:
        self._python.append(python)
        self._rust.append(python if rust is None else rust)

    def _alternatives(self, depth: int) -> None:
        if depth > DEEPEST:
            raise BadPattern(f"its groups are nested more than {DEEPEST} deep")
        while self._at < len(self._query) and self._query[self._at] != ")":
            if self._query[self._at] == "|":
                self._at += 1
                self._put("|")
                continue
            if self._atom(depth):
                self._quantifier()
            elif _QUANTIFIER.match(self._query, self._at):
                raise BadPattern(f"nothing stands before the repetition at {self._at + 1}")

    def _atom(self, depth: int) -> bool:
        """One thing that can be repeated; false for an anchor."""
        char = self._query[self._at]
        if char in "^$":
            self._at += 1
            self._put(*(("^",) if char == "^" else (r"\Z", r"(?:\r?$)")))
            return False
        if char == "\\":
            return self._escape()
        if char == "(":
            self._group(depth)
        elif char == "[":
            self._class()
        elif char == ".":
            self._at += 1
            self._put(".", f"(?:.|{_BYTE})")
        elif char in "*+?" or _QUANTIFIER.match(self._query, self._at):
            raise BadPattern(f"nothing stands before the repetition at {self._at + 1}")
        else:
            self._at += 1
            self._put(re.escape(char), _rust(char))
        return True

    def _group(self, depth: int) -> None:
        start = self._at
        self._at += 1
        if self._query.startswith("?", self._at):
            if not self._query.startswith("?:", self._at):
                raise BadPattern(f"the group at {start + 1} is of a kind that not every engine knows")
            self._at += 2
        self._put("(?:")
        self._alternatives(depth + 1)
        if self._at >= len(self._query):
            raise BadPattern(f"the ( at {start + 1} is not closed")
        self._at += 1
        self._put(")")

    def _escape(self) -> bool:
        kind = self._next_escape()
        if kind in ("b", "B"):
            self._put(f"\\{kind}", f"(?-u:\\{kind})")
            return False
        if kind.lower() in _CLASSES and kind.isalpha():
            members = _CLASSES[kind.lower()]
            if kind.islower():
                self._put(f"[{members}]")
            else:
                self._put(f"[^{members}]", f"(?:[^{members}]|{_BYTE})")
            return True
        char = self._character(kind)
        self._put(re.escape(char), _rust(char))
        return True

    def _next_escape(self) -> str:
        if self._at + 1 >= len(self._query):
            raise BadPattern("it ends with a \\")
        self._at += 2
        return self._query[self._at - 1]

    def _character(self, kind: str) -> str:
        """The character that an escape stands for."""
        if kind in _CONTROLS:
            return _CONTROLS[kind]
        if kind.isascii() and kind.isalnum():
            raise BadPattern(f"not every engine knows \\{kind}")
        return kind

    def _quantifier(self) -> None:
        found = _QUANTIFIER.match(self._query, self._at)
        if found is None:
            return
        least, _, most = found.groups()
        if least is not None and max(int(least), int(most or 0)) > MOST_REPEATS:
            raise BadPattern(f"it repeats something more than {MOST_REPEATS} times")
        self._at = found.end()
        self._put(found[0])
        if _QUANTIFIER.match(self._query, self._at) or self._query.startswith("+", self._at):
            raise BadPattern(f"one repetition follows another at {self._at + 1}")

    def _class(self) -> None:
        start = self._at
        self._at += 1
        negated = self._query.startswith("^", self._at)
        self._at += negated
        python, rust = "", ""
        first = True
        while first or not self._query.startswith("]", self._at):
            first = False
            if self._at >= len(self._query):
                raise BadPattern(f"the [ at {start + 1} is not closed")
            one, other = self._member()
            python += one
            rust += other
        self._at += 1
        if negated:
            self._put(f"[^{python}]", f"(?:[^{rust}]|{_BYTE})")
        else:
            self._put(f"[{python}]", f"[{rust}]")

    def _member(self) -> tuple[str, str]:
        """A character, a range or ``\\w \\d \\s`` in a class."""
        low = self._class_character()
        begins_range = self._query.startswith("-", self._at) and not self._query.startswith("-]", self._at)
        if low is None:
            if begins_range:
                raise BadPattern("a range in a class has no beginning")
            members = _CLASSES[self._query[self._at - 1]]
            return members, members
        if not begins_range:
            return _in_class(low)
        self._at += 1
        high = self._class_character() if self._at < len(self._query) else None
        if high is None:
            raise BadPattern("a range in a class has no end")
        if high < low:
            raise BadPattern(f"the range {low}-{high} in a class is the wrong way round")
        one, other = zip(_in_class(low), _in_class(high), strict=True)
        return "-".join(one), "-".join(other)

    def _class_character(self) -> str | None:
        """The next character of a class, ``None`` for one of ``\\w \\d \\s``."""
        char = self._query[self._at]
        if char == "[" and self._query[self._at + 1 : self._at + 2] in (":", "=", "."):
            raise BadPattern("not every engine knows named classes")
        if char != "\\":
            self._at += 1
            return char
        kind = self._next_escape()
        if kind in _CLASSES:
            return None
        if kind in ("W", "D", "S", "b", "B"):
            raise BadPattern(f"\\{kind} cannot stand in a class")
        return self._character(kind)


def _in_class(char: str) -> tuple[str, str]:
    """The character as a member of a class, for Python and for ripgrep."""
    if char.isascii() and not char.isalnum():
        return (f"\\{char}", f"\\{char}") if char.isprintable() else (f"\\x{ord(char):02x}",) * 2
    return char, char if char.isprintable() else f"\\u{{{ord(char):x}}}"
