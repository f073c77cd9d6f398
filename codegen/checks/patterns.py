"""Regular expressions: the subset on which Rust's ``regex``, ECMAScript and Python's ``re`` agree.

pydantic's engine (Rust) decides; JSON Schema clients run ECMAScript, property tests run Python. A construct
that one of them lacks or reads differently is refused with what to write instead.
"""

from __future__ import annotations

import re

from codegen.validate import PatternError, compile_pattern

_TOKEN = re.compile(r"\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\.|\(\?P?[<=!:]?[=!]?|[*+?}][+?]?|.", re.DOTALL)
_CLASSES = {
    "d": "[0-9]",
    "D": "[^0-9]",
    "w": "[A-Za-z0-9_]",
    "W": "[^A-Za-z0-9_]",
    "s": "[ \\t\\n\\r]",
    "S": "[^ \\t\\n\\r]",
}
_CONTROL = frozenset("nrtfv")


def problem(pattern: str) -> tuple[str, str] | None:
    """What is wrong with a pattern and what to do, or ``None``."""
    found = _construct(pattern)
    if found is not None:
        return found
    try:
        compile_pattern(pattern)
        re.compile(pattern)
    except PatternError as error:
        return (
            f"the pattern is no valid regular expression: {_reason(str(error))}",
            "mend it; see docs.rs/regex",
        )
    except (re.error, OverflowError, RecursionError) as error:
        return f"the pattern is no valid regular expression: {error}", "mend it"
    return None


def _construct(pattern: str) -> tuple[str, str] | None:
    in_class = False
    for token in _TOKEN.findall(pattern):
        if token.startswith("\\"):
            found = _escape(token)
            if found is not None:
                return found
        elif in_class:
            if token == "[":
                return "the pattern nests [ inside a class", "write \\[ for the character"
            in_class = token != "]"
        elif token == "[":
            in_class = True
        elif token.startswith("(?") and token != "(?:":
            return _group(token)
        elif len(token) == 2 and token[1] == "+":
            return f"the pattern holds the possessive quantifier {token}", "write it without the second +"
    doubled = re.search(r"&&|--|~~", pattern)
    if doubled and re.search(r"\[[^\]]*(?:&&|--|~~)", pattern):
        return (
            f"the pattern holds the set operator {doubled[0]} in a class",
            f"write \\{doubled[0][0]} for the character",
        )
    return None


def _escape(token: str) -> tuple[str, str] | None:
    char = token[1:2]
    if char in _CLASSES:
        why = "which engines read differently (ASCII or Unicode)"
        return f"the pattern holds {token}, {why}", f"write {_CLASSES[char]}"
    if char.isdigit():
        return f"the pattern holds the back reference {token}", "write the alternatives out"
    if char in "bB":
        return f"the pattern holds the word boundary {token}", "anchor it with ^ and $"
    if char in "AzZG":
        return f"the pattern holds the anchor {token}", "write ^ or $"
    if char in "pP":
        return f"the pattern holds the Unicode class {token}", "list the ranges, such as [A-Za-z]"
    if char.isalpha() and char not in _CONTROL and len(token) == 2:
        return f"the pattern holds the unknown escape {token}", "remove the backslash"
    if not char.isascii():
        return f"the pattern escapes {char}, which needs no escape", "remove the backslash"
    return None


def _group(token: str) -> tuple[str, str]:
    if "=" in token or "!" in token:
        return "the pattern holds a lookaround", "say what is allowed, or check it in the handler"
    if "<" in token or "P" in token:
        return "the pattern holds a named group", "write (?: … ) or ( … )"
    return "the pattern sets inline flags", "write both cases out, such as [Aa]"


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    error = next((line.removeprefix("error:").strip() for line in lines if line.startswith("error:")), "")
    return error or lines[-1]
