"""Whether there is a screen that can be reached."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Mapping

from ade_runtime.pipeline.capabilities import Lack

_DISPLAY = re.compile(r"(?P<host>[A-Za-z0-9_.-]*)(?:/unix)?:(?P<number>[0-9]{1,5})(?:\.[0-9]+)?")
_PATIENCE = 0.2
"""Seconds for a display on this machine to take a connection."""
START = "Start a display, for example `Xvfb :99`, and set DISPLAY to it."


def display_lack(environ: Mapping[str, str]) -> Lack | None:
    """What keeps a program with this environment from a screen; ``None`` when one answers."""
    if sys.platform == "darwin":
        return None
    name = environ.get("DISPLAY", "")
    if not name:
        if environ.get("WAYLAND_DISPLAY"):
            return Lack(
                "this is a Wayland session without an X display", "Run Xwayland or Xvfb, and set DISPLAY."
            )
        return Lack("DISPLAY is not set, so there is no screen", START)
    found = _DISPLAY.fullmatch(name)
    if found is None:
        return Lack(f"DISPLAY is {name[:60]}, which is no X display", START)
    if found["host"] not in ("", "unix", "localhost", "127.0.0.1"):
        return None
    return (
        None
        if _answers(found["host"], int(found["number"]))
        else Lack(f"no X server answers at {name}", START)
    )


def _answers(host: str, number: int) -> bool:
    if host in ("localhost", "127.0.0.1"):
        return 6000 + number < 65536 and _connects(socket.AF_INET, ("127.0.0.1", 6000 + number))
    path = f"/tmp/.X11-unix/X{number}"
    return _connects(socket.AF_UNIX, path) or _connects(socket.AF_UNIX, f"\0{path}")


def _connects(family: socket.AddressFamily, address: object) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(_PATIENCE)
            connection.connect(address)  # type: ignore[arg-type]
    except (OSError, ValueError):
        return False
    return True
