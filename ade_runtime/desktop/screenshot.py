"""A picture of the screen, or of a part of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from ade_runtime.desktop.look import Area
from ade_runtime.desktop.program import run

_SECONDS = 20.0


async def take(environ: Mapping[str, str], file: Path, area: Area | None) -> None:
    """Write a PNG to ``file``. Raises :class:`DesktopError`."""
    place = [] if area is None else [str(value) for value in (area.left, area.top, area.width, area.height)]
    argv = [sys.executable, "-I", "-m", "ade_runtime.desktop.grab", "picture", str(file), *place]
    await run(argv, environ, seconds=_SECONDS)
