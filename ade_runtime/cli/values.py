"""Reading text once, by the declared type of the field it is for.

Nothing is guessed from what the text looks like.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Literal

ValueType = Literal["text", "integer", "number", "boolean", "json", "duration"]

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m|h)?")
_SPAN = re.compile(r"(?:([0-9]{1,5})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,8})m)?(?:([0-9]{1,9})s)?|([0-9]{1,9})")
_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
MAX_SECONDS = 24 * 3600.0


def read_value(kind: ValueType, text: str, *, choices: Sequence[str] = ()) -> Any:
    """The value that ``text`` writes for a field of type ``kind``; ``ValueError`` says what is wrong in one
    clause.

    Bounds, lengths and patterns are not judged here: the action's own model does that for every way in.
    """
    match kind:
        case "text":
            return _choice(text, choices) if choices else text
        case "integer":
            return _integer(text)
        case "number":
            return _number(text)
        case "boolean":
            return _boolean(text)
        case "json":
            return read_json(text)
        case "duration":
            return read_span(text)


def read_json(text: str) -> Any:
    """Strict JSON: no duplicate keys, no NaN, no infinities."""
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def read_duration(text: str) -> float:
    """Seconds of ``500ms``, ``30s``, ``5m``, ``1h`` or a bare number of seconds."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError("is not a duration; write it like 500ms, 30s, 5m or 1h")
    seconds = float(match[1]) * _UNIT_SECONDS[match[2] or "s"]
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError("must be more than 0 and at most 24h")
    return seconds


def read_span(text: str) -> int:
    """Whole seconds of ``90s``, ``12m``, ``2h30m``, ``3d`` or a bare number of seconds."""
    match = _SPAN.fullmatch(text)
    if match is None or not any(match.groups()):
        raise ValueError("is not a duration; write it like 90s, 12m, 2h30m or 3d")
    days, hours, minutes, seconds, bare = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds + bare


def closest(word: str, names: Sequence[str], *, count: int = 3) -> list[str]:
    """The names that ``word`` may have been meant as, best first."""
    lowered = {name.lower(): name for name in names}
    found = get_close_matches(word.lower(), list(lowered), n=count, cutoff=0.6)
    return [lowered[name] for name in found]


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """``Did you mean a, b or c?`` or nothing."""
    found = closest(word, names)
    return f"Did you mean {join_words(found, 'or')}?" if found else ""


def join_words(words: Sequence[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def shown(text: str, limit: int = 80) -> str:
    """``text`` quoted for a one-line message: control characters escaped, cut at ``limit`` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in cut)


def _choice(text: str, choices: Sequence[str]) -> str:
    if text in choices:
        return text
    mean = did_you_mean(text, choices)
    raise ValueError(
        f"must be {join_words(list(choices), 'or')}" + (f"; {mean[0].lower()}{mean[1:]}" if mean else "")
    )


def _integer(text: str) -> int:
    if _INTEGER.fullmatch(text) is None:
        raise ValueError("is not an integer")
    if len(text) > 20:
        raise ValueError("is past a 64-bit integer")
    return int(text)


def _number(text: str) -> int | float:
    if _NUMBER.fullmatch(text) is None:
        raise ValueError("is not a number")
    if _INTEGER.fullmatch(text) is not None and len(text) <= 20:
        return int(text)
    return _finite(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("is past the largest number")
    return value


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("must be true or false")
    return text == "true"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"gives the key {shown(twice)} twice")
    return out


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"holds {name}, which is not JSON")
