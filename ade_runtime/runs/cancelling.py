"""Stopping a run, or one agent of it: what they hold is let go, they are interrupted, and their work stays or goes."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Literal

from ade_runtime.contracts import AdeError
from ade_runtime.runs import lineage, outbox, store
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.tasks import end_attempt, held_by

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

Work = Literal["review", "revert"]
OVER = frozenset({"completed", "failed"})
CANCELLED = "cancelled"
log = logging.getLogger("ade.runs")


def cancel_agent(manifest: Manifest, session: str, now: str, reason: str | None) -> bool:
    """Take an agent's tasks and end its row; false where it was over. Its cancelled attempts say why."""
    row = next((one for one in manifest["agents"] if one["sessionId"] == session), None)
    if row is None or row["role"] == "lead":
        return False
    row["cancellationRequested"] = True
    if row["status"] in OVER:
        return False
    for task in list(held_by(manifest, session)):
        end_attempt(task, CANCELLED, now, reason or CANCELLED)
        task |= {"status": "pending", "assigneeSessionId": None, "claimedAt": None, "claimLeaseUntil": None}
    row |= {"status": "failed", "currentStepId": None, "stalled": False}
    lineage.close(manifest, session, "failed", f"Cancelled: {reason}" if reason else "Cancelled", now)
    return True


def cancel_all(manifest: Manifest, now: str, reason: str | None) -> list[str]:
    """Cancel every agent that is not over, and give them."""
    stopped = [
        one["sessionId"]
        for one in manifest["agents"]
        if cancel_agent(manifest, one["sessionId"], now, reason)
    ]
    for one in manifest["agents"]:
        one["cancellationRequested"] = True
    return stopped


def promise_ends(
    db: Connection, services: Services, run: str, sessions: list[str], reason: str | None
) -> None:
    """Nothing else is told to anybody of a cancelled run; those at work are interrupted."""
    now, lead = services.sessions.now(), store.record(db, run).lead
    outbox.drop_waiting(db, run, "the run was cancelled", now)
    # a lead may cancel its own run: its chat must not be ended before the call has answered
    for session in [*sessions, lead] if _has_chat(db, lead) else sessions:
        outbox.enqueue(
            db,
            run,
            kind="cancel_interrupt",
            target=session,
            text=reason or "The run was cancelled.",
            at=now,
            delivery="interrupt",
            once=f"cancel:{session}",
        )


def end_sessions(db: Connection, services: Services, run: str, sessions: list[str]) -> None:
    """Nobody of a cancelled run acts any more, whether or not a runtime is there to interrupt its program."""
    from ade_runtime.sessions import store as kept

    for session in (*sessions, store.record(db, run).lead):
        kept.end(db, session, services.sessions.now(), f"run {run} was cancelled")


async def end_chats(services: Services, run: str, sessions: list[str]) -> None:
    """End the programs at once where this process is the runtime; elsewhere they go on until one is told what was promised."""
    for session in sessions if services.settings.listening else ():
        try:
            if await services.database.read(partial(_has_chat, session=session)):
                await services.chats.end(session, f"run {run} was cancelled")
        except AdeError as problem:
            log.warning("chat %s of run %s could not be ended: %s", session, run, problem.message)


async def revert(services: Services, run: str) -> tuple[list[str], list[str]]:
    """Delete the lanes that were made for a run's agents; what was in them is kept for a while, as of every lane. Gives the
    names of those that went, and of those that stay with the reason."""
    from ade_runtime.lanes.delete import delete_lane

    record = await services.database.read(lambda db: store.record(db, run))
    made = await services.database.read(lambda db: _lanes_made(db, run))
    project = next((one for one in await services.projects.all() if one.id == record.project), None)
    gone: list[str] = []
    left: list[str] = []
    if project is None:
        return gone, left
    for lane in [one for one in await services.lanes.all(project) if one.id in made][::-1]:
        try:
            everything = ("uncommitted", "untracked", "unpublished")
            await delete_lane(services.lanes, lane, everything, delete_branch=True)
            gone.append(lane.name)
        except AdeError as problem:
            left.append(f"{lane.name}: {problem.message}")
    return gone, left


def _lanes_made(db: Connection, run: str) -> set[str]:
    """Lanes that were made for agents of the run."""
    from ade_runtime.runs import receipts

    return {one.lane for one in receipts.listed(db, run) if one.kind == "spawn" and one.lane is not None}


def _has_chat(db: Connection, session: str) -> bool:
    from ade_runtime.chat import store as chats

    return chats.state_of(db, session) is not None
