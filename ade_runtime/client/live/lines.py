"""Lines that fit a terminal. Everything that others wrote is made safe to print."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.text import Text

from ade_runtime.cli.clean import clean

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
DETAIL_LIMIT = 20_000
"""Most characters of one text that are shown; the rest is in the command's own output."""

_CONSOLE = Console(file=io.StringIO(), force_terminal=False)


def page(lines: Sequence[str], rows: int, cursor: int | None) -> bytes:
    """What to send to a terminal to make it show the lines; ``cursor`` is the column of the last one where typing goes on."""
    data = "\x1b[?25l\x1b[H" + "\r\n".join(line + "\x1b[K" for line in lines) + "\x1b[J"
    if cursor is not None:
        data += f"\x1b[{rows};{cursor + 1}H\x1b[?25h"
    return data.encode("utf-8", "backslashreplace")


def wrapped(text: str, columns: int, indent: int = 0) -> list[str]:
    """A text on as many lines as it takes, each at most ``columns`` wide."""
    if len(text) > DETAIL_LIMIT:
        text = text[:DETAIL_LIMIT] + f"\n… {len(text) - DETAIL_LIMIT} more characters"
    width = max(4, columns - indent)
    lines = Text(clean(text.replace("\t", "    ")), overflow="fold").wrap(_CONSOLE, width)
    return [" " * indent + line.plain.rstrip() for line in lines]


def fit(text: str, columns: int, *, pad: bool = False) -> str:
    """A line cut to ``columns``, and filled up to them with ``pad``."""
    fitted = Text(text)
    fitted.truncate(columns, overflow="ellipsis", pad=pad)
    return fitted.plain


def tail(text: str, columns: int) -> str:
    """The end of a text, as much of it as fits."""
    while cells(text) > max(1, columns):
        text = text[max(1, (cells(text) - columns) // 2) :]
    return text


def cells(text: str) -> int:
    """Columns that a text takes."""
    return Text(text).cell_len


def age(at: str, now: datetime) -> str:
    """How long ago an instant was, in the largest unit."""
    seconds = max(0, int((now - datetime.fromisoformat(at)).total_seconds()))
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return "now"
