"""Where things were installed, so that they are found again when folders and settings have changed since.

It only says where to look: whether a file or block there is ours is read from the file itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ade_runtime.machine.install import files
from ade_runtime.machine.install.files import UnusableFileError

NAME = "install.json"
_KEYS = ("launchers", "completions", "rc_files", "folders")


@dataclass(slots=True)
class Record:
    """Files by what they are, and the folders that were made for them, outer ones first."""

    launchers: list[Path] = field(default_factory=list)
    completions: list[Path] = field(default_factory=list)
    rc_files: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    def add(self, key: str, paths: Iterable[Path]) -> None:
        known: list[Path] = getattr(self, key)
        known += [path for path in paths if path not in known]


def load(home: Path) -> Record:
    """The record of an ADE_HOME; an empty one where there is none or it cannot be read."""
    try:
        document = json.loads(files.read(home / NAME) or b"{}")
    except (UnusableFileError, ValueError):
        return Record()
    record = Record()
    for key in _KEYS:
        listed = document.get(key) if isinstance(document, dict) else None
        texts = listed if isinstance(listed, list) else []
        record.add(key, [Path(text) for text in texts if isinstance(text, str) and text.startswith("/")])
    return record


def save(home: Path, record: Record) -> None:
    """Write the record, mode 0600."""
    document = {key: [str(path) for path in getattr(record, key)] for key in _KEYS}
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.write(home / NAME, json.dumps(document, indent=2).encode(), 0o600)


def forget(home: Path) -> None:
    """Remove the record."""
    files.remove(home / NAME)
