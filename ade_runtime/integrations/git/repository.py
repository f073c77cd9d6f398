"""A worktree with its repository, pinned: every command first proves that the folder still belongs to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.failures import ForeignRepository, NotARepository, WorktreeMissing
from ade_runtime.integrations.git.paths import confine, confine_all
from ade_runtime.integrations.git.runner import Git

_MARKER_LIMIT = 8192


@dataclass(frozen=True, slots=True)
class Marker:
    """What a worktree's ``.git`` leads to: the folder of this checkout and the one that all worktrees
    share."""

    git_dir: Path
    common_dir: Path


class Repository:
    """Git for exactly one worktree of exactly one repository.

    ``worktree`` is the root of the checkout with symlinks resolved, ``common_dir`` the repository's shared
    git folder. ``git`` runs commands there. Before each one :meth:`verify` reads the worktree's ``.git``
    (less than 0.1 ms): when it was lost, git would otherwise go on in a repository further up.
    """

    def __init__(self, worktree: Path, common_dir: Path, *, env: Mapping[str, str] | None = None) -> None:
        self.worktree = worktree
        self.common_dir = common_dir
        self.git = Git(worktree, guard=self._guard, env=env)

    @classmethod
    def open(
        cls, folder: Path, *, common_dir: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Repository:
        """The repository whose worktree has its root at ``folder``; with ``common_dir`` only if it is that
        one."""
        worktree = Path(os.path.realpath(folder))
        marker = read_marker(worktree)
        repository = cls(worktree, common_dir or marker.common_dir, env=env)
        repository.verify()
        return repository

    @property
    def git_dir(self) -> Path:
        """The git folder of this checkout: where its HEAD, index and unfinished operations are."""
        return self.verify().git_dir

    def verify(self) -> Marker:
        """Raise unless the worktree exists and its ``.git`` leads, both ways, to ``common_dir``."""
        marker = read_marker(self.worktree)
        if not _same(marker.common_dir, self.common_dir):
            raise ForeignRepository(
                path=self.worktree, stderr=f"{self.worktree} belongs to the repository at {marker.common_dir}"
            )
        return marker

    def path(self, text: str) -> bytes:
        """A caller's path, relative to the worktree and proved to stay in it; see :func:`~.paths.confine`."""
        return confine(self.worktree, text)

    def paths(self, texts: list[str]) -> list[bytes]:
        return confine_all(self.worktree, texts)

    def _guard(self) -> None:
        self.verify()


def read_marker(worktree: Path) -> Marker:
    """What ``worktree/.git`` leads to; raises :class:`WorktreeMissing`, :class:`NotARepository` or, where
    the folder is a copy of another worktree, :class:`ForeignRepository`."""
    dot_git = worktree / ".git"
    try:
        is_file = dot_git.is_file()
        is_folder = dot_git.is_dir()
    except OSError as error:
        raise NotARepository(path=worktree, stderr=f"{dot_git}: {error.strerror}") from None
    if is_folder:
        git_dir = Path(os.path.realpath(dot_git))
    elif is_file:
        git_dir = _linked(worktree, dot_git)
    elif not worktree.is_dir():
        raise WorktreeMissing(path=worktree, stderr=f"the folder {worktree} is gone")
    else:
        raise NotARepository(path=worktree, stderr=f"{worktree} has no .git any more")
    if not (git_dir / "HEAD").exists() and not (git_dir / "HEAD").is_symlink():
        raise NotARepository(path=worktree, stderr=f"{git_dir} is not a git folder")
    common = _line(git_dir / "commondir")
    return Marker(git_dir, git_dir if common is None else Path(os.path.realpath(git_dir / common)))


def _linked(worktree: Path, dot_git: Path) -> Path:
    line = _line(dot_git)
    if line is None or not line.startswith("gitdir: "):
        raise NotARepository(path=worktree, stderr=f"{dot_git} does not say where the repository is")
    git_dir = Path(os.path.realpath(worktree / line.removeprefix("gitdir: ")))
    if not git_dir.is_dir():
        raise NotARepository(path=worktree, stderr=f"{git_dir} is gone; git worktree repair may help")
    back = _line(git_dir / "gitdir")
    if back is not None and not _same(git_dir / back, dot_git):
        raise ForeignRepository(
            path=worktree,
            stderr=f"{dot_git} names the worktree of {Path(back).parent}; git worktree repair may help",
        )
    return git_dir


def _line(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(_MARKER_LIMIT)
    except OSError:
        return None
    return os.fsdecode(data.split(b"\n", 1)[0]).rstrip("\r")


def _same(one: Path, other: Path) -> bool:
    if one == other:
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False
