"""A lane opened for one call: its repository in the caller's environment, its lock, git's failures as ADE's
errors."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.domains.git.failures import Context, translate
from ade_runtime.integrations.git.refs import current_branch
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.state import Progress, read_progress

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


@dataclass(slots=True)
class Work:
    """One lane at work. Handlers fill ``context`` with what they are about, for errors."""

    record: LaneRecord
    repository: Repository
    context: Context

    @property
    def git(self) -> Git:
        return self.repository.git

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def progress(self) -> Progress | None:
        return read_progress(self.repository.git_dir)

    def refuse_unfinished(self) -> None:
        """Raise ``operation_in_progress`` while a merge, rebase, cherry-pick, revert or am waits to be
        finished."""
        progress = self.progress
        if progress is not None and progress.operation != "bisect":
            raise errors.OperationInProgress(lane=self.name, operation=spoken(progress.operation))


class LaneActions:
    """Base of the modules of this domain."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @asynccontextmanager
    async def _reading(self, call: Call, ref: str | None) -> AsyncIterator[Work]:
        """The lane a read means; the primary one when the call names none and the caller is in none."""
        work = self._open(call, await self._services.lanes.resolve(call, ref, write=False))
        with translate(work.context):
            yield work

    @asynccontextmanager
    async def _writing(self, call: Call, ref: str | None) -> AsyncIterator[Work]:
        """The lane a write means, with its lock held."""
        record = await self._writable(call, ref)
        async with self._services.locks.lane(record.id):
            work = self._open(call, record)
            with translate(work.context):
                yield work

    async def _writable(self, call: Call, ref: str | None) -> LaneRecord:
        lanes = self._services.lanes
        try:
            return await lanes.resolve(call, ref, write=True)
        except errors.LaneRequired:
            primary = (await lanes.all(call.project))[0]
            if not in_person(call) or not _inside(call.caller.cwd, primary.path):
                raise
            call.subject = primary.id
            return primary

    async def _note_branch(self, work: Work, *, made: bool = False) -> None:
        """Let the lane's row say which branch is checked out; ``made`` when ADE has just made it."""
        branch = await current_branch(work.git)
        if not work.record.is_primary and branch != work.record.branch:
            await self._services.lanes.store.change(work.record, branch=branch, owns_branch=made)

    def _open(self, call: Call, record: LaneRecord) -> Work:
        plain = self._services.lanes.repository(record)
        repository = Repository(plain.worktree, plain.common_dir, env={**os.environ, **call.caller.env})
        return Work(record, repository, Context(lane=record.name, action=call.action.id))


def in_person(call: Call) -> bool:
    """Whether a person's own shell asks: no session that ADE launched. Such a person, standing in the
    project's checkout, means that checkout; an agent has to name it."""
    return call.identity.session is None and call.caller.chat is None


def spoken(operation: str) -> str:
    """A git operation as it is called in a sentence."""
    return operation.replace("_", "-")


def _inside(cwd: str | None, folder: Path) -> bool:
    return cwd is not None and Path(os.path.realpath(cwd)).is_relative_to(folder)
