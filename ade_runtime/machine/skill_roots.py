"""Folders that skills are taken from, nearest first: one list for whoever tells agents about them and whoever checks it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

VARIABLE = "ADE_AGENT_SKILLS_DIRS"
KINDS = (".agents/skills", ".claude/skills")
"""Where a folder keeps its skills; at one level the first wins."""

SKILL_FILE = "SKILL.md"


def named_roots(environ: Mapping[str, str]) -> list[Path]:
    """The folders that the variable names, in its order. Relative ones are left out: they mean another in each place."""
    named = environ.get(VARIABLE, "").split(os.pathsep)
    return [Path(folder) for folder in named if folder.startswith("/")]


def skill_roots(environ: Mapping[str, str], cwd: Path | None, home: Path) -> list[Path]:
    """Folders that exist: those the variable names, then those of ``cwd`` and of each folder above it up to its repository's,
    then the user's own. A folder that two names lead to is there once. A far folder never comes before a near one.
    """
    found: dict[str, Path] = {}
    for root in (*named_roots(environ), *_near(cwd), *_of(home)):
        if root.is_dir():
            found.setdefault(os.path.realpath(root), root)
    return list(found.values())


def skill_files(root: Path) -> list[Path]:
    """The skills of one folder, by name: each a folder that holds a ``SKILL.md``."""
    try:
        folders = sorted(root.iterdir())
    except OSError:
        return []
    return [folder / SKILL_FILE for folder in folders if (folder / SKILL_FILE).is_file()]


def _near(cwd: Path | None) -> Iterator[Path]:
    """Upwards from ``cwd`` to the folder of its repository; just ``cwd`` where there is none."""
    if cwd is None:
        return
    repository = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
    for folder in (cwd, *cwd.parents):
        yield from _of(folder)
        if folder == repository:
            return


def _of(folder: Path) -> Iterator[Path]:
    return (folder / kind for kind in KINDS)
