"""Folders on this machine, to choose a repository from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ade_generated import errors

SCAN_LIMIT = 20_000
"""Entries of a folder that are looked at."""


@dataclass(frozen=True, slots=True)
class Folder:
    name: str
    path: Path
    is_repository: bool


def folders_in(path: Path, *, hidden: bool) -> list[Folder]:
    """Folders directly below ``path`` by name; those that cannot be looked into are listed all the same."""
    found: list[Folder] = []
    try:
        with os.scandir(path) as entries:
            for number, entry in enumerate(entries):
                if number >= SCAN_LIMIT:
                    break
                if (entry.name.startswith(".") and not hidden) or not _is_folder(entry):
                    continue
                found.append(Folder(entry.name, Path(entry.path), _holds_checkout(entry.path)))
    except OSError:
        raise errors.PathNotFound(path=str(path)) from None
    return sorted(found, key=lambda folder: (folder.name.casefold(), folder.name))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _holds_checkout(path: str) -> bool:
    try:
        return (Path(path) / ".git").exists()
    except OSError:
        return False
