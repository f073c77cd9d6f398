"""A place beside the repository for objects and an index that nobody is to see.

Git reads the repository's own objects through it as alternates and writes only into it, so a simulated merge
leaves no loose object behind, and the real index is never locked or refreshed. The whole place is removed at
the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.repository import Repository
from ade_runtime.machine.temporary import new_folder

_SETTINGS = {
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "diff.autoRefreshIndex",
    "GIT_CONFIG_VALUE_0": "true",
    "GIT_CONFIG_KEY_1": "core.fsync",
    "GIT_CONFIG_VALUE_1": "none",
}
"""Without the first, files that were only touched would be shown as changed. The second since nothing here is to last."""
_IDENTITY = {
    "GIT_AUTHOR_NAME": "ADE",
    "GIT_AUTHOR_EMAIL": "ade@localhost",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "ADE",
    "GIT_COMMITTER_EMAIL": "ade@localhost",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}
"""Who makes passing commits; a fixed moment, so that the same work always gets the same id."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """``env`` sends new objects to the scratch place. ``index`` is where :meth:`copy_index` puts copies."""

    folder: Path
    env: Mapping[str, str]

    async def copy_index(self, repository: Repository) -> dict[str, str]:
        """An environment in which git works on a copy of the worktree's index.

        Each call gives a copy of its own.
        """
        source = repository.git_dir / "index"
        target = self.folder / f"index.{os.urandom(8).hex()}"  # several worktrees are looked at side by side
        await asyncio.to_thread(copy_index_file, source, target)
        return {**self.env, "GIT_INDEX_FILE": str(target)}


@contextlib.asynccontextmanager
async def scratch(repository: Repository) -> AsyncIterator[Scratch]:
    """A scratch place for ``repository`` and every other worktree of the same one."""
    folder = new_folder("scratch")
    try:
        objects = folder / "objects"
        objects.mkdir()
        env = {
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quote(repository.common_dir / "objects"),
            **_IDENTITY,
            **_SETTINGS,
        }
        yield Scratch(folder, env)
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))


def copy_index_file(source: Path, target: Path) -> None:
    """Copy an index, where there is one.

    The copy keeps the modification time: git tells from it which files were changed in the same instant as the index and have
    to be read to be judged.
    """
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(source, target)
        times = source.stat()
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))


def _quote(path: Path) -> str:
    """``path`` as an element of a colon-separated list that may itself hold colons, quotes and newlines."""
    text = str(path)
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return f'"{text}"'
