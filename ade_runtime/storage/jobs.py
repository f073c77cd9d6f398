"""What the database's thread has to do, one job at a time, and which jobs share a transaction.

A transaction costs several times what is read in it, and a commit waits for the disk; so under load the reads of many clients
share one, and so do their writes. A read was asked for before its transaction began, and so sees all that had been written by
then. A write may be done before reads that were asked for earlier: it joins the writes before them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

TOGETHER = 32
"""Most jobs of one transaction."""

LONGEST = 0.01
"""Seconds of work after which a transaction takes no further write."""

PATIENCE = 0.002
"""Seconds that an answer may wait for those of the reads behind it."""


class Job:
    """A function to call with the connection, and the future that gets what comes of it."""

    __slots__ = ("_loop", "_outcome", "_problem", "answer", "done", "fn", "writing")

    def __init__(self, fn: Callable[[Connection], Any], *, writing: bool) -> None:
        self.fn = fn
        self.writing = writing
        self.done = False
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self._loop.create_future()
        self._outcome: Any = None
        self._problem: BaseException | None = None

    def succeed(self, outcome: Any) -> None:
        self._outcome, self.done = outcome, True

    def fail(self, problem: BaseException) -> None:
        if isinstance(problem, StopIteration):  # a future takes none, so whoever waits would wait for ever
            problem = RuntimeError("there was no next element").with_traceback(problem.__traceback__)
        self._problem, self.done = problem, True

    def tell(self) -> None:
        """Hand over the outcome; called in the loop that waits for it, which may no longer want it."""
        if self.answer.done():
            return
        if self._problem is None:
            self.answer.set_result(self._outcome)
        else:
            self.answer.set_exception(self._problem)

    def goes_with(self, other: Job) -> bool:
        """Whether both can be done in one transaction and told in one turn."""
        return self.writing == other.writing and self._loop is other._loop

    @staticmethod
    def tell_all(jobs: Sequence[Job]) -> None:
        """Have the loop that waits for these jobs, the same for all of them, take their outcomes."""
        if jobs:
            with contextlib.suppress(RuntimeError):  # closed meanwhile, and nobody waits
                jobs[0]._loop.call_soon_threadsafe(_tell, tuple(jobs))


def _tell(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.tell()


class Teller:
    """Tells of jobs as they are done: of those done at once together, of none much later than it was done."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = jobs
        self._told = 0
        self._since = time.monotonic()

    def look(self, done: int) -> None:
        """The first ``done`` jobs are done."""
        now = time.monotonic()
        if now - self._since >= PATIENCE or done == len(self._jobs):
            Job.tell_all(self._jobs[self._told : done])
            self._told, self._since = done, now

    def finish(self, problem: BaseException) -> None:
        """None of the jobs that are not done will be, for this reason."""
        for job in self._jobs:
            if not job.done:
                job.fail(problem)
        self.look(len(self._jobs))


def take(queue: deque[Job]) -> list[Job]:
    """The next jobs to do together, in order; none that nobody waits for any more."""
    taken: list[Job] = []
    passed: list[Job] = []
    while queue and len(taken) < TOGETHER:
        job = queue.popleft()
        if job.answer.cancelled():
            continue
        if not taken or job.goes_with(taken[0]):
            taken.append(job)
        else:
            passed.append(job)
            if not taken[0].writing:
                break
    queue.extendleft(reversed(passed))
    return taken
