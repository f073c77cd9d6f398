"""Putting changes aside for as long as an operation takes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ade_runtime.domains.git.heads import finish
from ade_runtime.domains.git.work import Work
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.stash import drop_stash, find_stash, push_stash
from ade_runtime.integrations.git.status import read_status


@asynccontextmanager
async def put_aside(work: Work, wanted: bool) -> AsyncIterator[list[str]]:
    """Stash the changes to tracked files before the body and bring them back after it, whatever became of
    it.

    Where they cannot be brought back (the operation stopped at conflicts, or they are themselves in
    conflict) they stay in the list of stashes, and a note in the yielded list says so.
    """
    notes: list[str] = []
    stash = None
    if wanted and not (await read_status(work.git, untracked="no")).clean:
        stash = await push_stash(work.git, f"put aside before {work.context.action}")
    try:
        yield notes
    finally:
        if stash is not None:
            await finish(_bring_back(work, stash, notes))


async def _bring_back(work: Work, oid: str, notes: list[str]) -> None:
    if work.progress is not None:
        notes.append(f"your changes wait in stash {oid}; apply it once the operation is finished")
        return
    try:
        await work.git.run("stash", "apply", "--index", "--quiet", oid, literal=False)
    except GitError:
        if (await read_status(work.git, untracked="no")).clean:
            await work.git.run("stash", "apply", "--quiet", oid, literal=False, check=False)
        if (await read_status(work.git, untracked="no")).unmerged:
            notes.append(f"your changes are in conflict with what came in; they also wait in stash {oid}")
            return
    found = await find_stash(work.git, oid)
    if found is not None:
        await drop_stash(work.git, found)
