"""The launcher: a small file in the user's own folder of programs that runs this installation's ``ade``."""

from __future__ import annotations

import os
import shlex
import sys
import sysconfig
from pathlib import Path

from ade_generated import errors
from ade_runtime.machine.tools.programs import is_program

NAME = "ade"
MARK = "# Installed by `ade install`; `ade uninstall` removes this file."
MODE = 0o755


def default_folder(home: Path) -> Path:
    """Where users' own programs go on Linux and macOS alike."""
    return home / ".local" / "bin"


def installed_program() -> Path:
    """The ``ade`` of the Python installation that runs this; raises where it was not installed as a program."""
    beside = Path(sys.executable).parent / NAME
    for candidate in (Path(sysconfig.get_path("scripts")) / NAME, beside):
        if is_program(candidate):
            return candidate
    raise errors.InstallBlocked(
        path=str(beside), reason="this ade runs from a folder and is not installed as a program"
    )


def text(program: Path) -> bytes:
    """The launcher of ``program``. A path is data here: whatever characters it holds, the shell reads it as one word."""
    quoted = shlex.quote(os.fspath(program))
    return f'#!/bin/sh\n{MARK}\nexec {quoted} "$@"\n'.encode("utf-8", "surrogateescape")


def is_ours(data: bytes) -> bool:
    """Whether a file is a launcher that this command wrote, of whichever installation."""
    return data.startswith(f"#!/bin/sh\n{MARK}\n".encode())


def program_of(data: bytes) -> Path | None:
    """The program that a launcher runs, ``None`` where the text is not one of ours."""
    if not is_ours(data):
        return None
    lines = data.decode("utf-8", "surrogateescape").split("\n", 2)
    try:
        words = shlex.split(lines[2])
    except ValueError:
        return None
    return Path(words[1]) if len(words) == 3 and words[0] == "exec" else None
