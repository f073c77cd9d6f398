"""New repositories: made from nothing or cloned, beside their final place first, so that a failure leaves no
folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import redact
from ade_runtime.lanes.failures import clean_reason
from ade_runtime.machine.temporary import named_draft
from ade_runtime.projects.address import Address
from ade_runtime.projects.locate import checkout_around, real
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Progress

CLONE_TIMEOUT = 1800.0
_PAUSE = 0.5
_PROTOCOLS = "https:ssh:git:file"


Begun = Callable[[Path], Awaitable[None]]
"""Told of the new, empty folder that will become the repository, before anything is put there."""


async def create_repository(
    path: Path, branch: str, readme: str, env: Mapping[str, str], begun: Begun
) -> Path:
    """Make a repository with one commit at ``path``; gives its root."""
    around = checkout_around(path.parent)
    if around is not None:
        raise errors.InsideRepository(path=str(path), root=str(around[0]))
    async with _new_folder(path, begun) as draft:
        git = Git(draft, env={**os.environ, **env})
        await git.run("init", "--quiet", f"--initial-branch={branch}")
        (draft / "README.md").write_text(readme, encoding="utf-8")
        await git.run("add", "--", "README.md")
        await git.run("commit", "--quiet", "-m", "Add README")
    return real(path)


async def clone_repository(
    address: Address,
    path: Path,
    *,
    branch: str | None,
    depth: int | None,
    progress: Progress,
    caller: Mapping[str, str],
    begun: Begun,
) -> Path:
    """Clone into ``path``; gives its root. Raises ``clone_failed`` with git's reason, passwords hidden."""
    options: list[str] = ["--quiet"]
    if branch is not None:
        options.append(f"--branch={branch}")
    if depth is not None:
        options += [f"--depth={depth}", "--no-single-branch"]
    env = {"GIT_ALLOW_PROTOCOL": _PROTOCOLS, **address.credentials()}
    try:
        async with _new_folder(path, begun) as draft:
            git = Git(path.parent, env={**os.environ, **caller})
            watcher = asyncio.ensure_future(_watch(draft, progress))
            try:
                await git.run(
                    "clone",
                    *options,
                    "--",
                    address.url,
                    draft,
                    env=env,
                    timeout=CLONE_TIMEOUT,
                    retry_locked=False,
                )
            finally:
                watcher.cancel()
    except GitError as problem:
        raise errors.CloneFailed(url=address.shown, reason=redact(clean_reason(problem))) from problem
    return real(path)


@asynccontextmanager
async def _new_folder(path: Path, begun: Begun) -> AsyncIterator[Path]:
    """A folder beside ``path`` to work in, which then takes the place of ``path``, or is removed."""
    _require_free(path)
    draft = path.with_name(f".ade-{new_id('new')}")
    with named_draft(draft):
        try:
            draft.mkdir()
            await begun(draft)
            yield draft
            _require_free(path)
            os.replace(draft, path)  # noqa: PTH105 - also replaces an empty folder
        except OSError as problem:
            raise GitError(command="init", stderr=str(problem)) from problem
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, draft, ignore_errors=True))


def _require_free(path: Path) -> None:
    """Raise ``path_not_found`` unless the folder around it exists, ``path_exists`` unless it is free or
    empty."""
    if not path.parent.is_dir():
        raise errors.PathNotFound(path=str(path.parent))
    if path.is_symlink() or (path.exists() and (not path.is_dir() or any(path.iterdir()))):
        raise errors.PathExists(path=str(path))


async def _watch(draft: Path, progress: Progress) -> None:
    """Tell how much has arrived: git reports percentages only to a terminal."""
    progress("Cloning", None)
    while True:
        await asyncio.sleep(_PAUSE)
        size = await asyncio.to_thread(_size, draft / ".git" / "objects")
        if size:
            progress(f"Received {size / 1024 / 1024:.1f} MiB", None)


def _size(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder / "pack"):
            total += entry.stat().st_size
    return total
