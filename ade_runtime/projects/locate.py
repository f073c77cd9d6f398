"""Which repository a folder belongs to, found by reading git's own marker files; no process is started.

Every call needs this, so it must cost less than a millisecond. Adding a project asks git itself; see
:mod:`ade_runtime.projects.add`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_MARKER_LIMIT = 8192


def git_dirs_above(folder: Path) -> Iterator[Path]:
    """Git's shared folder of each repository that ``folder`` lies in, the innermost first.

    For a linked worktree it is the folder it shares with the main checkout; a submodule yields its own first
    and then that of the repository around it.
    """
    here = real(folder)
    for candidate in (here, *here.parents):
        found = shared_git_dir(candidate / ".git")
        if found is not None:
            yield found


def shared_git_dir(marker: Path) -> Path | None:
    """The shared git folder that a ``.git`` folder or file stands for, ``None`` when it is neither."""
    own = git_dir_of(marker)
    if own is None:
        return None
    common = read_line(own / "commondir")
    return real(own / common) if common else own


def git_dir_of(marker: Path) -> Path | None:
    """The git folder of exactly this checkout: for a linked worktree ``<shared>/worktrees/<id>``."""
    try:
        if marker.is_dir():
            return real(marker) if (marker / "HEAD").exists() else None
    except OSError:
        return None
    line = read_line(marker)
    if line is None or not line.startswith("gitdir:"):
        return None
    target = real(marker.parent / line.removeprefix("gitdir:").strip())
    return target if (target / "HEAD").exists() else None


def read_line(path: Path | str) -> str | None:
    """First line of a small file of git's, ``None`` when it cannot be read. Read for every lane of a list, so
    plainly."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            data = os.read(descriptor, _MARKER_LIMIT)
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return None
    return os.fsdecode(data.split(b"\n", 1)[0]).strip()


def real(path: Path) -> Path:
    """``path`` with symlinks resolved as far as it exists; a loop of symlinks stays as it is."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def checkout_around(folder: Path) -> tuple[Path, Path] | None:
    """Root of the innermost checkout that ``folder`` lies in, and git's own folder of it; ``None`` outside of
    any."""
    here = real(folder)
    for candidate in (here, *here.parents):
        found = git_dir_of(candidate / ".git")
        if found is not None:
            return candidate, found
        if is_bare(candidate):
            return None
    return None


def bare_around(folder: Path) -> Path | None:
    """The bare repository that ``folder`` lies in, ``None`` when a checkout comes first or there is
    neither."""
    here = real(folder)
    for candidate in (here, *here.parents):
        if git_dir_of(candidate / ".git") is not None:
            return None
        if is_bare(candidate):
            return candidate
    return None


def is_bare(folder: Path) -> bool:
    """Whether ``folder`` is itself a git folder that is not the ``.git`` of a checkout."""
    if folder.name == ".git":
        return False
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
