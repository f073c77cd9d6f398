"""What is on the screen: screens, windows, the pointer."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from ade_runtime.desktop.capabilities import input_lack, screenshot_lack
from ade_runtime.desktop.program import DesktopError, run

MOST_WINDOWS = 20
_LONGEST_TITLE = 200
_SECONDS = 10.0
_LINE = re.compile(r"^([A-Z]+)=(-?[0-9]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Area:
    """In pixels from the screen's upper left corner."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Window:
    id: str
    title: str
    area: Area


@dataclass(frozen=True, slots=True)
class Seen:
    """What could be seen; empty or ``None`` where the program for it is missing or there is nothing."""

    screens: tuple[Area, ...] = ()
    pointer: tuple[int, int] | None = None
    active: Window | None = None
    windows: tuple[Window, ...] = ()


async def look(environ: Mapping[str, str]) -> Seen:
    """Everything there is. Raises :class:`DesktopError` where the screen itself cannot be reached."""
    screens = await _screens(environ)
    if input_lack(environ) is not None:
        return Seen(screens)
    now = await pointer_and_window(environ)
    windows = [await window(environ, id) for id in await _visible(environ)]
    return Seen(screens, now.pointer, now.active, tuple(one for one in windows if one is not None))


async def pointer_and_window(environ: Mapping[str, str]) -> Seen:
    """Where the pointer is, and the window that keys go to."""
    values = dict(_LINE.findall(await _xdotool(environ, "getmouselocation", "--shell")))
    pointer = (int(values["X"]), int(values["Y"])) if {"X", "Y"} <= values.keys() else None
    try:
        active = (await _xdotool(environ, "getwindowfocus")).strip()
    except DesktopError:  # nothing has the focus, as on a bare display
        return Seen(pointer=pointer)
    return Seen(pointer=pointer, active=await window(environ, active) if active.isdigit() else None)


async def window(environ: Mapping[str, str], id: str) -> Window | None:
    """A window by its id; ``None`` when it is gone meanwhile, and for the root window, which has no title."""
    try:
        values = dict(_LINE.findall(await _xdotool(environ, "getwindowgeometry", "--shell", id)))
        title = (await _xdotool(environ, "getwindowname", id)).strip("\n")
        area = Area(*(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")))
    except (DesktopError, KeyError):
        return None
    if not title or area.width < 1 or area.height < 1:
        return None
    return Window(id, " ".join(title.split())[:_LONGEST_TITLE], area)


async def windows_of(environ: Mapping[str, str], pid: int) -> list[str]:
    """Ids of the visible windows of a process."""
    return await _search(environ, "--pid", str(pid))


async def _visible(environ: Mapping[str, str]) -> list[str]:
    return (await _search(environ, "--name", "."))[:MOST_WINDOWS]


async def _search(environ: Mapping[str, str], *what: str) -> list[str]:
    try:
        found = await _xdotool(environ, "search", "--onlyvisible", *what)
    except DesktopError:  # it fails where nothing matches
        return []
    return [word for word in found.split() if word.isdigit()]


async def _screens(environ: Mapping[str, str]) -> tuple[Area, ...]:
    if screenshot_lack(environ) is None:
        argv = [sys.executable, "-I", "-m", "ade_runtime.desktop.grab", "screens"]
        found = json.loads(await run(argv, environ, seconds=_SECONDS))
        return tuple(Area(**one) for one in found)
    if input_lack(environ) is None:
        width, height = (await _xdotool(environ, "getdisplaygeometry")).split()
        return (Area(0, 0, int(width), int(height)),)
    return ()


async def _xdotool(environ: Mapping[str, str], *words: str) -> str:
    return await run(["xdotool", *words], environ, seconds=_SECONDS)
