"""Copies of ADE's own skills in folders that agent programs read, marked so that they are known again."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from ade_runtime.machine.beneath import NotBeneathError, read_beneath
from ade_runtime.machine.place_file import place_file
from ade_runtime.machine.skill_roots import SKILL_FILE, skill_files
from ade_runtime.skills.front_matter import LONGEST_HEAD

MARK = b"\n  generated-by: ade\n"
"""In the head of each of ADE's own skills."""


def install(skills: Mapping[str, Path], root: Path, folder: str) -> tuple[list[str], list[str]]:
    """Copy skills, by name, to ``folder`` below ``root``. Returns the names copied and those left because something that is not
    ADE's has the place. Raises ``PlaceError``; nothing is written through a link that leads out of ``root``.
    """
    done: list[str] = []
    left: list[str] = []
    for name, source in skills.items():
        place = f"{folder}/{name}/{SKILL_FILE}"
        there = _is_ours(root, place)
        if there is False:
            left.append(name)
            continue
        place_file(source, root, place, overwrite=there is True, make=True)
        done.append(name)
    return done, left


def uninstall(root: Path, folder: str) -> list[str]:
    """Remove marked copies from ``folder`` below ``root``, and folders that become empty. Returns their names."""
    done = []
    for file in skill_files(root / folder):
        inside = f"{folder}/{file.parent.name}/{SKILL_FILE}"
        if file.parent.is_symlink() or file.is_symlink() or not _is_ours(root, inside):
            continue
        file.unlink()
        with contextlib.suppress(OSError):
            file.parent.rmdir()
        done.append(file.parent.name)
    return done


def home_folder(home: Path, folder: str) -> Path:
    """The folder below the user's home, made if it is missing. The user may have linked it to anywhere."""
    path = home / folder
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


def _is_ours(root: Path, place: str) -> bool | None:
    """Whether the file is a copy of ADE's; ``None`` where nothing is there."""
    try:
        data, _ = read_beneath(root, place, LONGEST_HEAD, links=False)
    except NotBeneathError as problem:
        return None if problem.missing else False
    end = data.find(b"\n---", 3)
    return MARK in data[: end + 1 if end > 0 else 0]
