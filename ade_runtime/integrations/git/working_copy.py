"""The working tree seen through a copy of its index: compared as it is, or taken as a commit that nobody
sees."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.diff import Comparison
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch
from ade_runtime.integrations.git.text import show_path

UNTRACKED_LIMIT = 20_000
"""New files that are looked at; with more of them an ignore rule is missing."""
SNAPSHOT_FILE_LIMIT = 32 * 1024 * 1024
"""Bytes of a new file that a snapshot takes; a larger one is noted and left out."""


@dataclass(frozen=True, slots=True)
class Untracked:
    """``files`` git does not track and does not ignore; ``nested`` folders hold repositories of their own."""

    files: list[bytes]
    nested: list[bytes]
    left_out: int

    def notes(self) -> list[str]:
        out = [
            f"{show_path(path)} is a repository of its own and was not looked into"
            for path in self.nested[:20]
        ]
        if self.left_out:
            out.append(f"{self.left_out} more new files were not looked at; an ignore rule may be missing")
        return out


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``commit`` holds the working tree as it is, on top of HEAD; ``notes`` say what it lacks."""

    commit: str
    notes: list[str]


async def compare_worktree(
    repository: Repository,
    place: Scratch,
    revisions: tuple[str, ...],
    *,
    untracked: bool,
    paths: Sequence[bytes] = (),
) -> tuple[Comparison, list[str]]:
    """The working tree against a commit or, without ``revisions``, against the index; and notes on what was
    left out."""
    env = await place.copy_index(repository)
    unmerged = await _unmerged(repository, env, paths)
    found = await list_untracked(repository, env, paths) if untracked else Untracked([], [], 0)
    if found.files:
        await repository.git.run(
            "add",
            "--intent-to-add",
            "--pathspec-from-file=-",
            "--pathspec-file-nul",
            env=env,
            stdin=b"\0".join(found.files),
            read_only=True,
        )
    comparison = Comparison(
        revisions=revisions, worktree=True, env=env, untracked=frozenset(found.files), unmerged=unmerged
    )
    return comparison, found.notes()


async def list_untracked(
    repository: Repository, env: Mapping[str, str], paths: Sequence[bytes] = ()
) -> Untracked:
    result = await repository.git.run(
        "ls-files", "--others", "--exclude-standard", "-z", "--", *paths, env=env, read_only=True
    )
    records = result.records()
    files = [path for path in records if not path.endswith(b"/")]
    nested = [path.rstrip(b"/") for path in records if path.endswith(b"/")]
    return Untracked(files[:UNTRACKED_LIMIT], nested, max(0, len(files) - UNTRACKED_LIMIT))


async def snapshot(repository: Repository, place: Scratch, head: str) -> Snapshot:
    """Take the working tree, new files included, as a passing commit on top of ``head``."""
    env = await place.copy_index(repository)
    unmerged = await _unmerged(repository, env)
    found = await list_untracked(repository, env)
    notes = found.notes()
    if unmerged:
        notes.append(f"{len(unmerged)} files with unresolved conflicts were taken with their conflict marks")
    small, large = await asyncio.to_thread(_by_size, repository.worktree, found.files)
    notes += [f"{show_path(path)} is too large and was left out" for path in large[:20]]
    await repository.git.run("add", "--update", env=env, read_only=True)
    if small:
        await repository.git.run(
            "update-index", "--add", "-z", "--stdin", env=env, stdin=b"\0".join(small) + b"\0", read_only=True
        )
    tree = (await repository.git.run("write-tree", env=env, read_only=True)).text
    commit = await commit_tree(repository, place.env, tree, (head,), "Work that is not committed")
    return Snapshot(commit, notes)


async def commit_tree(
    repository: Repository, env: Mapping[str, str], tree: str, parents: Sequence[str], message: str
) -> str:
    """Write a commit where ``env`` sends objects and return its id."""
    named = [argument for parent in parents for argument in ("-p", parent)]
    result = await repository.git.run(
        "commit-tree", "--no-gpg-sign", *named, "-m", message, tree, env=env, read_only=True
    )
    return result.text


async def _unmerged(
    repository: Repository, env: Mapping[str, str], paths: Sequence[bytes] = ()
) -> frozenset[bytes]:
    result = await repository.git.run("ls-files", "--unmerged", "-z", "--", *paths, env=env, read_only=True)
    return frozenset(record.split(b"\t", 1)[1] for record in result.records())


def _by_size(root: Path, files: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Regular files and links that a snapshot takes, and those too large; what vanished meanwhile is
    dropped."""
    small: list[bytes] = []
    large: list[bytes] = []
    top = os.fsencode(root)
    for path in files:
        try:
            found = os.lstat(os.path.join(top, path))  # noqa: PTH118 (bytes)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_size > SNAPSHOT_FILE_LIMIT:
            large.append(path)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode):
            small.append(path)
    return small, large
