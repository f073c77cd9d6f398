"""Every layout, list and card alike, fits the terminal that shows it, and leaves out nothing of what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ade_generated.layouts import LAYOUTS
from ade_runtime.cli.clean import cells
from ade_runtime.cli.render import Screen, render
from ade_runtime.contracts import Layout

LONG = "The release notes of the spring-cleaning branch, which nobody has read yet 木曜日"
TIME = "2027-03-14T07:30:00Z"


def put(document: dict[str, Any], path: str, value: Any) -> None:
    *folders, last = path.split(".")
    for name in folders:
        document = document.setdefault(name, {})
    document[last] = value


def filled(layout: Layout) -> dict[str, Any]:
    """A document with something long in every place that the layout shows."""
    if layout.kind == "page":
        document = {"notes": [LONG]}
        for part in layout.parts:
            for path in (part.body, *(() if part.rows else (column.field for column in part.columns))):
                if path:
                    put(document, path, LONG)
            if part.rows:
                document |= filled(part)
        return document
    row: dict[str, Any] = (
        {"id": LONG, "parts": [{"name": LONG}, {"name": LONG}]} if not layout.columns else {}
    )
    for column in layout.columns:
        put(row, column.field, TIME if column.format == "time" else LONG)
    if layout.rows is None:
        return row
    document: dict[str, Any] = {"total": 99, "next": "cursor_2", "notes": [LONG]}
    put(document, layout.rows or "items", [row, row])
    return document


@pytest.mark.parametrize("width", [80, 60, 40])
@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("name", [name for name, one in LAYOUTS.items() if one.kind != "block"])
def test_it_fits(name: str, color: bool, width: int) -> None:
    layout = LAYOUTS[name]
    if layout.kind == "page":
        layout = replace(layout, parts=tuple(part for part in layout.parts if part.kind != "block"))
    text = render(filled(layout), layout, Screen(width=width, terminal=True, color=color))
    plain = render(filled(layout), layout, Screen(width=width, terminal=True))
    wide = [line for line in plain.splitlines() if cells(line) > width]
    assert text and not wide, wide
    shown = "".join("".join(plain.split()))
    assert "日" in shown or all(column.format for column in layout.columns)
