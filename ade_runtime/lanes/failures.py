"""Git's failures in the words of ADE's error catalogue, for lanes and projects."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git import failures as f

T = TypeVar("T")


def ade_error(problem: f.GitError, lane: str = "") -> AdeError:
    """The error a caller reads. ``lane`` is the name of the lane that was worked on, where there is one."""
    if isinstance(problem, f.StorageFull):
        return errors.StorageFull(path=problem.command or "the repository")
    if isinstance(problem, f.WorktreeMissing) and lane:
        return errors.LaneMissing(lane=lane, path=str(problem.path))
    if isinstance(problem, f.BranchCheckedOut):
        return errors.BranchInUse(branch=problem.branch, path=problem.path)
    return errors.GitFailed(command=problem.command or "repository", reason=clean_reason(problem))


def clean_reason(problem: f.GitError) -> str:
    """Git's reason as the end of a sentence."""
    return problem.reason.rstrip(". ") or "it gave no reason"


@contextmanager
def translated(lane: str = "") -> Iterator[None]:
    """Turn a :class:`GitError` raised inside into the error of the catalogue."""
    try:
        yield
    except f.GitError as problem:
        raise ade_error(problem, lane) from problem


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Await ``work``; a cancellation is raised only once it has ended, since stopping halfway would lose
    something."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise


def storage_full(problem: BaseException, folder: Path) -> AdeError | None:
    """``storage_full`` when a failure of git or of the file system says that the disk is."""
    if isinstance(problem, f.StorageFull) or (isinstance(problem, OSError) and problem.errno == errno.ENOSPC):
        return errors.StorageFull(path=str(folder))
    return None
