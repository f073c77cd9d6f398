"""Versions as numbers, so that 0.10.0 comes after 0.9.0."""

from __future__ import annotations

import re

PATTERN = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$"


def version(text: str) -> tuple[int, ...]:
    """``0.10.0`` as ``(0, 10, 0)``; anything behind the numbers is left out."""
    return tuple(int(part) for part in re.findall(r"[0-9]+", text)[:3])
