"""What validators find, and what that lets pass. A task's gate is opened by a validator who has never tried the task, or by the
user; never by a patch and never by who did the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ade_generated import errors
from ade_runtime.runs.document import Manifest, moment
from ade_runtime.runs.members import Member
from ade_runtime.runs.tasks import ENDED, find
from ade_runtime.runs.waivers import GATE, VALIDATION, waived
from ade_runtime.storage.ids import new_id

GRAVE = frozenset({"blocker", "high"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One time a step was gone through; ``task`` is ``None`` for the run as a whole, ``findings`` have the manifest's form."""

    step: str
    task: str | None
    passed: bool
    findings: Sequence[Mapping[str, Any]] = field(default=())
    evidence: Sequence[str] = field(default=())


def record(manifest: Manifest, member: Member, said: Check, now: str) -> dict[str, Any]:
    """Keep what was found. Raises ``step_not_found``, ``task_not_found`` and ``check_refused``."""
    step = _step(manifest, said.step)
    task = None if said.task is None else find(manifest, said.task)
    refused = _refusal(member, step, task, said)
    if refused is not None:
        raise errors.CheckRefused(step=said.step, reason=refused)
    row = {
        "id": new_id("chk"),
        "stepId": said.step,
        "taskId": said.task,
        "sessionId": str(member.session),
        "passed": said.passed,
        "findings": [dict(one) for one in said.findings],
        "evidence": [*said.evidence],
        "at": now,
    }
    item = _item(manifest, said.step, said.task)
    if item is None:
        item = {"id": new_id("itm"), "stepId": said.step, "taskId": said.task, "runs": []}
        manifest["validationStrategy"]["checklist"].append(item)
    item["runs"].append(row)
    item["latestRunId"] = row["id"]
    return row


def _refusal(
    member: Member, step: Mapping[str, Any], task: Mapping[str, Any] | None, said: Check
) -> str | None:
    """Why this check does not count; ``None`` where it does."""
    if said.passed and any(one["severity"] in GRAVE for one in said.findings):
        return "nothing passes with a blocker or high finding"
    if said.passed and step["evidenceRequired"] and not any(one.strip() for one in said.evidence):
        return "it must show evidence"
    if task is None:
        if member.role != "validator":
            return "a worker checks only the task that it holds"
        return None
    if step["appliesToTaskIds"] and task["id"] not in step["appliesToTaskIds"]:
        return f"it is not for task {task['id']}"
    tried = member.session in {one["sessionId"] for one in task["attempts"]}
    if member.role == "validator":
        return "who tried a task does not check it" if tried else None
    if step["scope"] != "per_worker" or step["id"] in task["validationGate"]["stepIds"]:
        return "a validator goes through it"
    return (
        None if task["assigneeSessionId"] == member.session else "a worker checks only the task that it holds"
    )


def gate_lacks(manifest: Manifest, task: Mapping[str, Any]) -> list[str]:
    """The steps that keep a task from being done: their latest check did not pass, was of an earlier attempt, or by nobody who
    may pass it. Empty where nothing does."""
    gate = task["validationGate"]
    if not gate["required"] or overridden(manifest, task):
        return []
    if not gate["stepIds"]:
        return ["a step that its gate names none of"]
    tried = {one["sessionId"] for one in task["attempts"]}
    begun = moment(task["attempts"][-1]["startedAt"]) if task["attempts"] else None
    validators = _validators(manifest) - tried
    lacking = []
    for step in gate["stepIds"]:
        latest = _latest(manifest, step, task["id"])
        at = None if latest is None else moment(latest["at"])
        fits = latest is not None and latest["passed"] and latest["sessionId"] in validators
        if not fits or (begun is not None and (at is None or at < begun)):
            lacking.append(str(step))
    return lacking


def overridden(manifest: Manifest, task: Mapping[str, Any]) -> bool:
    """Whether the user let this very task pass."""
    return any(
        one["id"] == task["humanOverride"] and one["affectedDefault"] == GATE and one["taskId"] == task["id"]
        for one in manifest["userOverrides"]
    )


def check_gated(manifest: Manifest, name: str) -> None:
    """Whether there is a gate that the user could let a task pass; raises ``task_not_found`` and ``task_over``."""
    task = find(manifest, name)
    if task["status"] in ENDED:
        raise errors.TaskOver(task=name, status=task["status"])


def let_pass(manifest: Manifest, name: str, reason: str, now: str, *, question: str | None) -> str:
    """Keep that the user lets this very task pass its gate, in their words. It is still given back by who holds it."""
    check_gated(manifest, name)
    identifier = new_id("ovr")
    row = {"id": identifier, "at": now, "affectedDefault": GATE, "reason": reason, "taskId": name}
    manifest["userOverrides"].append({**row, "questionId": question})
    find(manifest, name)["humanOverride"] = identifier
    return identifier


def outstanding(manifest: Manifest) -> list[str]:
    """Required steps that must yet pass before validation is over, in words; none where the user waived validation.

    A check of the whole run counts for each of its tasks if it was made after the last of them was done.
    """
    if waived(manifest, VALIDATION):
        return []
    done = [one for one in manifest["tasks"] if one["phaseId"] == "developing" and one["status"] == "done"]
    ends = [at for one in done for end in one["attempts"][-1:] if (at := moment(end["endedAt"])) is not None]
    found = []
    for step in manifest["validationStrategy"]["steps"]:
        if not step["required"] or _whole_passed(manifest, step["id"], max(ends, default=None)):
            continue
        if step["scope"] == "mission_exit":
            found.append(f"step {step['id']}")
        else:
            found += [f"step {step['id']} of task {name}" for name in _unchecked(manifest, step, done)]
    return found


def _unchecked(
    manifest: Manifest, step: Mapping[str, Any], done: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    meant = set(step["appliesToTaskIds"])
    validators = _validators(manifest)
    for task in done:
        if (meant and task["id"] not in meant) or overridden(manifest, task):
            continue
        latest = _latest(manifest, step["id"], task["id"])
        counts = latest is not None and latest["passed"]
        if counts and step["scope"] != "per_worker":
            counts = latest is not None and latest["sessionId"] in validators
        if not counts:
            yield str(task["id"])


def _whole_passed(manifest: Manifest, step: str, after: Any) -> bool:
    latest = _latest(manifest, step, None)
    if latest is None or not latest["passed"] or latest["sessionId"] not in _validators(manifest):
        return False
    at = moment(latest["at"])
    return at is not None and (after is None or at >= after)


def _validators(manifest: Manifest) -> set[str]:
    return {one["sessionId"] for one in manifest["agents"] if one["role"] == "validator"}


def _step(manifest: Manifest, name: str) -> Mapping[str, Any]:
    for step in manifest["validationStrategy"]["steps"]:
        if step["id"] == name:
            found: Mapping[str, Any] = step
            return found
    raise errors.StepNotFound(run=manifest["runId"], step=name)


def _item(manifest: Manifest, step: str, task: str | None) -> dict[str, Any] | None:
    for item in manifest["validationStrategy"]["checklist"]:
        if item["stepId"] == step and item["taskId"] == task:
            found: dict[str, Any] = item
            return found
    return None


def _latest(manifest: Manifest, step: str, task: str | None) -> Mapping[str, Any] | None:
    item = _item(manifest, step, task)
    for row in () if item is None else item["runs"]:
        if item is not None and row["id"] == item["latestRunId"]:
            found: Mapping[str, Any] = row
            return found
    return None
