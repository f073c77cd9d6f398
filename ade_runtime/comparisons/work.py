"""Many small pieces of work at once, each of which may fail without taking the others along."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from ade_generated.models.types import ConflictFailure
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git.failures import Context, to_error
from ade_runtime.integrations.git.failures import GitError

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

AT_ONCE = max(2, min(4, os.cpu_count() or 2))
Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(slots=True)
class Outcome(Generic[Job, Result]):
    """``done`` in the order of the jobs; ``failed`` with what went wrong."""

    done: list[tuple[Job, Result]] = field(default_factory=list)
    failed: list[tuple[Job, AdeError]] = field(default_factory=list)


async def each(
    jobs: Sequence[Job],
    perform: Callable[[Job], Awaitable[Result]],
    *,
    call: Call | None = None,
    what: str = "",
) -> Outcome[Job, Result]:
    """Perform all jobs, a few at once, reporting progress to ``call``. What is no error of ADE's or git's
    ends them all."""
    gate = asyncio.Semaphore(AT_ONCE)
    finished = 0

    async def one(job: Job) -> Result | AdeError:
        nonlocal finished
        async with gate:
            try:
                return await perform(job)
            except AdeError as problem:
                return problem
            except GitError as problem:
                return to_error(
                    problem, Context(lane="", action=call.action.id if call is not None else "git")
                )
            finally:
                finished += 1
                if call is not None:
                    call.progress(f"{finished} of {len(jobs)} {what}", finished / len(jobs))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(job)) for job in jobs]
    outcome: Outcome[Job, Result] = Outcome()
    for job, task in zip(jobs, tasks, strict=True):
        result = task.result()
        if isinstance(result, AdeError):
            outcome.failed.append((job, result))
        else:
            outcome.done.append((job, result))
    return outcome


def failure(lanes: Sequence[str], problem: AdeError) -> ConflictFailure:
    return ConflictFailure(lanes=list(lanes), code=problem.code, message=problem.message)
