"""Where spools may be: the worktrees of all lanes, and which of their spool folders have changed since they were looked at."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_runtime.spool.layout import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

UNSETTLED_NS = 100_000_000
"""A folder changed this recently may change again without its time moving on."""

FileKey = tuple[tuple[int, int, int], ...]


@dataclass(slots=True)
class Place:
    """A spool folder as it was last looked at: which one it was, when it had changed, and its watch (-1 without one)."""

    inode: tuple[int, int] = (0, 0)
    changed: int = 0
    watch: int = -1


def worktrees(db: Connection) -> list[str]:
    """Folders of the projects and of their lanes that have a worktree."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import lanes, projects

    present = select(lanes.c.path).where(lanes.c.state == "active")
    found = [row[0] for row in db.execute(select(projects.c.root))]
    return found + [row[0] for row in db.execute(present)]


def database_key(database: Path) -> FileKey:
    """What changes with every change of the database; empty while there is none."""
    keys = []
    for name in (str(database), f"{database}-wal"):
        try:
            status = os.stat(name)  # noqa: PTH116 - asked once a second
        except OSError:
            continue
        keys.append((status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(keys)


def spool_of(root: str) -> str:
    """Path of a worktree's spool folder: for looking whether it has changed, never for opening it."""
    return "/".join([root, *FOLDER])


def has_changed(place: Place, root: str) -> bool | None:
    """Whether the folder may hold something new, and notes that it was looked at; ``None`` where there is none."""
    try:
        status = os.stat(spool_of(root), follow_symlinks=False)  # noqa: PTH116
    except OSError:
        return None
    inode, changed = (status.st_dev, status.st_ino), status.st_mtime_ns
    if inode == place.inode and changed == place.changed:
        return False
    if inode != place.inode:
        place.inode, place.watch = inode, -1
    settled = abs(time.time_ns() - changed) > UNSETTLED_NS
    place.changed = changed if settled else 0
    return True
