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


def clean_reason(problem: f.GitError) -> str:
    """Git's reason as the end of a sentence."""
    return problem.reason.rstrip(". ") or "it gave no reason"


@contextmanager
def translated(lane: str = "") -> Iterator[None]:
    """Turn a :class:`GitError` raised inside, or a disk that is full, into the error of the catalogue."""
    try:
        yield
    except f.GitError as problem:
        from ade_runtime.domains.git.failures import Context, to_error

        raise to_error(problem, Context(lane=lane, action="git")) from problem
    except OSError as problem:
        full = disk_full(problem, lane)
        if full is None:
            raise
        raise full from problem


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
    full = isinstance(problem, OSError) and problem.errno in (errno.ENOSPC, errno.EDQUOT)
    return errors.DiskFull(lane=lane) if full or isinstance(problem, f.StorageFull) else None
