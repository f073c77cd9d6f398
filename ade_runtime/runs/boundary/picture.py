"""A picture of a project's repository: its branches and tags, what every checkout has in its files, and the shared settings.

It is made from one run of git for all refs. Checkouts that are provably clean cost no further one; the others are asked for the
files that differ from their commit, which are then known by size and times.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.status import read_status
from ade_runtime.lanes.status import GITS, certainly_clean
from ade_runtime.projects.locate import read_line

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.projects.registry import Project

_FORMAT = "%(refname)%00%(objectname)%00%(tree)"
_BRANCH = "ref: "
_SETTINGS_LIMIT = 1024 * 1024
MOST_FILES = 2000
"""Files of one checkout that are known one by one; of more it is known only that there are more."""

File = tuple[str, int, int]
"""Git's letters, size, and the time of the last change of any kind; -1 for what is not there."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """``head`` is the ref or commit that is checked out. ``files`` are those that differ from ``commit``, ``None`` where that
    could not be found out."""

    present: bool
    head: str
    commit: str | None
    files: Mapping[bytes, File] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """``checkouts`` by lane id, without those that were left out; ``heads`` are the refs checked out in any lane."""

    at: datetime
    refs: Mapping[str, str]
    heads: Mapping[str, str]
    settings: str
    checkouts: Mapping[str, Checkout]


async def take(
    project: Project, lanes: Collection[LaneRecord], left_out: Collection[str], at: datetime
) -> Picture:
    """The repository as it is now. Files of the lanes ``left_out`` (ids) are not looked at. Raises :class:`GitError`."""
    git = Repository(project.root, project.git_dir).git
    found = await git.read("for-each-ref", f"--format={_FORMAT}", "refs/heads", "refs/tags")
    refs: dict[str, str] = {}
    trees: dict[str, str] = {}
    for line in found.stdout.splitlines():
        name, commit, tree = (os.fsdecode(part) for part in line.split(b"\0"))
        refs[name], trees[name] = commit, tree
    heads = {lane.id: _head(lane) for lane in lanes}
    few = asyncio.Semaphore(GITS)

    async def look(lane: LaneRecord) -> tuple[str, Checkout]:
        return lane.id, await _checkout(lane, heads[lane.id], refs, trees, few)

    looked = await asyncio.gather(*(look(lane) for lane in lanes if lane.id not in left_out))
    settings = await asyncio.to_thread(_settings, project.git_dir)
    return Picture(at=at, refs=refs, heads=heads, settings=settings, checkouts=dict(looked))


def _head(lane: LaneRecord) -> str:
    """The full ref that is checked out, else the commit; nothing where it cannot be read."""
    line = None if lane.git_dir is None else read_line(f"{lane.git_dir}/HEAD")
    return "" if line is None else line.removeprefix(_BRANCH)


async def _checkout(
    lane: LaneRecord,
    head: str,
    refs: Mapping[str, str],
    trees: Mapping[str, str],
    few: asyncio.Semaphore,
) -> Checkout:
    if not lane.present:
        return Checkout(False, head, None, None)
    commit = refs.get(head, head if not head.startswith("refs/") else None)
    tree = trees.get(head, "")
    proved: bool = tree != "" and await asyncio.to_thread(certainly_clean, lane, tree)
    if proved:
        return Checkout(True, head, commit, {})
    try:
        async with few:
            status = await read_status(
                Repository(lane.path, lane.project.git_dir).git, untracked="all", renames=False
            )
    except GitError:
        return Checkout(True, head, commit, None)
    letters = {entry.path: entry.index + entry.worktree for entry in status.entries}
    if len(letters) > MOST_FILES:
        return Checkout(True, head, commit, None)
    return Checkout(True, head, commit, await asyncio.to_thread(_files, lane.path, letters))


def _files(root: Path, letters: Mapping[bytes, str]) -> dict[bytes, File]:
    found: dict[bytes, File] = {}
    for path, state in letters.items():
        try:
            stat = os.lstat(os.path.join(os.fsencode(root), path))  # noqa: PTH118 - bytes
            found[path] = (state, stat.st_size, stat.st_ctime_ns)
        except OSError:
            found[path] = (state, -1, -1)
    return found


def _settings(git_dir: Path) -> str:
    """A digest of what all checkouts share: the configuration but for what it says of branches, and the hooks."""
    digest = hashlib.sha256()
    try:
        with (git_dir / "config").open("rb") as file:
            text = file.read(_SETTINGS_LIMIT)
    except OSError:
        text = b""
    about_branch = False
    for line in text.splitlines():
        if line.lstrip().startswith(b"["):
            about_branch = line.lstrip().lower().startswith(b"[branch ")
        if not about_branch:
            digest.update(line + b"\n")
    hooks = git_dir / "hooks"
    try:
        for entry in sorted(os.scandir(hooks), key=lambda one: one.name):
            stat = entry.stat(follow_symlinks=False)
            digest.update(f"{entry.name}\0{stat.st_mode}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    except OSError:
        pass
    return digest.hexdigest()
