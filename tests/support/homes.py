"""Homes of users for tests of the installer: what is in one, and what a shell started in one finds."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

FISH_FOLDERS = (".config", ".config/fish", ".local", ".local/share", ".local/share/fish")
STANDARD_PATH = "/usr/local/bin:/usr/bin:/bin"


def needs(shell: str) -> str:
    """The path of a shell; the test is skipped where it is not installed."""
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return path


def environment(home: Path, shell: str, **more: str) -> dict[str, str]:
    """What an app has that the user started: not what a terminal has."""
    home.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), "SHELL": shell, "PATH": STANDARD_PATH, "LANG": "C.UTF-8", **more}


def snapshot(home: Path) -> dict[str, tuple[str, object]]:
    """Everything below a folder: kind, mode and content. Folders that fish makes for itself whenever it starts do not count."""
    found: dict[str, tuple[str, object]] = {}
    for folder, names, files in os.walk(home):
        for name in names + files:
            path = Path(folder, name)
            key = str(path.relative_to(home))
            mode = oct(path.lstat().st_mode & 0o777)
            if path.is_symlink():
                found[key] = ("link", str(path.readlink()))
            elif path.is_dir():
                if key not in FISH_FOLDERS:
                    found[key] = (f"folder {mode}", None)
            else:
                found[key] = (f"file {mode}", path.read_bytes())
    return found


def terminal(shell: str, env: Mapping[str, str], script: str, *, login: bool = False) -> str:
    """What a script prints in a new terminal window (or, with ``login``, over ssh) of the user."""
    argv = [shell, *(["-l"] if login else []), "-i", "-c", script]
    kept = {name: value for name, value in env.items() if not name.startswith("ADE_")}
    done = subprocess.run(
        argv,
        env=kept | {"TERM": "dumb"},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    return done.stdout.strip()
