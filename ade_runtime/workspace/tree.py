"""A folder and what is below it, listed through open folders and drawn as a tree: bounded, and never through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
            for entry in self._walk(fd, self._names_in(fd, place.names), place.names, 1, ""):
                self._take(entry)
        return self._listing

    def _take(self, entry: Entry) -> None:
        listing = self._listing
        listing.total += 1
        if self._after is not None and entry.names <= self._after:
            return
        if len(listing.items) < self._limit:
            listing.items.append(entry)
        else:
            listing.more = True

    def _walk(self, fd: int, here: list[bytes], names: Names, depth: int, lead: str) -> Iterator[Entry]:
        for number, name in enumerate(here, start=1):
            last = number == len(here)
            mine = (*names, name)
            with _opened(fd, name) as inner:
                held = None if inner is None else self._names_in(inner, mine)
                entry = _entry(fd, mine, depth, lead + ("└─ " if last else "├─ "), held)
                if entry is None:
                    continue
                yield entry
                if inner is not None and held and depth < self._depth:
                    yield from self._walk(inner, held, mine, depth + 1, lead + ("   " if last else "│  "))

    def _names_in(self, fd: int, names: Names) -> list[bytes]:
        """What a folder holds, sorted, as far as anything may still be looked at."""
        found: list[bytes] = []
        try:
            with os.scandir(fd) as listed:
                for item in listed:
                    if self._seen >= MOST_SEEN:
                        self._listing.cut = True
                        break
                    self._seen += 1
                    name = os.fsencode(item.name)
                    if self._is_shown(names, name):
                        found.append(name)
        except OSError:
            return []
        return sorted(found)

    def _is_shown(self, names: Names, name: bytes) -> bool:
        if is_git_folder(name) or is_own(names, name) or name.startswith(DRAFT):
            return False
        return not self._hidden((*names, name))


def _entry(fd: int, names: Names, depth: int, lead: str, held: list[bytes] | None) -> Entry | None:
    """``None`` for what is gone by now."""
    name = names[-1]
    try:
        status = os.stat(name, dir_fd=fd, follow_symlinks=False)
        target = os.readlink(name, dir_fd=fd) if stat.S_ISLNK(status.st_mode) else None
    except OSError:
        return None
    return Entry(
        names=names,
        tree=lead + show_path(name),
        depth=depth,
        mode=status.st_mode,
        size=status.st_size,
        entries=len(held) if held is not None and stat.S_ISDIR(status.st_mode) else None,
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
