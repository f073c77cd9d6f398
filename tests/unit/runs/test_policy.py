"""Who may patch what: every rule lets something through, and nothing gets through beside the rules."""

from __future__ import annotations

import copy
from typing import Any, get_args

import pytest

from ade_generated import errors
from ade_generated.models.types import RunManifest
from ade_generated.run_rules import PATCH_RULES
from ade_runtime.contracts import AdeError
from ade_runtime.runs import patch, policy
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.guards import GUARDS
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.members import Member
from ade_runtime.runs.rules import PatchRule
from ade_runtime.wire import WireModel
from tests.unit.runs.samples import NOW, STEP, with_workers

LEAD = Member("lead", "ses_lead")
WORKER = Member("worker", "ses_a")
VALIDATOR = Member("validator", "ses_v")
Op = tuple[str, str, Any]


def apply(member: Member, *operations: Op, manifest: Manifest | None = None) -> Manifest:
    manifest = with_workers() if manifest is None else manifest
    read = [patch.read(op, path, value) for op, path, value in operations]
    policy.apply_all(manifest, read, member, NOW, "run.manifest_patch")
    return manifest


def refused(member: Member, *operations: Op, manifest: Manifest | None = None) -> AdeError:
    with pytest.raises((errors.PolicyDenied, errors.InvalidPatch)) as caught:
        apply(member, *operations, manifest=manifest)
    return caught.value


def test_every_guard_that_a_rule_names_exists_and_every_guard_is_named() -> None:
    assert {rule.guard for rule in PATCH_RULES.values()} - {None} == set(GUARDS)


@pytest.mark.parametrize("rule", PATCH_RULES.values(), ids=lambda rule: rule.name)
def test_every_path_and_field_of_a_rule_is_one_of_the_manifest(rule: PatchRule) -> None:
    for path in rule.paths:
        here: Any = RunManifest.model_fields
        for step in path.split("/")[1:]:
            if step not in ("*", "-"):
                assert step in here, path
                here = _fields_within(here[step].annotation)
        assert set(rule.fields) <= here.keys()


def _fields_within(annotation: Any) -> dict[str, Any]:
    """Fields of the model that an annotation holds, be it in a list or beside null."""
    if isinstance(annotation, type) and issubclass(annotation, WireModel):
        return dict(annotation.model_fields)
    return {name: field for inner in get_args(annotation) for name, field in _fields_within(inner).items()}


@pytest.mark.parametrize(
    "path",
    [
        "/runId",
        "/version",
        "/etag",
        "/serverGeneration",
        "/createdAt",
        "/bundlePath",
        "/laneId",
        "/currentPhase",
        "/leadState",
        "/leadState/planning",
        "/leadState/planning/stage",
        "/leadState/planApprovedAt",
        "/planSpec",
        "/planSpec/approval/state",
        "/planSpec/approval",
        "/receipts",
        "/outbox",
        "/outbox/{id:X}/status",
        "/lineage",
        "/finishing",
        "/goalSource",
        "/scheduledFollowups",
        "/agents/{sessionId:ses_a}/sessionId",
        "/agents/{displayName:ses_a}/sessionId",
        "/agents/{sessionId:ses_a}",
        "/agents/{sessionId:ses_a}/role",
        "/agents/{sessionId:ses_a}/stalled",
        "/agents/{sessionId:ses_a}/lastHeartbeatAt",
        "/agents",
        "/phases/{id:planning}/status",
        "/phases/{status:active}/status",
        "/phases",
        "/tasks",
        "/tasks/{id:T-1}",
        "/tasks/{title:T-1}",
        "/tasks/{id:T-2}/status",
        "/tasks/{id:T-2}/assigneeSessionId",
        "/tasks/{id:T-2}/humanOverride",
        "/userOverrides",
        "/modelRouting",
        "/modelRouting/byRole",
        "/validationStrategy",
        "/validationStrategy/checklist",
        "/tasks/{id:T-3}/title",
    ],
)
def test_case_39_case_65_acceptance_3_fault_o1_the_lead_replaces_nothing_beside_the_rules(path: str) -> None:
    problem = refused(LEAD, ("replace", path, "x"))
    assert isinstance(problem, errors.PolicyDenied)
    assert path in problem.hint
    assert problem.details == {"path": path}


@pytest.mark.parametrize(
    "path", ["/lineage/-", "/agents/-", "/userOverrides/-", "/phases/-", "/receipts/-", "/assets/-"]
)
def test_acceptance_3_fault_o1_the_lead_adds_nothing_beside_the_rules(path: str) -> None:
    assert isinstance(refused(LEAD, ("add", path, {"id": "x"})), errors.PolicyDenied)


@pytest.mark.parametrize(
    "path",
    [
        "/tasks/0/title",
        "/tasks/-1",
        "tasks",
        "",
        "/",
        "//title",
        "/tasks/{id:T-1",
        "/tasks/{id:T-9}/title",
        "/tasks/T-1/title",
    ],
)
def test_case_8_a_path_that_names_nothing_is_refused(path: str) -> None:
    refused(LEAD, ("replace", path, "x"))


@pytest.mark.parametrize("op", ["test", "move", "copy", "", "REPLACE"])
def test_fault_o20_other_operations_do_not_exist(op: str) -> None:
    with pytest.raises(errors.InvalidPatch):
        patch.read(op, "/title", "x")


@pytest.mark.parametrize(
    ("op", "path", "value"),
    [
        ("replace", "/title", "Sign in"),
        ("replace", "/leadState/lastSnapshotEtag", "etg_1"),
        ("add", "/tasks/-", {"id": "T-4", "title": "More", "blockedBy": ["T-1"]}),
        ("replace", "/tasks/{id:T-1}/priority", 3),
        ("replace", "/tasks/{id:T-2}/validationGate", {"required": True, "stepIds": ["tests"]}),
        ("remove", "/tasks/{id:T-2}", None),
        ("add", "/validationStrategy/steps/-", {"id": "ci", "concern": "CI", "prompt": "Look."}),
        ("replace", "/validationStrategy/steps/{id:tests}/prompt", "Run all of them."),
        ("replace", "/agents/{sessionId:ses_a}/displayName", "Ada"),
        ("add", "/decisions/-", {"id": "D-1", "text": "SQLite."}),
        ("replace", "/defaultBudget", None),
    ],
)
def test_what_the_lead_may_leaves_a_manifest_that_is_right(op: str, path: str, value: Any) -> None:
    assert problems(apply(LEAD, (op, path, value))) == []


def test_a_new_task_says_what_it_is_and_never_how_far() -> None:
    assert "status" in refused(LEAD, ("add", "/tasks/-", {"id": "T-4", "title": "x", "status": "done"})).hint
    refused(LEAD, ("add", "/tasks/-", "T-4"))


def test_a_gate_is_never_made_weaker() -> None:
    for weaker in (
        {"required": False, "stepIds": ["tests"]},
        {"required": True, "stepIds": []},
        None,
        {"required": True},
    ):
        refused(LEAD, ("replace", "/tasks/{id:T-1}/validationGate", weaker))


def test_after_approval_the_steps_stay() -> None:
    manifest = with_workers()
    manifest["currentPhase"] = "developing"
    refused(LEAD, ("remove", "/validationStrategy/steps/{id:tests}", None), manifest=manifest)


def test_case_7_the_same_task_twice_is_named() -> None:
    manifest = apply(
        LEAD, ("add", "/tasks/-", {"id": "N", "title": "x"}), ("add", "/tasks/-", {"id": "N", "title": "x"})
    )
    assert "task N is there 2 times" in problems(manifest)


@pytest.mark.parametrize(
    ("member", "op"),
    [
        (WORKER, ("replace", "/agents/{sessionId:ses_a}/status", "blocked")),
        (WORKER, ("replace", "/agents/{sessionId:ses_a}/lastHeartbeatAt", NOW)),
        (WORKER, ("replace", "/tasks/{id:T-1}/status", "in_progress")),
        (WORKER, ("replace", "/tasks/{id:T-1}/evidence", ["log"])),
        (VALIDATOR, ("replace", "/agents/{sessionId:ses_v}/currentStepId", "tests")),
    ],
)
def test_what_others_may(member: Member, op: Op) -> None:
    assert problems(apply(member, op)) == []


@pytest.mark.parametrize(
    ("member", "path", "value", "why"),
    [
        (WORKER, "/tasks/{id:T-2}/status", "in_progress", "you must claim the task first"),
        (
            Member("worker", "ses_b"),
            "/tasks/{id:T-1}/status",
            "in_progress",
            "another session holds the task",
        ),
        (WORKER, "/tasks/{id:T-1}/status", "done", "does not move"),
        (WORKER, "/tasks/{id:T-1}/status", "failed", "does not move"),
        (WORKER, "/tasks/{id:T-1}/validationGate", {"required": False, "stepIds": []}, "may not"),
        (WORKER, "/agents/{sessionId:ses_b}/status", "blocked", "another session's row"),
        (WORKER, "/agents/{sessionId:ses_a}/status", "completed", "giving the work back"),
        (WORKER, "/title", "x", "may not"),
        (WORKER, "/lineage", [], "may not"),
        (WORKER, "/validationStrategy/steps/{id:tests}/prompt", "x", "may not"),
        (VALIDATOR, "/tasks/{id:T-1}/status", "in_progress", "may not"),
        (VALIDATOR, "/tasks/{id:T-1}/evidence", [], "may not"),
        (VALIDATOR, "/validationStrategy/checklist", [], "may not"),
        (VALIDATOR, "/agents/{sessionId:ses_a}/status", "blocked", "another session's row"),
    ],
)
def test_case_41_case_65_fault_o3_what_others_may_not(
    member: Member, path: str, value: Any, why: str
) -> None:
    assert why in refused(member, ("replace", path, value)).hint


def test_fault_o20_the_wrong_kind_of_value_is_found_by_the_form() -> None:
    assert problems(apply(LEAD, ("replace", "/title", 7)))
    assert problems(apply(LEAD, ("replace", "/tasks/{id:T-1}/filesHint", {"a": 1})))


def test_a_task_done_past_its_gate_is_wrong_whoever_put_it_there() -> None:
    manifest = with_workers()
    task = manifest["tasks"][0]
    task["status"] = "done"
    assert problems(manifest) == ["task T-1 is done although its gate has not passed"]
    override = {
        "id": "ovr_1",
        "at": NOW,
        "affectedDefault": "gate",
        "reason": "Fine.",
        "taskId": "T-2",
        "questionId": None,
    }
    manifest["userOverrides"].append(override)
    task["humanOverride"] = "ovr_1"
    assert problems(manifest), "the override is for another task"
    override["taskId"] = "T-1"
    assert problems(manifest) == []


def test_a_gate_passes_by_the_latest_run_and_by_none_with_a_grave_finding() -> None:
    manifest = with_workers()
    manifest["tasks"][0]["status"] = "done"
    run = {
        "id": "r1",
        "stepId": STEP["id"],
        "taskId": "T-1",
        "sessionId": "ses_v",
        "passed": True,
        "findings": [],
    }
    run |= {"evidence": [], "at": NOW}
    item = {"id": "c1", "stepId": STEP["id"], "taskId": "T-1", "runs": [run], "latestRunId": "r1"}
    manifest["validationStrategy"]["checklist"].append(item)
    assert problems(manifest) == []
    later = copy.deepcopy(run) | {"id": "r2", "passed": False}
    item["runs"] = [run, later]
    item["latestRunId"] = "r2"
    assert problems(manifest) == ["task T-1 is done although its gate has not passed"]
    item["latestRunId"] = "r1"
    finding = {"severity": "high", "title": "Broken", "locus": None, "detail": None, "fix": None}
    run["findings"] = [finding | {"behaviorPreserving": None, "regressionTestTarget": None}]
    assert "run r1 passed in spite of a blocker or high finding" in problems(manifest)


def test_tasks_that_wait_for_each_other_are_named() -> None:
    manifest = with_workers()
    manifest["tasks"][1]["blockedBy"] = ["T-3"]
    manifest["tasks"][2]["blockedBy"] = ["T-2"]
    assert problems(manifest) == ["tasks wait for each other: T-2 → T-3 → T-2"]


def test_a_long_line_of_tasks_is_no_circle() -> None:
    from ade_runtime.runs.document import new_task

    manifest = with_workers()
    manifest["tasks"] = [
        {"id": f"N{n}", "title": "x", **new_task(), "blockedBy": [f"N{n + 1}"] if n < 1999 else []}
        for n in range(2000)
    ]
    assert problems(manifest) == []


def test_case_9_there_is_one_lead_and_nobody_is_there_twice() -> None:
    manifest = with_workers()
    manifest["agents"].append(copy.deepcopy(manifest["agents"][0]))
    assert set(problems(manifest)) == {"agent ses_lead is there 2 times", "there must be one lead, not 2"}
    manifest["agents"] = []
    assert problems(manifest)
