"""What the file actions share: the lane's root held open, and its problems as ADE's errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.workspace import problems as p
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.threads import in_thread

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.wire import WireModel

T = TypeVar("T")
M = TypeVar("M", bound="WireModel")
BUDGET = 2 * 1024 * 1024
"""Characters of one answer's list, well within what a connection carries."""


@dataclass(frozen=True, slots=True)
class Files:
    """A lane's files for one call."""

    work: Work
    root: Root

    async def run(self, fn: Callable[[Root], T]) -> T:
        """Work on the files outside of the event loop, with problems as errors."""

        def perform() -> T:
            with told(self.work.name):
                return fn(self.root)

        return await in_thread(perform)


class FileActions(LaneActions):
    """Base of the modules of this domain."""

    @asynccontextmanager
    async def _looking(self, call: Call, lane: str | None) -> AsyncIterator[Files]:
        async with self._reading(call, lane) as work:
            with _root(work) as root, told(work.name):
                yield Files(work, root)

    async def _claim(self, call: Call, output: WireModel, **proof: Any) -> None:
        """Note what is about to be answered, before the change that makes it true. Should this process be killed after the
        change, who repeats the call is answered by :meth:`_claimed`; ``proof`` is what tells that the change was made."""
        if call.receipt is not None:
            what: JsonObject = {"output": orjson.loads(output.to_wire_json()), **proof}
            await self._services.database.write(lambda db: call.claim(db, what))

    @staticmethod
    def _claimed(call: Call, kind: type[M]) -> M | None:
        """What an attempt at this call that was killed was about to answer."""
        told = call.earlier.get("output")
        return None if told is None else kind.model_validate_json(orjson.dumps(told))

    @asynccontextmanager
    async def _changing(self, call: Call, lane: str | None) -> AsyncIterator[Files]:
        """With the lane's lock held: of two calls that write one file the second sees what the first has written."""
        async with self._writing(call, lane) as work:
            with _root(work) as root, told(work.name):
                yield Files(work, root)


@contextmanager
def _root(work: Work) -> Iterator[Root]:
    work.repository.verify()
    with told(work.name):
        root = Root(work.repository.worktree)
    with root:
        yield root


@contextmanager
def told(lane: str) -> Iterator[None]:
    """Turn a :class:`~ade_runtime.workspace.problems.WorkspaceProblem` raised inside into the error of the catalogue."""
    try:
        yield
    except p.WorkspaceProblem as problem:
        raise to_error(problem, lane) from None


def to_error(problem: p.WorkspaceProblem, lane: str) -> AdeError:
    path = problem.path
    match problem:
        case p.PathRefused(reason=reason):
            return errors.PathOutsideLane(path=path, lane=lane, reason=reason)
        case p.Missing():
            return errors.FileMissing(lane=lane, path=path)
        case p.Exists():
            return errors.FileExists(lane=lane, path=path)
        case p.WrongKind(found=found, wanted=wanted):
            return errors.FileWrongKind(lane=lane, path=path, found=found, wanted=wanted)
        case p.NotEmpty():
            return errors.FolderNotEmpty(lane=lane, path=path)
        case p.TooLarge(size=size, limit=limit):
            return errors.FileTooLarge(lane=lane, path=path, size=size, limit=limit)
        case p.Failed(reason=p.INTO_ITSELF):
            hint = "Move it beside itself first, or make the folder it is to be in somewhere else."
            return errors.FileUnusable(lane=lane, path=path, reason=p.INTO_ITSELF, hint=hint)
        case p.Failed(reason="No space left on device" | "Disk quota exceeded"):
            return errors.DiskFull(lane=lane)
        case _:
            return errors.FileUnusable(lane=lane, path=path, reason=p.words(problem))


def within_budget(items: Sequence[T], size: Callable[[T], int]) -> list[T]:
    """As many items from the start as fit into one answer, at least one."""
    left = BUDGET
    kept: list[T] = []
    for item in items:
        left -= size(item)
        if left < 0 and kept:
            break
        kept.append(item)
    return kept
