"""What keys send to a program in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

KEYS: Mapping[str, str] = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "page_up": "\x1b[5~",
    "page_down": "\x1b[6~",
    "ctrl_a": "\x01",
    "ctrl_c": "\x03",
    "ctrl_d": "\x04",
    "ctrl_e": "\x05",
    "ctrl_l": "\x0c",
    "ctrl_r": "\x12",
    "ctrl_u": "\x15",
    "ctrl_z": "\x1a",
    "ctrl_backslash": "\x1c",
}


def control_key(name: str) -> bytes:
    """The byte of ``ctrl-x``; empty for ``none``."""
    return b"" if name == "none" else bytes([ord(name.removeprefix("ctrl-").upper()) & 0x1F])
