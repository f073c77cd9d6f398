"""What a model is given back: bounded, clean, and the same facts in both channels.

Some clients show their model only the structured part, others only the text, and each cuts long results in its own way,
one in the middle. So both parts hold the same document, and what is too long is made short here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from ade_runtime.cli.clean import clean
from ade_runtime.contracts import AdeError, JsonObject

BUDGET = 10 * 1024
"""Bytes of JSON a result may have, below what every client passes on whole."""

SHORTEST_CUT = 200
"""Texts up to this many characters are never cut: names and ids must stay whole."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """``text`` always says all there is to say. ``structured`` fits the tool's output schema, and is ``None`` for an error."""

    text: str
    structured: JsonObject | None
    is_error: bool = False


def success(document: JsonObject, *, budget: int = BUDGET, notices: tuple[str, ...] = ()) -> ToolResult:
    """The result of a call that worked. Texts in it are cut where it is longer than ``budget`` bytes; what was cut is said
    before and after the document. ``notices`` stand before it."""
    if notices:
        bare = success(document, budget=budget)
        said = "\n".join(f"[{clean(notice)}]" for notice in notices)
        return ToolResult(f"{said}\n{bare.text}", bare.structured)
    shown = cleaned(document)
    text = dumped(shown)
    if len(text) <= budget:
        return ToolResult(text, shown)
    whole = len(text)
    shown = _cut_texts(shown, budget)
    text = dumped(shown)
    note = f"[{whole} bytes are too long; the longest texts below are cut. Ask for less: a path, a range, a smaller limit.]"
    return ToolResult(f"{note}\n{text}\n{note}", shown)


def failure(problem: AdeError) -> ToolResult:
    """The result of a call that did not work, with its code and the way on: some clients do not mark errors as such."""
    return ToolResult(dumped({"error": cleaned(problem.envelope())}), None, is_error=True)


def size(document: JsonObject) -> int:
    """Bytes of a document as a result."""
    return len(dumped(cleaned(document)))


def dumped(document: JsonObject) -> str:
    """Compact JSON."""
    return orjson.dumps(document).decode()


def cleaned(value: Any) -> Any:
    """A document without control characters and lone surrogates: those end sessions and drive terminals."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): cleaned(item) for key, item in value.items()}
    return value


def _cut_texts(document: JsonObject, budget: int) -> JsonObject:
    """The document with its long texts cut to the same length, the largest that fits the budget; where no cut of texts is
    enough, the shortest."""
    low, high = SHORTEST_CUT, budget
    while low < high:
        middle = (low + high + 1) // 2
        if len(dumped(_limited(document, middle))) <= budget:
            low = middle
        else:
            high = middle - 1
    shown: JsonObject = _limited(document, low)
    return shown


def _limited(value: Any, length: int) -> Any:
    if isinstance(value, str) and len(value) > length:
        return f"{value[:length]}… [{len(value) - length} more characters]"
    if isinstance(value, list):
        return [_limited(item, length) for item in value]
    if isinstance(value, dict):
        return {key: _limited(item, length) for key, item in value.items()}
    return value
