"""A film of the screen, through ffmpeg."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from ade_runtime.desktop.look import Area
from ade_runtime.desktop.program import run

_BESIDES = 30.0
"""Seconds that starting and finishing may take besides the recording itself."""
_EVEN = "crop=trunc(iw/2)*2:trunc(ih/2)*2"
"""H.264 with the colours that players take needs an even width and height."""


async def record(environ: Mapping[str, str], file: Path, seconds: float, fps: int, area: Area | None) -> None:
    """Record ``seconds`` of the screen to ``file`` as MP4. Raises :class:`DesktopError`."""
    argv = ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y", *_source(environ, fps, area)]
    argv += ["-t", f"{seconds:.3f}", "-vf", _EVEN, "-c:v", "libx264", "-preset", "veryfast"]
    argv += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(file)]
    await run(argv, environ, seconds=seconds + _BESIDES)


def _source(environ: Mapping[str, str], fps: int, area: Area | None) -> list[str]:
    if sys.platform == "darwin":
        return [
            "-f",
            "avfoundation",
            "-framerate",
            str(fps),
            "-capture_cursor",
            "1",
            "-i",
            "Capture screen 0:none",
        ]
    size = [] if area is None else ["-video_size", f"{area.width}x{area.height}"]
    place = "" if area is None else f"+{area.left},{area.top}"
    return ["-f", "x11grab", "-framerate", str(fps), *size, "-i", f"{environ.get('DISPLAY', '')}{place}"]
