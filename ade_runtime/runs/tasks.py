"""What is known of a run's tasks: which are over, who holds which, and what ends an attempt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ade_generated import errors
from ade_runtime.runs.document import Manifest

HELD = frozenset({"claimed", "in_progress", "review"})
ENDED = frozenset({"done", "failed"})

Task = dict[str, Any]


def find(manifest: Manifest, name: str) -> Task:
    """A task by its id; raises ``task_not_found``."""
    for task in manifest["tasks"]:
        if task["id"] == name:
            found: Task = task
            return found
    raise errors.TaskNotFound(run=manifest["runId"], task=name)


def held_by(manifest: Manifest, session: str) -> Iterator[Task]:
    """The tasks that a session has claimed and not given back."""
    return (one for one in manifest["tasks"] if one["assigneeSessionId"] == session and one["status"] in HELD)


def settled(manifest: Manifest) -> set[str]:
    """Tasks nobody need wait for: those that are done, and those whose places were taken by tasks that are settled."""
    waiting: dict[str, set[str]] = {}
    for name, successor in _successions(manifest):
        waiting.setdefault(name, set()).add(successor)
    takes: dict[str, list[str]] = {}
    for name, successors in waiting.items():
        for successor in successors:
            takes.setdefault(successor, []).append(name)
    found: set[str] = set()
    ahead = [one["id"] for one in manifest["tasks"] if one["status"] == "done"]
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found.add(name)
        for replaced in takes.get(name, ()):
            waiting[replaced].discard(name)
            if not waiting[replaced]:
                ahead.append(replaced)
    return found


def replaced(manifest: Manifest, name: str) -> str | None:
    """The task that took the place of another; ``None`` where none did."""
    return next((successor for task, successor in _successions(manifest) if task == name), None)


def _successions(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Pairs of a task and one that took its place, which either of the two may say."""
    for task in manifest["tasks"]:
        if task["supersededBy"] is not None:
            yield task["id"], task["supersededBy"]
        if task["supersedes"] is not None:
            yield task["supersedes"], task["id"]


def attempt_of(task: Mapping[str, Any]) -> dict[str, Any] | None:
    """The attempt that goes on."""
    for one in task["attempts"]:
        if one["id"] == task["currentAttemptId"]:
            found: dict[str, Any] = one
            return found
    return None


def end_attempt(task: Task, outcome: str, now: str, reason: str | None = None) -> None:
    """Close the attempt that goes on, where one does."""
    attempt = attempt_of(task)
    if attempt is not None and attempt["endedAt"] is None:
        attempt |= {"endedAt": now, "outcome": outcome, "failureReason": reason}
    task["currentAttemptId"] = None


def free(task: Task, now: str, reason: str) -> None:
    """Take a task from its holder, for anybody to claim."""
    end_attempt(task, "interrupted", now, reason)
    task |= {"status": "pending", "assigneeSessionId": None, "claimedAt": None, "claimLeaseUntil": None}


def agent_of(manifest: Manifest, session: str) -> dict[str, Any]:
    """The row of a session that takes part; raises ``agent_not_found``."""
    for agent in manifest["agents"]:
        if agent["sessionId"] == session:
            found: dict[str, Any] = agent
            return found
    raise errors.RunAgentNotFound(run=manifest["runId"], session=session)


def lead_of(manifest: Manifest) -> str:
    """The session that leads."""
    return str(next(one["sessionId"] for one in manifest["agents"] if one["role"] == "lead"))
