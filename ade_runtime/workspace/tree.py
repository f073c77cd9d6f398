"""A folder and what is below it, listed through open folders and drawn as a tree: bounded, and never through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime

from ade_runtime.integrations.git.paths import is_git_folder
from ade_runtime.integrations.git.text import show_path
from ade_runtime.workspace.names import Names, is_own
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.writing import DRAFT

MOST_SEEN = 200_000
"""Names read for one listing, those of the folders that are only counted included."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_TARGET_SHOWN = 1000
Held = tuple[bytes, bool]
"""A name in a folder, and whether it is a folder itself."""


@dataclass(frozen=True, slots=True)
class Entry:
    """``tree`` is its name, drawn. ``depth`` is 1 for what the folder itself holds. ``entries`` counts what a folder holds, and
    is ``None`` where it could not be listed."""

    names: Names
    tree: str
    depth: int
    mode: int
    size: int
    entries: int | None
    target: str | None
    modified_at: datetime

    @property
    def path(self) -> str:
        return show_path(b"/".join(self.names))


@dataclass(slots=True)
class Listing:
    """``items`` is the page asked for, ``total`` what there is down to that depth, ``more`` whether things follow the page,
    ``cut`` whether :data:`MOST_SEEN` ended it."""

    items: list[Entry]
    total: int
    more: bool
    cut: bool


class Lister:
    """One listing. ``hidden(names)`` says what to leave out."""

    def __init__(self, depth: int, limit: int, after: Names | None, hidden: Callable[[Names], bool]) -> None:
        self._depth = depth
        self._limit = limit
        self._after = after
        self._hidden = hidden
        self._seen = 0
        self._listing = Listing([], 0, more=False, cut=False)

    def of(self, root: Root, text: str) -> Listing:
        with root.folder(text) as (fd, place):
            self._walk(fd, self._held(fd, place.names), place.names, "")
        return self._listing

    def _walk(self, fd: int, held: list[Held], names: Names, lead: str, depth: int = 1) -> None:
        for number, (name, is_folder) in enumerate(held, start=1):
            last = number == len(held)
            mine = (*names, name)
            looked_into = is_folder and (depth < self._depth or self._is_on_page(mine))
            with _opened(fd, name) if looked_into else nullcontext() as inner:
                within = None if inner is None else self._held(inner, mine)
                self._take(fd, mine, lead + ("└─ " if last else "├─ "), depth, within)
                if inner is not None and within and depth < self._depth:
                    self._walk(inner, within, mine, lead + ("   " if last else "│  "), depth + 1)

    def _is_on_page(self, names: Names) -> bool:
        behind = self._after is None or names > self._after
        return behind and len(self._listing.items) < self._limit

    def _take(self, fd: int, names: Names, tree: str, depth: int, within: list[Held] | None) -> None:
        listing = self._listing
        if self._is_on_page(names):
            entry = _entry(fd, names, depth, tree, within)
            if entry is None:
                return
            listing.items.append(entry)
        elif self._after is None or names > self._after:
            listing.more = True
        listing.total += 1

    def _held(self, fd: int, names: Names) -> list[Held]:
        """What a folder holds, sorted, as far as anything may still be looked at."""
        found: list[Held] = []
        try:
            with os.scandir(fd) as listed:
                for item in listed:
                    if self._seen >= MOST_SEEN:
                        self._listing.cut = True
                        break
                    self._seen += 1
                    name = os.fsencode(item.name)
                    if self._is_shown(names, name):
                        found.append((name, item.is_dir(follow_symlinks=False)))
        except OSError:
            return []
        return sorted(found)

    def _is_shown(self, names: Names, name: bytes) -> bool:
        if is_git_folder(name) or is_own(names, name) or name.startswith(DRAFT):
            return False
        return not self._hidden((*names, name))


def _entry(fd: int, names: Names, depth: int, tree: str, within: list[Held] | None) -> Entry | None:
    """``None`` for what is gone by now."""
    name = names[-1]
    try:
        status = os.stat(name, dir_fd=fd, follow_symlinks=False)
        target = os.readlink(name, dir_fd=fd) if stat.S_ISLNK(status.st_mode) else None
    except OSError:
        return None
    return Entry(
        names=names,
        tree=tree + show_path(name),
        depth=depth,
        mode=status.st_mode,
        size=status.st_size,
        entries=len(within) if within is not None and stat.S_ISDIR(status.st_mode) else None,
        target=None if target is None else show_path(target)[:_TARGET_SHOWN],
        modified_at=datetime.fromtimestamp(_seconds(status), UTC),
    )


@contextmanager
def _opened(fd: int, name: bytes) -> Iterator[int | None]:
    """A folder that is there to be listed; ``None`` for what is none, or may not be listed."""
    try:
        inner = os.open(name, _FOLDER, dir_fd=fd)
    except OSError:
        yield None
        return
    try:
        yield inner
    finally:
        os.close(inner)


def _seconds(status: os.stat_result) -> float:
    """The time of last change, kept within what a date can say."""
    return min(max(status.st_mtime, 0.0), 253402300799.0)
