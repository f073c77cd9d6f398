"""What this machine can do with a screen, each with the reason where it cannot."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import wraps

from ade_runtime.desktop.display import display_lack
from ade_runtime.pipeline.capabilities import Detector, Lack

KEPT_FOR = 1.0
"""Seconds that an answer holds for the same display and PATH; a list of actions asks several times."""
_KEPT = 64
_MATTERS = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "PATH")


def _remembered(detector: Detector) -> Detector:
    answers: OrderedDict[tuple[str, ...], tuple[float, Lack | None]] = OrderedDict()

    @wraps(detector)
    def ask(environ: Mapping[str, str]) -> Lack | None:
        key = tuple(environ.get(name, "") for name in _MATTERS)
        now = time.monotonic()
        kept = answers.get(key)
        if kept is not None and now - kept[0] < KEPT_FOR:
            return kept[1]
        lack = detector(environ)
        answers[key] = (now, lack)
        answers.move_to_end(key)
        while len(answers) > _KEPT:
            answers.popitem(last=False)
        return lack

    return ask


def screenshot_lack(environ: Mapping[str, str]) -> Lack | None:
    if importlib.util.find_spec("mss") is not None:
        return None
    return Lack(
        "the Python package mss is not installed",
        "Install ADE with its extra, ade-control-plane[computer-use].",
    )


def recording_lack(environ: Mapping[str, str]) -> Lack | None:
    return _program_lack(environ, "ffmpeg")


def input_lack(environ: Mapping[str, str]) -> Lack | None:
    if sys.platform == "darwin":
        return Lack("xdotool drives X displays only, and this is macOS", "Use a machine with an X display.")
    return _program_lack(environ, "xdotool")


def _program_lack(environ: Mapping[str, str], program: str) -> Lack | None:
    if shutil.which(program, path=environ.get("PATH", "")) is not None:
        return None
    return Lack(f"{program} is not on PATH", f"Install {program}, for example with `apt install {program}`.")


DETECTORS: dict[str, Detector] = {
    "computer_use": _remembered(display_lack),
    "screenshot": _remembered(screenshot_lack),
    "screen_recording": _remembered(recording_lack),
    "gui_input": _remembered(input_lack),
}
"""By the names that ``requires`` has in the specs."""
