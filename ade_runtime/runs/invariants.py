"""What holds of every manifest at every time, in one place. Nothing is stored that breaks any of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ade_generated.models.types import RunManifest
from ade_runtime.runs.checks import GRAVE, gate_lacks
from ade_runtime.runs.document import PHASES, ROUNDS, Manifest
from ade_runtime.runs.tasks import HELD
from ade_runtime.runs.waivers import settled
from ade_runtime.wire import WireError

MOST = 20
"""Problems told at once."""

PASSED_BY = {
    "round_ui": ROUNDS[:1],
    "round_extras": ROUNDS[:2],
    "rounds_complete": ROUNDS,
}
"""Rounds that are settled once planning has reached a stage."""


def problems(manifest: Manifest, tasks: Sequence[Any] | None = None) -> list[str]:
    """What is wrong with the manifest, the form first; at most :data:`MOST`. ``tasks`` are those whose form is not known to be
    right, ``None`` for all of them."""
    found = _form(manifest if tasks is None else {**manifest, "tasks": tasks})
    if not found:
        found = [text for check in _CHECKS for text in check(manifest)]
    return found[:MOST]


def _form(manifest: Manifest) -> list[str]:
    try:
        RunManifest.from_wire(manifest)
    except WireError as problem:
        return [f"{one.path or 'the manifest'}: {one.message}" for one in problem.problems]
    return []


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} {name} is there {count} times"


def _unique(manifest: Manifest) -> Iterator[str]:
    yield from _twice("task", (one["id"] for one in manifest["tasks"]))
    yield from _twice("agent", (one["sessionId"] for one in manifest["agents"]))
    strategy = manifest["validationStrategy"]
    yield from _twice("step", (one["id"] for one in strategy["steps"]))
    yield from _twice("checklist item", (one["id"] for one in strategy["checklist"]))
    for key in ("assets", "decisions", "userOverrides", "scheduledFollowups"):
        yield from _twice(f"entry of {key}", (one["id"] for one in manifest[key]))


def _members(manifest: Manifest) -> Iterator[str]:
    leads = sum(one["role"] == "lead" for one in manifest["agents"])
    if leads != 1:
        yield f"there must be one lead, not {leads}"


def _phases(manifest: Manifest) -> Iterator[str]:
    if [one["id"] for one in manifest["phases"]] != list(PHASES):
        yield f"the phases must be {', '.join(PHASES)}"
        return
    place = PHASES.index(manifest["currentPhase"])
    for number, phase in enumerate(manifest["phases"]):
        fits = (
            ("done", "skipped") if number < place else ("pending",) if number > place else ("active", "done")
        )
        if phase["status"] not in fits:
            yield f"phase {phase['id']} cannot be {phase['status']} in {manifest['currentPhase']}"


def _tasks(manifest: Manifest) -> Iterator[str]:
    tasks = {one["id"]: one for one in manifest["tasks"]}
    agents = {one["sessionId"] for one in manifest["agents"]}
    steps = {one["id"] for one in manifest["validationStrategy"]["steps"]}
    for name, task in tasks.items():
        named = [*task["blockedBy"], *task["blocks"], task["supersedes"], task["supersededBy"]]
        for other in named:
            if other is not None and other not in tasks:
                yield f"task {name} names task {other}, which does not exist"
        yield from _holding(name, task, agents)
        for step in task["validationGate"]["stepIds"]:
            if step not in steps:
                yield f"task {name} is gated by step {step}, which does not exist"
        if task["status"] == "done" and gate_lacks(manifest, task):
            yield f"task {name} is done although its gate has not passed"
    circle = _circle(tasks)
    if circle:
        yield f"tasks wait for each other: {' → '.join(circle)}"


def _holding(name: str, task: Mapping[str, Any], agents: set[str]) -> Iterator[str]:
    holder = task["assigneeSessionId"]
    if task["status"] in HELD and holder not in agents:
        yield f"task {name} is {task['status']} and held by nobody of the run"
    if task["status"] == "pending" and holder is not None:
        yield f"task {name} is pending and held by {holder}"
    current = task["currentAttemptId"]
    if current is not None and current not in {one["id"] for one in task["attempts"]}:
        yield f"task {name} has no attempt {current}"


def _circle(tasks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Tasks that wait for each other in a circle; empty where there is none."""
    finished: set[str] = set()
    for start in (name for name, task in tasks.items() if task["blockedBy"]):
        path: list[str] = []
        ahead = [iter([start])]
        while ahead:
            name = next(ahead[-1], None)
            if name is None:
                ahead.pop()
                if path:
                    finished.add(path.pop())
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name not in finished and name in tasks:
                path.append(name)
                ahead.append(iter(tasks[name]["blockedBy"]))
    return []


def _checks(manifest: Manifest) -> Iterator[str]:
    tasks = {one["id"] for one in manifest["tasks"]}
    strategy = manifest["validationStrategy"]
    steps = {one["id"] for one in strategy["steps"]}
    for step in strategy["steps"]:
        for task in step["appliesToTaskIds"]:
            if task not in tasks:
                yield f"step {step['id']} is for task {task}, which does not exist"
    for item in strategy["checklist"]:
        if item["stepId"] not in steps:
            yield f"checklist item {item['id']} is for step {item['stepId']}, which does not exist"
        for run in item["runs"]:
            if run["passed"] and any(one["severity"] in GRAVE for one in run["findings"]):
                yield f"run {run['id']} passed in spite of a blocker or high finding"


def _planning(manifest: Manifest) -> Iterator[str]:
    lead, approval = manifest["leadState"], manifest["planSpec"]["approval"]
    planning = lead["planning"]
    approved = lead["planApprovedAt"] is not None
    if approved != (manifest["currentPhase"] != "planning"):
        yield "planning is left by approval and by nothing else"
    if approved and (planning["stage"] != "ready" or approval["planHash"] is None):
        yield "an approved plan was ready and has its hash"
    if planning["stage"] != "intake" and planning["intake"] is None:
        yield f"stage {planning['stage']} comes after the intake"
    if planning["stage"] == "light_plan" and planning["lightPlan"] is None:
        yield "the light plan was not accepted"
    passed = PASSED_BY.get(planning["stage"], ())
    if planning["stage"] == "ready" and planning["lightPlan"] is None:
        passed = ROUNDS
    for kind in passed:
        if not settled(manifest, kind):
            yield f"stage {planning['stage']} comes after the {kind} round"


_CHECKS = (_unique, _members, _phases, _tasks, _checks, _planning)
