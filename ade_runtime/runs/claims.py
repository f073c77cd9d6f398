"""Claiming a task: whether it may be claimed now and by this member, and what that changes. The one place of these rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ade_generated import errors
from ade_runtime.runs import leases
from ade_runtime.runs.document import PHASES, Manifest, instant
from ade_runtime.runs.members import Member
from ade_runtime.runs.tasks import ENDED, HELD, Task, agent_of, find, free, replaced, settled
from ade_runtime.storage.ids import new_id

LAPSED = "its lease ran out"


def claim(
    manifest: Manifest,
    member: Member,
    name: str,
    lease: timedelta,
    now: datetime,
    heard: Mapping[str, datetime],
) -> Task:
    """Give a task to a worker or validator. Its holder may claim it again, which counts the lease anew.

    ``heard`` is when each session was last heard of; a claim that has run out by that is free for the next. Raises
    ``task_not_found``, ``task_over``, ``task_not_open``, ``task_already_claimed`` and ``task_blocked``.
    """
    task, session = find(manifest, name), str(member.session)
    _check_open(manifest, task, member)
    holder = task["assigneeSessionId"]
    if task["status"] in HELD and holder != session:
        if not leases.is_over(task, heard.get(holder), now):
            raise errors.TaskAlreadyClaimed(task=name, holder=holder)
        free(task, instant(now), LAPSED)
    _check_unblocked(manifest, task)
    if task["status"] not in HELD:
        _begin(task, session, now)
    task["claimLeaseUntil"] = instant(now + lease)
    task["claimedAt"] = instant(now)
    agent = agent_of(manifest, session)
    agent |= {"status": "running", "currentStepId": name, "cancellationRequested": False, "stalled": False}
    return task


def _check_open(manifest: Manifest, task: Task, member: Member) -> None:
    name, phase = task["id"], task["phaseId"]
    if task["status"] in ENDED:
        raise errors.TaskOver(task=name, status=task["status"])
    successor = replaced(manifest, name)
    if successor is not None:
        raise errors.TaskNotOpen(task=name, reason=f"{successor} has taken its place")
    if phase == "planning":
        raise errors.TaskNotOpen(task=name, reason="planning is the lead's")
    if (member.role == "validator") != (phase == "validating"):
        reason = f"tasks of {phase} are not for a {member.role}"
        raise errors.TaskNotOpen(task=name, reason=reason)
    if PHASES.index(phase) > PHASES.index(manifest["currentPhase"]):
        reason = f"{phase} has not begun; the run is in {manifest['currentPhase']}"
        raise errors.TaskNotOpen(task=name, reason=reason)


def _check_unblocked(manifest: Manifest, task: Task) -> None:
    """Either side may say that one task waits for another."""
    before = {*task["blockedBy"], *(one["id"] for one in manifest["tasks"] if task["id"] in one["blocks"])}
    open_ones = sorted(before - settled(manifest)) if before else []
    if open_ones:
        raise errors.TaskBlocked(task=task["id"], by=", ".join(open_ones)[:500])


def _begin(task: Task, session: str, now: datetime) -> None:
    attempt: dict[str, Any] = {
        "id": new_id("att"),
        "sessionId": session,
        "startedAt": instant(now),
        "endedAt": None,
    }
    attempt |= {"outcome": None, "evidence": [], "failureReason": None}
    task["attempts"].append(attempt)
    task |= {"status": "claimed", "assigneeSessionId": session, "currentAttemptId": attempt["id"]}
