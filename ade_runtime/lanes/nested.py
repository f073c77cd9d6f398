"""Repositories inside a lane's folder. They go with the folder, and what only they hold cannot be kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.status import Status, read_status


async def nested(worktree: Path, status: Status) -> list[bytes]:
    """Repositories that the lane does not track: all that git would show as new, of the ignored ones (clones that a
    package manager made, as a rule) those with work of their own. Relative to the worktree, with a slash at the end."""
    new = await asyncio.to_thread(_below, worktree, [e.path for e in status.untracked])
    ignored = (entry.path for entry in status.entries if entry.kind == "ignored")
    found = await asyncio.to_thread(_below, worktree, ignored)
    return new + [path for path in found if await has_own_work(_at(worktree, path), tags=True)]


async def has_own_work(folder: Path, *, tags: bool = False) -> bool:
    """Whether a repository has changes, new files, stashes or commits that no remote has. With ``tags`` what a tag
    reaches counts as fetched, since a clone of a tag has no branch. One that git cannot read has, for all we know."""
    try:
        git = Repository.open(folder).git
        if not (await read_status(git, renames=False)).clean:
            return True
        published = ["--remotes", "--tags"] if tags else ["--remotes"]
        result = await git.read(
            "rev-list", "--max-count=1", "--all", "HEAD", "--not", *published, check=False
        )
    except GitError:
        return True
    return result.code != 0 or bool(result.text)


def _below(worktree: Path, paths: Iterable[bytes]) -> list[bytes]:
    """Repositories at or below those of ``paths`` that are folders, sorted; not those inside of one found."""
    top = os.fsencode(worktree)
    folders = (path.rstrip(b"/") for path in paths if path.endswith(b"/"))
    return sorted(path + b"/" for folder in folders for path in _repositories(top, folder))


def _repositories(top: bytes, folder: bytes) -> Iterator[bytes]:
    for here, folders, files in os.walk(os.path.join(top, folder)):  # noqa: PTH118 (bytes)
        if b".git" in folders or b".git" in files:
            folders.clear()
            yield os.path.relpath(here, top)


def _at(worktree: Path, path: bytes) -> Path:
    return worktree / os.fsdecode(path)
