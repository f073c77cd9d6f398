"""Giving a task back. This alone ends a task; what may become what is the table below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ade_generated import errors
from ade_runtime.runs import lineage
from ade_runtime.runs.checks import gate_lacks
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.members import Member
from ade_runtime.runs.tasks import ENDED, Task, agent_of, attempt_of, end_attempt, find, held_by

Result = Literal["done", "failed", "review", "pending"]

RELEASES: Mapping[str, tuple[Result, ...]] = {
    "claimed": ("done", "failed", "review", "pending"),
    "in_progress": ("done", "failed", "review", "pending"),
    "review": ("done", "failed", "pending"),
}
"""What the holder of a task may give it back as, by how far it is. From anywhere else nothing is given back."""

_OUTCOMES = {"done": "succeeded", "failed": "failed", "pending": "interrupted"}
_CLOSED: Mapping[str, Literal["completed", "failed"]] = {"done": "completed", "failed": "failed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What the holder says: the result, what shows it, and in words what came of it."""

    result: Result
    evidence: Sequence[str] = ()
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Released:
    """The task as it is then, and whether its holder is done with all it held."""

    task: Task
    ended: bool


def release(manifest: Manifest, member: Member, name: str, said: Release, now: str) -> Released:
    """Give a task back. Raises ``task_not_found``, ``task_over``, ``task_not_held``, ``gate_not_passed``."""
    task, session = find(manifest, name), str(member.session)
    if task["status"] in ENDED:
        raise errors.TaskOver(task=name, status=task["status"])
    if task["assigneeSessionId"] != session or said.result not in RELEASES.get(task["status"], ()):
        raise errors.TaskNotHeld(
            task=name, status=task["status"], holder=task["assigneeSessionId"] or "nobody"
        )
    _add_evidence(task, said.evidence)
    if said.result == "review":
        task["status"] = "review"
    else:
        if said.result == "done":
            lacking = gate_lacks(manifest, task)
            if lacking:
                raise errors.GateNotPassed(task=name, steps=", ".join(lacking)[:500])
        end_attempt(task, _OUTCOMES[said.result], now, None if said.result == "done" else said.summary)
        task |= {"status": said.result, "claimLeaseUntil": None}
        if said.result == "pending":
            task |= {"assigneeSessionId": None, "claimedAt": None}
    return Released(task, _close(manifest, session, said, now))


def _close(manifest: Manifest, session: str, said: Release, now: str) -> bool:
    """Bring the holder's row, and the edge to it, to where it stands now."""
    agent = agent_of(manifest, session)
    working = [one for one in held_by(manifest, session) if one["status"] != "review"]
    if working:
        agent |= {"status": "running", "currentStepId": working[0]["id"]}
        return False
    waiting = next(held_by(manifest, session), None)
    agent["currentStepId"] = None if waiting is None else waiting["id"]
    status = _CLOSED.get(said.result)
    if waiting is not None or status is None:
        agent["status"] = "blocked"
        return False
    agent["status"] = status
    lineage.close(manifest, session, status, said.summary, now)
    return True


def _add_evidence(task: Task, evidence: Sequence[str]) -> None:
    task["evidence"] = list(dict.fromkeys([*task["evidence"], *evidence]))
    attempt = attempt_of(task)
    if attempt is not None:
        attempt["evidence"] = list(dict.fromkeys([*attempt["evidence"], *evidence]))
