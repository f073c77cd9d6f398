"""Files that git was told not to look at (``update-index --assume-unchanged`` and ``--skip-worktree``).

No status, diff or clean worktree tells of changes in them, so whoever is about to remove a worktree asks here. A file
that a sparse checkout leaves out is marked the same way, but is not there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import scratch

_KINDS = {b"h": "--no-assume-unchanged", b"S": "--no-skip-worktree", b"s": "--no-skip-worktree"}


async def hidden_changes(repository: Repository) -> list[bytes]:
    """Files that differ from the index although git does not say so, sorted."""
    async with scratch(repository) as place:
        env = await place.copy_index(repository)
        paths = await reveal(repository, env)
        if not paths:
            return []
        listed = await repository.git.run(
            "diff", "--name-only", "-z", "--no-renames", env=env, read_only=True
        )
    return sorted(set(paths).intersection(listed.records()))


async def reveal(repository: Repository, env: Mapping[str, str]) -> list[bytes]:
    """Take the marks off the files that are there, in the copy of the index that ``env`` names; gives their paths."""
    listed = await repository.git.run("ls-files", "-v", "-z", env=env, read_only=True)
    marked = _marked(os.fsencode(repository.worktree), listed.records())
    for option in ("--no-assume-unchanged", "--no-skip-worktree"):
        names = [path for path, options in marked.items() if option in options]
        if names:
            await repository.git.run(
                "update-index", option, "-z", "--stdin", stdin=_lines(names), env=env, plumbing=True
            )
    return list(marked)


def _marked(root: bytes, records: list[bytes]) -> dict[bytes, set[str]]:
    """The options that take the marks off, for each marked file that is there. A lower-case letter is that of a file
    assumed unchanged, whatever else it is."""
    marked: dict[bytes, set[str]] = {}
    for record in records:
        mark, path = record[:1], record[2:]
        if mark in _KINDS and os.path.lexists(os.path.join(root, path)):  # noqa: PTH118 (bytes)
            marked[path] = {_KINDS[mark], "--no-assume-unchanged"} if mark.islower() else {_KINDS[mark]}
    return marked


def _lines(paths: list[bytes]) -> bytes:
    return b"".join(path + b"\0" for path in paths)
