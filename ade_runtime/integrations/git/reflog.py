"""What happened to a worktree's HEAD, from its reflog, and which of it can be undone and redone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ade_runtime.integrations.git.text import show_text

READ_LIMIT = 512 * 1024
UNDO = "ade-undo"
REDO = "ade-redo"
"""Words for ``GIT_REFLOG_ACTION``: entries that begin with them are our own steps back and forth."""

Kind = Literal["commit", "checkout", "move"]
_LINE = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?")
_CHECKOUT = re.compile(r"checkout: moving from (\S+) to (\S+)")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened. ``commit``: a commit was made or amended; ``checkout``: another branch, or
    commit, was checked out, from ``source`` to ``target``; ``move``: anything else. ``before`` is ``None``
    for the first commit."""

    kind: Kind
    before: str | None
    after: str
    message: str
    source: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """``undoable`` holds what can be undone, the latest last; ``redoable`` what was undone, the latest
    undone last."""

    undoable: list[Change]
    redoable: list[Change]


def read_history(git_dir: Path) -> History:
    """The history of the checkout whose own git folder is ``git_dir``; of a very long log only the end."""
    try:
        with (git_dir / "logs" / "HEAD").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - READ_LIMIT))
            data = file.read(READ_LIMIT)
    except OSError:
        return History([], [])
    lines = data.split(b"\n")
    return replay(_entries(lines if size <= READ_LIMIT else lines[1:]))


def replay(entries: Iterable[tuple[str, str, str]]) -> History:
    """Follow ``(old id, new id, message)`` from the oldest on, as an editor follows its undo stack."""
    undoable: list[Change] = []
    redoable: list[Change] = []
    for old, new, message in _grouped(entries):
        if message.startswith(UNDO):
            if undoable:
                redoable.append(undoable.pop())
        elif message.startswith(REDO):
            if redoable:
                undoable.append(redoable.pop())
        else:
            change = _change(old, new, message)
            if change is not None:
                undoable.append(change)
                redoable.clear()
    return History(undoable, redoable)


def _entries(lines: Iterable[bytes]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is not None:
            yield match[1].decode("ascii"), match[2].decode("ascii"), show_text(match[3] or b"")


def _grouped(entries: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """The entries of one rebase as one, from where the branch was to where it ended."""
    start: str | None = None
    for old, new, message in entries:
        step = message.startswith(("rebase", "pull"))
        if step and "(start)" in message:
            start = old
        elif step and ("(finish)" in message or "(abort)" in message):
            yield start or old, new, message
            start = None
        elif start is None or not step:
            yield old, new, message


def _change(old: str, new: str, message: str) -> Change | None:
    before = old if old.strip("0") else None
    match = _CHECKOUT.match(message)
    if match is not None:
        if match[1] == match[2]:
            return None
        return Change("checkout", before, new, message, match[1], match[2])
    if before == new or (before is None and not message.startswith("commit")):
        return None
    made = message.startswith("commit") and not message.startswith(("commit (merge)", "commit (cherry-pick)"))
    return Change("commit" if made else "move", before, new, message)
