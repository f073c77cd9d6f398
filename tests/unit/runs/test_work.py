"""Claiming tasks, giving them back, and what opens a gate."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.runs import checks, claims, phases, releases
from ade_runtime.runs.checks import Check
from ade_runtime.runs.document import Manifest, instant
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.members import Member
from ade_runtime.runs.releases import RELEASES, Release
from ade_runtime.runs.tasks import Task, agent_of, find
from tests.unit.runs.samples import AT, NOW, STEP, developing

LEASE = timedelta(minutes=30)

A, B, V = Member("worker", "ses_a"), Member("worker", "ses_b"), Member("validator", "ses_v")
GRAVE = {"title": "It deletes accounts", "locus": None, "detail": None, "fix": None}
GRAVE |= {"behaviorPreserving": None, "regressionTestTarget": None}


def claim(manifest: Manifest, member: Member, name: str, seconds: float = 0, **heard: Any) -> Task:
    now = AT + timedelta(seconds=seconds)
    return claims.claim(manifest, member, name, LEASE, now, heard)


def release(manifest: Manifest, member: Member, name: str, result: Any, seconds: float = 60) -> Task:
    said = Release(result=result, summary="so it is", evidence=("commit 1",))
    return releases.release(manifest, member, name, said, instant(AT + timedelta(seconds=seconds))).task


def check(manifest: Manifest, member: Member, name: str | None, *, passed: bool = True, **more: Any) -> Any:
    at = instant(AT + timedelta(seconds=more.pop("seconds", 30)))
    return checks.record(
        manifest, member, Check(step=more.pop("step", "tests"), task=name, passed=passed, **more), at
    )


def test_fault_o19_a_claim_begins_an_attempt_and_holds_the_task_for_its_lease() -> None:
    manifest = developing()
    agent_of(manifest, "ses_a")["cancellationRequested"] = True
    task = claim(manifest, A, "T-1")
    assert (task["status"], task["assigneeSessionId"], task["claimedAt"]) == ("claimed", "ses_a", NOW)
    assert task["claimLeaseUntil"] == instant(AT + timedelta(minutes=30))
    assert [(one["sessionId"], one["outcome"]) for one in task["attempts"]] == [("ses_a", None)]
    row = agent_of(manifest, "ses_a")
    assert (row["status"], row["currentStepId"], row["cancellationRequested"]) == ("running", "T-1", False)
    assert problems(manifest) == []


def test_whoever_holds_a_task_claims_it_anew_and_nobody_else_does() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    with pytest.raises(errors.TaskAlreadyClaimed, match="ses_a"):
        claim(manifest, B, "T-1", 10)
    task = claim(manifest, A, "T-1", 60)
    assert len(task["attempts"]) == 1
    assert task["claimLeaseUntil"] == instant(AT + timedelta(minutes=31))


def test_a_lease_counts_from_when_its_holder_was_last_heard_of() -> None:
    manifest = developing()
    claim(manifest, A, "T-2")
    late = timedelta(minutes=31).total_seconds()
    with pytest.raises(errors.TaskAlreadyClaimed):
        claim(manifest, B, "T-2", late, ses_a=AT + timedelta(minutes=2))
    task = claim(manifest, B, "T-2", late, ses_a=AT + timedelta(seconds=30))
    assert [(one["sessionId"], one["outcome"]) for one in task["attempts"]] == [
        ("ses_a", "interrupted"),
        ("ses_b", None),
    ]
    assert problems(manifest) == []


@pytest.mark.parametrize("status", ["done", "failed"])
@pytest.mark.parametrize("who", [A, B])
def test_case_40_what_has_ended_is_claimed_by_nobody(status: Any, who: Member) -> None:
    manifest = developing()
    claim(manifest, A, "T-2")
    release(manifest, A, "T-2", status)
    before = repr(manifest)
    with pytest.raises(errors.TaskOver):
        claim(manifest, who, "T-2", 90)
    assert repr(manifest) == before


def test_fault_o5_a_task_waits_for_those_before_it_whichever_side_says_so() -> None:
    manifest = developing()
    find(manifest, "T-2")["blockedBy"] = ["T-1"]
    with pytest.raises(errors.TaskBlocked, match="T-1"):
        claim(manifest, A, "T-2")
    find(manifest, "T-2")["blockedBy"] = []
    find(manifest, "T-1")["blocks"] = ["T-2"]
    with pytest.raises(errors.TaskBlocked, match="T-1"):
        claim(manifest, A, "T-2")
    find(manifest, "T-1")["validationGate"]["required"] = False
    claim(manifest, A, "T-1")
    release(manifest, A, "T-1", "failed")
    with pytest.raises(errors.TaskBlocked):
        claim(manifest, A, "T-2")
    manifest["tasks"].append(
        {**find(manifest, "V-1"), "id": "T-3", "phaseId": "developing", "supersedes": "T-1"}
    )
    claim(manifest, B, "T-3")
    release(manifest, B, "T-3", "done")
    assert claim(manifest, A, "T-2")["status"] == "claimed"


def test_fault_o5_phase_and_role_say_who_claims_what() -> None:
    manifest = developing()
    for member, name, reason in [(V, "T-1", "validator"), (A, "V-1", "worker"), (V, "V-1", "not begun")]:
        with pytest.raises(errors.TaskNotOpen, match=reason):
            claim(manifest, member, name)
    phases.enter(manifest, "validating")
    assert claim(manifest, V, "V-1")["assigneeSessionId"] == "ses_v"
    assert claim(manifest, A, "T-1")["status"] == "claimed", "what validation has found is mended by a worker"
    find(manifest, "T-2")["phaseId"] = "planning"
    with pytest.raises(errors.TaskNotOpen, match="planning"):
        claim(manifest, A, "T-2")


def test_a_task_whose_place_was_taken_is_claimed_no_more() -> None:
    manifest = developing()
    find(manifest, "T-2")["supersedes"] = "T-1"
    with pytest.raises(errors.TaskNotOpen, match="T-2"):
        claim(manifest, A, "T-1")


def test_fault_o4_only_the_holder_gives_back_and_only_by_the_table() -> None:
    assert all(set(results) <= {"done", "failed", "review", "pending"} for results in RELEASES.values())
    manifest = developing()
    with pytest.raises(errors.TaskNotHeld, match="nobody"):
        release(manifest, A, "T-2", "done")
    claim(manifest, A, "T-2")
    with pytest.raises(errors.TaskNotHeld, match="ses_a"):
        release(manifest, B, "T-2", "done")
    release(manifest, A, "T-2", "review")
    with pytest.raises(errors.TaskNotHeld, match="review"):
        release(manifest, A, "T-2", "review")
    release(manifest, A, "T-2", "done")
    for result in ("failed", "done", "pending"):
        with pytest.raises(errors.TaskOver):
            release(manifest, A, "T-2", result)


def test_an_end_closes_attempt_row_and_edge_and_keeps_who_did_it() -> None:
    manifest = developing()
    claim(manifest, A, "T-2")
    task = release(manifest, A, "T-2", "done")
    assert (task["status"], task["assigneeSessionId"], task["claimLeaseUntil"]) == ("done", "ses_a", None)
    (attempt,) = task["attempts"]
    assert (attempt["outcome"], attempt["evidence"], attempt["failureReason"]) == (
        "succeeded",
        ["commit 1"],
        None,
    )
    assert attempt["endedAt"] == instant(AT + timedelta(minutes=1))
    assert agent_of(manifest, "ses_a")["status"] == "completed"
    edge = next(one for one in manifest["lineage"] if one["child"] == "ses_a")
    assert (edge["status"], edge["resultSummary"]) == ("completed", "so it is")
    assert problems(manifest) == []


def test_who_holds_more_goes_on_and_who_waits_for_review_is_blocked() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    claim(manifest, A, "T-2")
    release(manifest, A, "T-2", "failed")
    assert (agent_of(manifest, "ses_a")["status"], agent_of(manifest, "ses_a")["currentStepId"]) == (
        "running",
        "T-1",
    )
    assert manifest["lineage"][0]["status"] == "running"
    release(manifest, A, "T-1", "review")
    assert agent_of(manifest, "ses_a")["status"] == "blocked"
    assert find(manifest, "T-1")["currentAttemptId"] is not None, "the attempt goes on"


def test_what_is_given_back_unfinished_waits_for_a_claim() -> None:
    manifest = developing()
    claim(manifest, A, "T-2")
    task = release(manifest, A, "T-2", "pending")
    assert (task["status"], task["assigneeSessionId"]) == ("pending", None)
    assert (task["attempts"][0]["outcome"], task["attempts"][0]["failureReason"]) == (
        "interrupted",
        "so it is",
    )
    claim(manifest, B, "T-2", 90)
    assert problems(manifest) == []


def test_case_42_a_gate_is_opened_by_a_validator_and_by_nobody_else() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    with pytest.raises(errors.GateNotPassed, match="tests"):
        release(manifest, A, "T-1", "done")
    for member in (A, B):
        with pytest.raises(errors.CheckRefused):
            check(manifest, member, "T-1")
    check(manifest, V, "T-1", passed=False)
    with pytest.raises(errors.GateNotPassed):
        release(manifest, A, "T-1", "done")
    check(manifest, V, "T-1")
    assert release(manifest, A, "T-1", "done")["status"] == "done"
    assert problems(manifest) == []


def test_a_pass_of_an_earlier_attempt_opens_no_gate() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    check(manifest, V, "T-1", seconds=10)
    release(manifest, A, "T-1", "pending", 20)
    claim(manifest, B, "T-1", 30)
    with pytest.raises(errors.GateNotPassed):
        release(manifest, B, "T-1", "done")
    check(manifest, V, "T-1", seconds=40)
    release(manifest, B, "T-1", "done")


def test_who_has_tried_a_task_does_not_pass_it() -> None:
    manifest = developing()
    phases.enter(manifest, "validating")
    find(manifest, "V-1")["validationGate"] = {"required": True, "stepIds": ["tests"]}
    claim(manifest, V, "V-1")
    with pytest.raises(errors.CheckRefused, match="tried"):
        check(manifest, V, "V-1")


@pytest.mark.parametrize("severity", ["blocker", "high"])
def test_case_44_nothing_passes_with_a_grave_finding(severity: str) -> None:
    manifest = developing()
    with pytest.raises(errors.CheckRefused, match="blocker or high"):
        check(manifest, V, "T-1", findings=[{**GRAVE, "severity": severity}])
    assert manifest["validationStrategy"]["checklist"] == []
    check(manifest, V, "T-1", passed=False, findings=[{**GRAVE, "severity": severity}])
    check(manifest, V, "T-1", findings=[{**GRAVE, "severity": "low"}])
    (item,) = manifest["validationStrategy"]["checklist"]
    assert (len(item["runs"]), item["latestRunId"]) == (2, item["runs"][1]["id"])


def test_fault_o10_evidence_that_a_step_asks_for_is_needed_to_pass() -> None:
    manifest = developing()
    manifest["validationStrategy"]["steps"][0]["evidenceRequired"] = True
    for evidence in ((), (" ",)):
        with pytest.raises(errors.CheckRefused, match="evidence"):
            check(manifest, V, "T-1", evidence=evidence)
    check(manifest, V, "T-1", passed=False)
    check(manifest, V, "T-1", evidence=("41 passed",))


def test_a_worker_records_only_the_checks_of_its_own_work_that_the_plan_asks_for() -> None:
    manifest = developing()
    own = {**STEP, "id": "lint", "scope": "per_worker"}
    manifest["validationStrategy"]["steps"].append(own)
    claim(manifest, A, "T-2")
    check(manifest, A, "T-2", step="lint")
    with pytest.raises(errors.CheckRefused):
        check(manifest, B, "T-2", step="lint")
    with pytest.raises(errors.CheckRefused):
        check(manifest, A, None, step="lint")
    find(manifest, "T-2")["validationGate"] = {"required": True, "stepIds": ["lint"]}
    with pytest.raises(errors.CheckRefused, match="validator"):
        check(manifest, A, "T-2", step="lint")
    with pytest.raises(errors.GateNotPassed):
        release(manifest, A, "T-2", "done")


def test_a_step_is_there_and_is_for_the_task() -> None:
    manifest = developing()
    with pytest.raises(errors.StepNotFound):
        check(manifest, V, "T-1", step="none")
    with pytest.raises(errors.TaskNotFound):
        check(manifest, V, "T-9")
    manifest["validationStrategy"]["steps"][0]["appliesToTaskIds"] = ["T-1"]
    with pytest.raises(errors.CheckRefused, match="T-2"):
        check(manifest, V, "T-2")


def test_case_45_the_user_lets_one_task_pass_and_no_other() -> None:
    manifest = developing()
    find(manifest, "T-2")["validationGate"] = {"required": True, "stepIds": ["tests"]}
    checks.let_pass(manifest, "T-1", "It is a prototype.", NOW, question="qst_1")
    for name in ("T-1", "T-2"):
        claim(manifest, A, name)
    assert release(manifest, A, "T-1", "done")["status"] == "done"
    with pytest.raises(errors.GateNotPassed):
        release(manifest, A, "T-2", "done")
    find(manifest, "T-2")["humanOverride"] = find(manifest, "T-1")["humanOverride"]
    with pytest.raises(errors.GateNotPassed):
        release(manifest, A, "T-2", "done")
    with pytest.raises(errors.TaskOver):
        checks.let_pass(manifest, "T-1", "again", NOW, question=None)
