"""A program of its own: ``python -I -m ade_runtime.desktop.grab screens|picture …`` looks at the screen through mss.

It prints one JSON document. Xlib ends the process whose display goes away, so this is never done in the runtime.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main(argv: list[str]) -> int:
    """``screens`` lists where each lies; ``picture FILE [LEFT TOP WIDTH HEIGHT]`` writes a PNG."""
    import mss
    import mss.tools

    try:
        with mss.mss() as screen:
            monitors: list[dict[str, Any]] = list(screen.monitors)
            if argv[0] == "screens":
                sys.stdout.write(json.dumps([_area(monitor) for monitor in monitors[1:] or monitors]))
                return 0
            names = ("left", "top", "width", "height")
            shot = screen.grab(dict(zip(names, map(int, argv[2:]), strict=True)) if argv[2:] else monitors[0])
            mss.tools.to_png(shot.rgb, shot.size, output=argv[1])
            sys.stdout.write(json.dumps({"width": shot.width, "height": shot.height}))
            return 0
    except Exception as problem:
        sys.stderr.write(f"{type(problem).__name__}: {problem}\n")
        return 1


def _area(monitor: dict[str, Any]) -> dict[str, int]:
    return {name: int(monitor[name]) for name in ("left", "top", "width", "height")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
