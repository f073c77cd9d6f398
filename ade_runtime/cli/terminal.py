"""Cards and tables fitted to a terminal's width, by rich; imported only when there is a terminal."""

from __future__ import annotations

import io

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text


def table(header: list[str], body: list[list[str]], width: int, *, color: bool) -> str:
    """Rows under a header. Values are wrapped, never cut."""
    grid = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold" if color else "")
    for name in header:
        grid.add_column(Text(name), overflow="fold")
    for row in body:
        grid.add_row(*(Text(value) for value in row))
    return _printed(grid, width, color)


def card(pairs: list[tuple[str, str]], width: int, *, color: bool) -> str:
    """Labelled values, the labels in a column of their own."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim" if color else "", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in pairs:
        grid.add_row(Text(f"  {label}:"), Text(value))
    return _printed(grid, width, color)


def _printed(grid: Table, width: int, color: bool) -> str:
    target = io.StringIO()
    console = Console(
        file=target,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    console.print(grid)
    return "".join(line.rstrip() + "\n" for line in target.getvalue().splitlines())
