"""How a line wants to be answered, told without reading the rest of it: by commands that perform in their own process, and for
lines that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

OutputMode = Literal["auto", "json", "text"]


def options_part(argv: Sequence[str]) -> list[str]:
    """The words before a lone ``--``."""
    words = list(argv)
    return words[: words.index("--")] if "--" in words else words


def output_mode(argv: Sequence[str]) -> OutputMode:
    """What --json, --text and --jq ask for; the last one counts."""
    output: OutputMode = "auto"
    for word in options_part(argv):
        if word in ("--json", "--text"):
            output = "json" if word == "--json" else "text"
        elif word == "--jq" or word.startswith("--jq="):
            output = "json"
    return output
