"""Files that git does not track and would replace all the same.

Git refuses to overwrite a new file, but takes an ignored one for worthless: a merge, rebase, reset or checkout that
brings a file of the same name in replaces it silently. An ignored file is as often somebody's only copy of their
settings or data, so whoever brings files in asks here first.
"""

from __future__ import annotations

import os
import stat

from ade_runtime.integrations.git.failures import WouldOverwrite
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import show_path

FILES_SHOWN = 100
_AT_ONCE = 500

Change = tuple[str, str]
"""From one commit or tree to another."""


async def refuse_overwriting(repository: Repository, *changes: Change) -> None:
    """Raise :class:`WouldOverwrite` if files that the changes add stand where untracked ones, ignored or not, are."""
    files = await in_the_way(repository, *changes)
    if files:
        raise WouldOverwrite(files=[show_path(path) for path in files[:FILES_SHOWN]])


async def in_the_way(repository: Repository, *changes: Change) -> list[bytes]:
    """Untracked files, ignored or not, in the place of files that the changes add, sorted."""
    added = {path for before, after in changes for path in await _added(repository.git, before, after)}
    return await untracked_at(repository, added)


async def untracked_at(repository: Repository, paths: set[bytes]) -> list[bytes]:
    """Untracked files, ignored or not, at or below ``paths`` or where one of their folders would have to be, sorted."""
    return await _untracked(repository.git, sorted(_occupied(os.fsencode(repository.worktree), paths)))


async def merging(git: Git, ours: str, theirs: str) -> Change:
    """What a merge of ``theirs`` brings in: all that came since the two commits parted."""
    fork = await git.read("merge-base", ours, theirs, ok=(0, 1))
    return (fork.lines[0] if fork.lines else ours, theirs)


async def replaying(git: Git, onto: str, commits: list[str]) -> list[Change]:
    """What a rebase or cherry-pick of ``commits`` brings in, one by one; ``onto`` is for one without a parent."""
    listed = await git.read(
        "rev-list", "--no-walk=unsorted", "--parents", "--stdin", stdin="\n".join(commits).encode()
    )
    pairs = (line.split() for line in listed.lines)
    return [(pair[1] if len(pair) > 1 else onto, pair[0]) for pair in pairs]


async def _added(git: Git, before: str, after: str) -> list[bytes]:
    return (
        await git.read(
            "diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=A", before, after, "--"
        )
    ).records()


def _occupied(root: bytes, paths: set[bytes]) -> set[bytes]:
    """What is there already at ``paths``: the path itself, or a file where one of its folders would have to be."""
    folders: dict[bytes, bytes | None] = {b"": None}
    found = set()
    for path in paths:
        blocker = _blocker(root, path.rpartition(b"/")[0], folders)
        if blocker is not None:
            found.add(blocker)
        elif os.path.lexists(os.path.join(root, path)):  # noqa: PTH118 (bytes)
            found.add(path)
    return found


def _blocker(root: bytes, folder: bytes, known: dict[bytes, bytes | None]) -> bytes | None:
    """The first part of ``folder`` that exists and is no folder; ``known`` keeps what was found out."""
    if folder not in known:
        above = _blocker(root, folder.rpartition(b"/")[0], known)
        known[folder] = above if above is not None or _may_hold_files(root, folder) else folder
    return known[folder]


def _may_hold_files(root: bytes, folder: bytes) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(os.path.join(root, folder)).st_mode)  # noqa: PTH118 (bytes)
    except OSError:
        return True


async def _untracked(git: Git, paths: list[bytes]) -> list[bytes]:
    """Those of ``paths``, or below them, that git does not track."""
    found: set[bytes] = set()
    for start in range(0, len(paths), _AT_ONCE):
        listed = await git.read("ls-files", "--others", "-z", "--", *paths[start : start + _AT_ONCE])
        found.update(listed.records())
    return sorted(found)
