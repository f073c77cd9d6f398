"""Paths that callers name, confined to one worktree."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

from ade_runtime.integrations.git.failures import BadName
from ade_runtime.integrations.git.text import read_path

PATH_LIMIT = 4096
_IGNORED_BY_HFS = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None
)


def confine(worktree: Path, text: str) -> bytes:
    """The path relative to ``worktree`` that ``text`` names, as bytes for git; raises :class:`BadName`.

    ``text`` is relative to the worktree's root, or absolute inside of it, as text of :mod:`.text`. Refused
    are paths that leave the worktree (by ``..`` or through a symlink), anything below a ``.git`` in any
    spelling, and NUL. The last component may itself be a symlink: git works on the link, not on what it
    points to.
    """
    try:
        raw = read_path(text)
    except (ValueError, UnicodeEncodeError) as error:
        raise BadName(kind="path", name=text, why=str(error)) from None
    return _confine(worktree, raw, text)


def confine_all(worktree: Path, texts: Iterable[str]) -> list[bytes]:
    """:func:`confine` for each, in order, without repeats."""
    return list(dict.fromkeys(confine(worktree, text) for text in texts))


def _confine(worktree: Path, raw: bytes, text: str) -> bytes:
    def refuse(why: str) -> BadName:
        return BadName(kind="path", name=text, why=why)

    if not raw:
        raise refuse("it is empty")
    if b"\0" in raw:
        raise refuse("it holds a NUL character")
    if len(raw) > PATH_LIMIT:
        raise refuse("it is too long")
    root = os.fsencode(worktree)
    if raw.startswith(b"/"):
        raw = _below(root, raw)
        if not raw:
            raise refuse("it lies outside of the lane")
    parts = [part for part in raw.split(b"/") if part not in (b"", b".")]
    if any(part == b".." for part in parts):
        raise refuse("it leaves the lane through ..")
    if any(is_git_folder(part) for part in parts):
        raise refuse("it lies inside .git")
    return b"/".join(_through_links(root, parts, refuse)) or b"."


def _below(root: bytes, absolute: bytes) -> bytes:
    normal = os.path.normpath(absolute)
    folder, _, name = normal.rpartition(b"/")
    for candidate in (normal, _join(os.path.realpath(folder or b"/"), name)):
        if candidate == root:
            return b"."
        if _inside(root, candidate):
            return candidate[len(root.rstrip(b"/")) + 1 :]
    return b""


def _through_links(root: bytes, parts: list[bytes], refuse: Callable[[str], BadName]) -> list[bytes]:
    """``parts`` with symlinks before the last one followed, since git works on no path beyond a symlink."""
    here = root
    for part in parts[:-1]:
        here = _join(here, part)
        try:
            mode = os.lstat(here).st_mode
        except OSError:
            return parts
        if stat.S_ISLNK(mode):
            break
    else:
        return parts
    target = os.path.realpath(_join(root, b"/".join(parts[:-1])))
    if target != root and not _inside(root, target):
        raise refuse("a symlink in it leads out of the lane")
    if _join(root, b"/".join(parts[:-1])) == target:
        raise refuse("a symlink in it leads nowhere")
    steps = [step for step in target[len(root) :].split(b"/") if step]
    if any(is_git_folder(step) for step in steps):
        raise refuse("a symlink in it leads into .git")
    return [*steps, parts[-1]]


def _join(folder: bytes, name: bytes) -> bytes:
    return folder.rstrip(b"/") + b"/" + name


def _inside(root: bytes, path: bytes) -> bool:
    return path.startswith(root.rstrip(b"/") + b"/")


def is_git_folder(part: bytes) -> bool:
    """Whether a file system may take ``part`` for ``.git``: other case, HFS's ignorable code points, NTFS's
    short names, trailing dots and spaces, and streams."""
    text = unicodedata.normalize(
        "NFKC", part.decode("utf-8", "replace").translate(_IGNORED_BY_HFS)
    ).casefold()
    text = text.split(":", 1)[0].rstrip(". ")
    return text in (".git", "git~1") or any(p.rstrip(". ") in (".git", "git~1") for p in text.split("\\"))
