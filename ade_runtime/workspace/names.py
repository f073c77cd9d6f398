"""Paths that callers write, as the names they are made of. Nothing here looks at the disk."""

from __future__ import annotations

import os

from ade_runtime.integrations.git.paths import PATH_LIMIT, is_git_folder
from ade_runtime.integrations.git.text import read_path, show_path
from ade_runtime.workspace.problems import PathRefused

DEEPEST = 128
"""Folders on the way to a file."""
_LONGEST_NAME = 255
_OWN = (b"worktrees", b"creating", b"spool")
"""What lies in ``.ade`` and belongs to other lanes or to ADE itself."""

Names = tuple[bytes, ...]


def names_of(text: str) -> Names:
    """The names on the way to what ``text`` names, from the checkout's root; none for the root itself (``.``).

    Raises :class:`PathRefused` for absolute paths, ``..``, NUL, names no file system takes, and whatever :func:`check_name`
    refuses.
    """
    try:
        raw = read_path(text)
    except (ValueError, UnicodeEncodeError) as error:
        raise PathRefused(text, str(error)) from None
    if not raw:
        raise PathRefused(text, "it is empty")
    if b"\0" in raw:
        raise PathRefused(text, "it holds a NUL character")
    if raw.startswith((b"/", b"~/")) or raw == b"~":
        raise PathRefused(text, "it is absolute")
    if len(raw) > PATH_LIMIT:
        raise PathRefused(text, "it is too long")
    names = tuple(name for name in raw.split(b"/") if name not in (b"", b"."))
    if len(names) > DEEPEST:
        raise PathRefused(text, f"it is deeper than {DEEPEST} folders")
    for depth, name in enumerate(names):
        check_name(names[:depth], name, text)
    return names


def check_name(above: Names, name: bytes, text: str) -> None:
    """Raise :class:`PathRefused` unless ``name`` may stand below ``above``; ``text`` is the whole path, for the message."""
    if name == b"..":
        raise PathRefused(text, "it leaves the lane through ..")
    if len(name) > _LONGEST_NAME:
        raise PathRefused(text, "a name in it is too long")
    if (reason := _barred(above, name)) is not None:
        raise PathRefused(text, f"it {reason}")


def barred(above: tuple[str, ...], name: str) -> str | None:
    """Why nobody works below ``above`` in ``name``, as words that follow the path; ``None`` where one may."""
    return _barred(tuple(map(os.fsencode, above)), os.fsencode(name))


def _barred(above: Names, name: bytes) -> str | None:
    if is_git_folder(name):
        return "lies inside .git"
    return "lies where ADE keeps its lanes" if is_own(above, name) else None


def is_own(above: Names, name: bytes) -> bool:
    """Whether the name, in any case, is a folder of ADE's own in the checkout."""
    return len(above) == 1 and above[0].lower() == b".ade" and name.lower() in _OWN


def text_of(names: Names) -> str:
    """The path as callers write it; ``.`` for the root."""
    return show_path(b"/".join(names)) or "."
