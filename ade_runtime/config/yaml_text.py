"""Values as YAML text that every reader of YAML 1.2 takes for the same."""

from __future__ import annotations

import json
import re
from typing import Any

from ade_runtime.strict_yaml.reader import BIDI

_PLAIN = re.compile(r"[A-Za-z_./][A-Za-z0-9_./+-]*")
_TYPED = frozenset(
    ["null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan", "~", "", ".", ".."]
)
_ESCAPED = re.compile(f'[\\\\"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff{BIDI}]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def block_lines(name: str, value: Any, column: int) -> list[str]:
    """An entry of a block mapping at ``column``: mappings as blocks, all else on one line."""
    lead = " " * column + key_text(name) + ":"
    if not isinstance(value, dict) or not value:
        return [f"{lead} {flow(value, inside=False)}"]
    return [lead, *(line for key, one in value.items() for line in block_lines(key, one, column + 2))]


def key_text(name: str) -> str:
    return _text(name)


def flow(value: Any, *, inside: bool) -> str:
    """A value in one line; ``inside`` a list or mapping in one line."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{key_text(key)}: {flow(one, inside=True)}" for key, one in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(flow(one, inside=True) for one in value) + "]"
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


def _text(value: str) -> str:
    """Bare where nobody could take it for anything but text, else in double quotes."""
    if _PLAIN.fullmatch(value) and value.lower() not in _TYPED and not _like_number(value):
        return value
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _like_number(value: str) -> bool:
    try:
        float(value.replace("_", ""))
    except ValueError:
        return value[0] in "+-." and value[1:2].isdigit()
    return True


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return _SHORT.get(char) or (f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}")
