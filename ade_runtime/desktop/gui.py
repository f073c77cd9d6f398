"""Mouse and keyboard, through xdotool."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ade_runtime.desktop.program import DesktopError, run

if TYPE_CHECKING:
    from ade_generated.models.types import (
        GuiClick,
        GuiDrag,
        GuiFocus,
        GuiKey,
        GuiMove,
        GuiScroll,
        GuiType,
        GuiWait,
    )

    Step = GuiClick | GuiDrag | GuiFocus | GuiKey | GuiMove | GuiScroll | GuiType | GuiWait

BUTTONS = {"left": "1", "middle": "2", "right": "3"}
_UP, _DOWN = "4", "5"
_SECONDS = 30.0
_KEY_PAUSE = "8"
"""Milliseconds between typed keys; programs lose keys that come faster."""


async def perform(environ: Mapping[str, str], steps: Sequence[Step]) -> None:
    """Do the steps in order. Raises :class:`DesktopError`, which says how many were done."""
    for done, step in enumerate(steps):
        try:
            await _perform(environ, step)
        except DesktopError as problem:
            details = {**problem.details, "done": done}
            raise DesktopError(f"step {done} ({step.action}): {problem.reason}", details) from problem


async def _perform(environ: Mapping[str, str], step: Step) -> None:
    match step.action:
        case "wait":
            await asyncio.sleep(step.ms / 1000)
        case "type":  # by a pipe: what is typed may be a password, and any user can read a command line
            words = ["type", "--clearmodifiers", "--delay", _KEY_PAUSE, "--file", "-"]
            await run(["xdotool", *words], environ, seconds=_SECONDS, stdin=step.text.encode())
        case _:
            await run(["xdotool", *_words(step)], environ, seconds=_SECONDS)


def _words(step: GuiClick | GuiDrag | GuiFocus | GuiKey | GuiMove | GuiScroll) -> list[str]:
    match step.action:
        case "click":
            button = BUTTONS[step.button or "left"]
            times = ["--repeat", str(step.count or 1), "--delay", "60"]
            return [*_to(step.x, step.y), "click", *times, button]
        case "move":
            return _to(step.x, step.y)
        case "drag":
            return [*_to(step.x, step.y), "mousedown", "1", *_to(step.to_x, step.to_y), "mouseup", "1"]
        case "scroll":
            if step.amount == 0:
                return ["getmouselocation"]
            return ["click", "--repeat", str(abs(step.amount)), _DOWN if step.amount > 0 else _UP]
        case "key":
            return ["key", "--clearmodifiers", step.keys]
        case "focus":
            return ["windowraise", step.window, "windowfocus", "--sync", step.window]


def _to(x: int, y: int) -> list[str]:
    """Without ``--sync``, which waits fifteen seconds for a pointer that is there already; the display keeps the order."""
    return ["mousemove", str(x), str(y)]
