"""What the commands of an agent program reach of ADE, as its settings say. Nothing is run and no model is asked.

That the real programs do what is said here is proved by ``tests/harness``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS_LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What is open to the commands. ``sandbox`` is the mode that decides, as its settings call it; ``why`` says where that is
    set; ``opens`` is the setting that opens the socket where it is closed; ``note`` is what else to know.

    A value of ``None`` means that the settings do not tell.
    """

    sandbox: str
    why: str
    socket: bool | None
    network: bool | None
    spool: bool | None
    opens: str = ""
    note: str = ""


class UnreadableError(Exception):
    """A settings file that cannot be understood; the text says which and why."""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, empty where there is none."""
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as problem:
        raise UnreadableError(f"{path}: {problem}") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file, empty where there is none."""
    text = _text(path)
    try:
        found = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as problem:
        raise UnreadableError(f"{path}: {problem}") from None
    if not isinstance(found, dict):
        raise UnreadableError(f"{path}: it holds no object")
    return found


def table(values: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The table below some names, empty where there is none."""
    here: Any = values
    for name in names:
        here = here.get(name) if isinstance(here, Mapping) else None
    return here if isinstance(here, Mapping) else {}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(SETTINGS_LIMIT).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as problem:
        raise UnreadableError(f"{path}: {getattr(problem, 'strerror', None) or problem}") from None
