"""Git's failures in the words of ADE's error catalogue, for lanes and projects."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git import failures as f

T = TypeVar("T")


def ade_error(problem: f.GitError, lane: str = "") -> AdeError:
    """The error a caller reads. ``lane`` is the name of the lane that was worked on, where there is one."""
    if isinstance(problem, f.StorageFull):
        return errors.DiskFull(lane=lane)
    if isinstance(problem, f.GitMissing):
        return errors.GitMissing(reason=clean_reason(problem))
    if isinstance(problem, f.GitLocked):
        age = "an unknown time" if problem.age is None else f"{problem.age:.0f} s"
        return errors.GitLocked(path=str(problem.path), age=age)
    if isinstance(problem, f.WorktreeMissing) and lane:
        return errors.LaneMissing(lane=lane, path=str(problem.path))
    if isinstance(problem, f.NotARepository):
        return errors.LaneNotAWorktree(lane=lane, reason=clean_reason(problem))
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


def disk_full(problem: BaseException, lane: str) -> AdeError | None:
    """``disk_full`` when a failure of git or of the file system says that the disk is."""
    full = isinstance(problem, OSError) and problem.errno == errno.ENOSPC
    return errors.DiskFull(lane=lane) if full or isinstance(problem, f.StorageFull) else None
