"""Further conditions of the patch policy, by the names that specs/run_policy.yaml uses. Each gives a reason to refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ade_runtime.runs.document import Manifest
from ade_runtime.runs.phases import end_refused
from ade_runtime.runs.tasks import ENDED

WORKER_MOVES = {("claimed", "in_progress"), ("in_progress", "review"), ("review", "in_progress")}
"""How a holder may move a task; only giving it back ends it."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is to be judged: ``session`` would put ``value`` into ``rows``, the elements on the way, the outermost first."""

    manifest: Manifest
    session: str | None
    rows: tuple[Mapping[str, Any], ...]
    value: Any


Guard = Callable[[Attempt], str | None]


def own_row(attempt: Attempt) -> str | None:
    if attempt.rows[0]["sessionId"] != attempt.session:
        return "it is another session's row"
    return (
        "completed and failed come from giving the work back"
        if attempt.value in ("completed", "failed")
        else None
    )


def held_task(attempt: Attempt) -> str | None:
    holder = attempt.rows[0]["assigneeSessionId"]
    if holder is None:
        return "you must claim the task first"
    if holder != attempt.session:
        return "another session holds the task"
    if len(attempt.rows) > 1 and attempt.rows[1]["sessionId"] != attempt.session:
        return "it is another session's attempt"
    return None


def held_task_moves(attempt: Attempt) -> str | None:
    refused = held_task(attempt)
    if refused is not None:
        return refused
    move = (attempt.rows[0]["status"], attempt.value)
    return None if move in WORKER_MOVES else f"a holder does not move a task from {move[0]} to {move[1]}"


def task_open(attempt: Attempt) -> str | None:
    return "the task is over" if attempt.rows[0]["status"] in ENDED else None


def task_untouched(attempt: Attempt) -> str | None:
    task = attempt.rows[0]
    return None if task["status"] == "pending" and not task["attempts"] else "somebody has worked at the task"


def gate_not_weaker(attempt: Attempt) -> str | None:
    before, after = attempt.rows[0]["validationGate"], attempt.value
    if not isinstance(after, dict):
        return "a gate is an object"
    if before["required"] and not after.get("required"):
        return "a gate that is required stays required; only the user lets a task pass"
    kept = after.get("stepIds")
    if not isinstance(kept, list) or set(before["stepIds"]) - {str(one) for one in kept}:
        return "a gate keeps its steps"
    return task_open(attempt)


def phase_ends(attempt: Attempt) -> str | None:
    phase = attempt.rows[0]["id"]
    if attempt.value != "done" or phase != attempt.manifest["currentPhase"]:
        return "only the current phase is ended, with done"
    return end_refused(attempt.manifest)


GUARDS: Mapping[str, Guard] = {
    guard.__name__: guard
    for guard in (own_row, held_task, held_task_moves, task_open, task_untouched, gate_not_weaker, phase_ends)
}
