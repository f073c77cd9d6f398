"""An output document as text, by its layout: a card of fields, a table of rows, a list of cards, one block, or a page of those.

Lines for a terminal may be coloured and are fitted to its width. Lines for a pipe are plain and whole: nothing is cut that
a reader may want to copy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

import orjson

from ade_runtime.cli.clean import cells, clean, clean_line
from ade_runtime.cli.objects import labelled, plain_columns
from ade_runtime.contracts import JsonObject

_SLOT = re.compile(r"\{([A-Za-z0-9_.]+)\}")
NOTHING = "-"
CONTINUED = "  "
"""What the further lines of a broken sentence begin with."""


class ColumnLike(Protocol):
    @property
    def field(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def format(self) -> str | None: ...


class LayoutLike(Protocol):
    """One entry of the generated ``ade_generated.layouts``."""

    @property
    def kind(self) -> str: ...
    @property
    def headline(self) -> str | None: ...
    @property
    def rows(self) -> str | None: ...
    @property
    def body(self) -> str | None: ...
    @property
    def empty(self) -> str | None: ...
    @property
    def columns(self) -> Sequence[ColumnLike]: ...
    @property
    def parts(self) -> Sequence[LayoutLike]: ...


@dataclass(frozen=True, slots=True)
class Screen:
    """Where text goes. ``color`` is only ever true on a terminal."""

    width: int = 80
    terminal: bool = False
    color: bool = False


def render(document: JsonObject, layout: LayoutLike | None, screen: Screen) -> str:
    """``document`` as text ending in a newline. Without a layout every field is shown."""
    if layout is None:
        return _card([(key, _value(value, None)) for key, value in document.items()], screen)
    return _whole(document, layout, screen) + _remarks(document, layout, screen)


def _whole(document: JsonObject, layout: LayoutLike, screen: Screen) -> str:
    """All that a layout shows."""
    heading = _heading(_fill(layout.headline, document), screen) if layout.headline else ""
    if layout.kind == "page":
        shown = (_whole(document, part, screen) for part in layout.parts if _has_something(document, part))
        return heading + "\n".join(part for part in shown if part)
    if layout.kind == "block":
        body = _block(at(document, layout.body or ""))
    elif layout.kind in ("table", "list"):
        body = _rows_part(document, layout, screen)
    else:
        body = ""
    fields = _fields(document, layout, screen) if layout.kind in ("block", "card") else ""
    return heading + body + fields


def _has_something(document: JsonObject, part: LayoutLike) -> bool:
    """Whether a part of a page is shown: one that has nothing, and no words for that, is not."""
    held = {"block": part.body, "table": part.rows, "list": part.rows}.get(part.kind)
    return held is None or part.empty is not None or not (_absent(found := at(document, held)) or found == "")


def _fields(document: JsonObject, layout: LayoutLike, screen: Screen) -> str:
    """The columns of a card, or what stands below a block: those that are there."""
    pairs = [(column.label, at(document, column.field), column.format) for column in layout.columns]
    return _card([(label, _value(v, f)) for label, v, f in pairs if not _absent(v)], screen)


def at(document: Any, path: str) -> Any:
    """The value at a dotted path, ``None`` where it leads nowhere. A list stands for its elements: what the rest of the path
    leads to in each of them, one after the other; a number in the path is the place of one of them, from 0.
    """
    key, _, rest = path.partition(".")
    if isinstance(document, list) and key.isdigit():
        one = document[int(key)] if int(key) < len(document) else None
        return at(one, rest) if rest else one
    if isinstance(document, list):
        found = [at(item, path) for item in document]
        return [
            one for each in found if each is not None for one in (each if isinstance(each, list) else [each])
        ]
    if not isinstance(document, Mapping):
        return None
    return at(document.get(key), rest) if rest else document.get(key)


def _absent(value: Any) -> bool:
    return value is None or value == [] or value == {}


def _rows_part(document: JsonObject, layout: LayoutLike, screen: Screen) -> str:
    rows = at(document, layout.rows or "items")
    if not isinstance(rows, list) or not rows:
        return _fitted(clean_line(_fill(layout.empty or "Nothing here.", document)), screen) + "\n"
    columns = [(column.label, column.field, column.format) for column in layout.columns]
    if not columns:
        columns = plain_columns(rows)
    if layout.kind == "table" or (columns and not layout.columns):
        body = [[_value(at(row, field), style) for _, field, style in columns] for row in rows]
        text = _table([name for name, _, _ in columns], body, screen)
    else:
        text = "\n".join(_row_card(row, layout, screen) for row in rows)
    total, following = document.get("total"), document.get("next")
    if isinstance(following, str) and " " in following:  # no cursor has blanks: this says what to do next
        text += _fitted(f"next: {clean_line(following)}", screen) + "\n"
    elif following is not None:
        shown = f"{len(rows)} of {total}" if isinstance(total, int) else f"{len(rows)}"
        text += _fitted(f"{shown} shown; go on with --cursor {clean_line(str(following))}", screen) + "\n"
    return text


def _row_card(row: Any, layout: LayoutLike, screen: Screen) -> str:
    """One row as a card: the columns, or without any all that it holds."""
    if layout.columns or not isinstance(row, Mapping):
        return _fields(dict(row), layout, screen) if isinstance(row, Mapping) else f"  {_value(row, None)}\n"
    return _card([(name, _value(v, f) if v != "" else "") for name, v, f in labelled(row)], screen)


def _remarks(document: JsonObject, layout: LayoutLike, screen: Screen) -> str:
    """``notes`` and ``failures`` of an answer, which no layout may keep from the reader."""
    shown = {column.field for column in layout.columns}
    notes = document.get("notes") if "notes" not in shown else None
    failures = document.get("failures") if "failures" not in shown else None
    lines = [f"note: {clean_line(str(note))}" for note in notes] if isinstance(notes, list) else []
    if isinstance(failures, list):
        lines += [f"failed: {_inner(failure)}" for failure in failures]
    return "".join(_fitted(line, screen) + "\n" for line in lines)


def _fill(template: str, document: JsonObject) -> str:
    return _SLOT.sub(lambda slot: clean_line(_value(at(document, slot[1]), None)), template)


def _value(value: Any, style: str | None) -> str:
    """One value as one line of text."""
    if _absent(value):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return _styled(value, style)
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        texts = [_value(item, style) for item in value]
        return (" " if all(text.endswith(".") for text in texts) else ", ").join(texts)
    if isinstance(value, list):
        return "; ".join(_inner(item) for item in value)
    return _inner(value)


def _inner(value: Any) -> str:
    """A nested object in a line: its own fields where they are plain, JSON where they are not."""
    if isinstance(value, dict) and all(_plain(item) for item in value.values()):
        return " ".join(_value(item, None) for item in value.values() if not _absent(item))
    return clean_line(orjson.dumps(value).decode())


def _plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(not isinstance(item, dict | list) for item in value)
    return not isinstance(value, dict)


def _styled(value: str, style: str | None) -> str:
    if style == "time":
        return _time(value)
    if style == "commit":
        return clean_line(value[:10])
    return clean_line(value)


def _time(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return clean_line(value)
    if moment.tzinfo is None:
        return clean_line(value)
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _block(value: Any) -> str:
    if value is None or value == "":
        return ""
    text = clean(value) if isinstance(value, str) else _value(value, None)
    return text if text.endswith("\n") else text + "\n"


def _fitted(text: str, screen: Screen) -> str:
    """A sentence broken between its words where a terminal ends; a word is never broken, so that it can be copied."""
    if not screen.terminal or cells(text) <= screen.width:
        return text
    lines, left = [""], 0
    for word in text.split(" "):
        if left and left + 1 + cells(word) > screen.width:
            lines.append(CONTINUED)
            left = 0
        lines[-1] += f" {word}" if left else word
        left = cells(lines[-1])
    return "\n".join(lines)


def _heading(text: str, screen: Screen) -> str:
    text = _fitted(text, screen)
    return f"\x1b[1m{text}\x1b[0m\n" if screen.color else text + "\n"


def _card(pairs: list[tuple[str, str]], screen: Screen) -> str:
    if not pairs:
        return ""
    if screen.terminal:
        from ade_runtime.cli.terminal import card

        return card(pairs, screen.width, color=screen.color)
    widest = max(cells(label) for label, _ in pairs)
    lines = (f"  {label}:{' ' * (widest - cells(label))} {value}" for label, value in pairs)
    return "".join(line.rstrip() + "\n" for line in lines)


def _table(header: list[str], body: list[list[str]], screen: Screen) -> str:
    if screen.terminal:
        from ade_runtime.cli.terminal import table

        return table(header, body, screen.width, color=screen.color)
    lines = [[name.upper() for name in header], *body]
    widths = [max(cells(line[index]) for line in lines) for index in range(len(header))]
    return "".join(_padded(line, widths) for line in lines)


def _padded(line: list[str], widths: list[int]) -> str:
    text = "  ".join(value + " " * (width - cells(value)) for value, width in zip(line, widths, strict=True))
    return text.rstrip() + "\n"
