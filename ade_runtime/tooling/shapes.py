"""How a client wants its tools: what results hold, and which tools it is shown. No imports, for whoever only names them."""

from __future__ import annotations

from typing import Literal, get_args

Shape = Literal["text", "both"]
"""Whether results have text alone or the structured part, too. Some clients show their model one, some the other; both hold
the same facts, and both together cost the reader of both twice."""

Palette = Literal["first", "all"]
"""Whether a client is shown the tools that are always there, by which the others are found and called, or every one."""

SHAPES: tuple[Shape, ...] = get_args(Shape)
PALETTES: tuple[Palette, ...] = get_args(Palette)
