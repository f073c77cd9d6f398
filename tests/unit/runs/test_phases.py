"""What takes a run from one phase to the next, and what ends it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.runs import assets, checks, patch, phases, policy
from ade_runtime.runs.checks import Check
from ade_runtime.runs.document import PHASES, Manifest, instant
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.members import Member
from ade_runtime.runs.tasks import find
from tests.unit.runs.samples import AT, NOW, complete, developing
from tests.unit.runs.test_work import A, V, check, claim, release

LEAD = Member("lead", "ses_lead")
LATER = instant(AT + timedelta(hours=1))


def phase(manifest: Manifest) -> tuple[str, list[str]]:
    return manifest["currentPhase"], [one["status"] for one in manifest["phases"]]


def end(manifest: Manifest, name: str) -> None:
    operation = patch.read("replace", f"/phases/{{id:{name}}}/status", "done")
    policy.apply_all(manifest, [operation], LEAD, NOW, "run.manifest_patch")
    phases.advance(manifest, NOW)


def developed(manifest: Manifest) -> Manifest:
    """Every task of developing is done."""
    for name in ("T-1", "T-2"):
        claim(manifest, A, name)
    check(manifest, V, "T-1")
    for name in ("T-1", "T-2"):
        release(manifest, A, name, "done")
    return manifest


def validated(manifest: Manifest) -> Manifest:
    developed(manifest)
    phases.advance(manifest, NOW)
    claim(manifest, V, "V-1", 90)
    release(manifest, V, "V-1", "done", 100)
    check(manifest, V, None, seconds=120)
    return manifest


def test_the_table_goes_through_every_phase_but_planning() -> None:
    assert list(phases.PHASE_MOVES) == list(PHASES[1:])
    assert [one.target for one in phases.PHASE_MOVES.values()] == [*PHASES[2:], None]


def test_case_38_a_task_of_planning_that_is_done_leaves_planning_alone() -> None:
    manifest = complete()
    manifest["tasks"] = [{**find(developing(), "T-2"), "phaseId": "planning", "status": "done"}]
    assert phases.advance(manifest, NOW) == []
    assert phase(manifest) == ("planning", ["active", "pending", "pending", "pending"])
    assert phases.end_refused(manifest) is not None
    with pytest.raises(errors.PolicyDenied):
        end(manifest, "planning")


def test_developing_is_over_with_its_last_task() -> None:
    manifest = developing()
    manifest["tasks"] = manifest["tasks"][:2]
    assert phases.advance(manifest, NOW) == []
    claim(manifest, A, "T-2")
    release(manifest, A, "T-2", "done")
    assert phases.advance(manifest, NOW) == []
    claim(manifest, A, "T-1")
    check(manifest, V, "T-1")
    release(manifest, A, "T-1", "done")
    assert phases.advance(manifest, NOW) == ["validating begins"]
    assert phase(manifest) == ("validating", ["done", "done", "active", "pending"])


def test_a_run_without_tasks_goes_on_by_itself_nowhere() -> None:
    manifest = developing()
    manifest["tasks"] = []
    assert phases.advance(manifest, NOW) == []
    end(manifest, "developing")
    assert phase(manifest) == ("wrapup", ["done", "done", "skipped", "active"]), (
        "nothing was done to be checked"
    )


def test_a_failed_task_keeps_the_phase_open_until_another_takes_its_place() -> None:
    manifest = developing()
    find(manifest, "T-1")["validationGate"]["required"] = False
    for name, result in (("T-1", "done"), ("T-2", "failed")):
        claim(manifest, A, name)
        release(manifest, A, name, result)
    assert phases.advance(manifest, NOW) == []
    assert phases.lacking(manifest) == ["task T-2"]
    manifest["tasks"].append({**find(developing(), "T-2"), "id": "T-3", "supersedes": "T-2"})
    claim(manifest, A, "T-3", 90)
    release(manifest, A, "T-3", "done", 100)
    assert phases.advance(manifest, NOW) == ["validating begins"]
    assert problems(manifest) == []


def test_the_lead_goes_on_in_spite_of_a_failure_but_not_of_open_work() -> None:
    manifest = developing()
    with pytest.raises(errors.PolicyDenied) as refused:
        end(manifest, "developing")
    assert "T-1, task T-2" in refused.value.hint
    for name, result in (("T-1", "failed"), ("T-2", "failed")):
        claim(manifest, A, name)
        release(manifest, A, name, result)
    for other in ("planning", "validating", "wrapup"):
        with pytest.raises(errors.PolicyDenied):
            end(manifest, other)
    end(manifest, "developing")
    assert manifest["currentPhase"] == "validating"


def test_fault_o12_an_empty_validating_phase_is_skipped_and_that_is_noted() -> None:
    manifest = developing()
    manifest["tasks"] = [find(manifest, "T-2")]
    manifest["validationStrategy"]["steps"] = []
    manifest["tasks"][0]["validationGate"] = {"required": False, "stepIds": []}
    claim(manifest, A, "T-2")
    release(manifest, A, "T-2", "done")
    assert phases.advance(manifest, NOW) == ["validating begins", "wrapup begins"]
    assert phase(manifest) == ("wrapup", ["done", "done", "skipped", "active"])
    assert manifest["decisions"][-1]["text"] == phases.NOTHING_TO_VALIDATE
    assert problems(manifest) == []


def test_validating_waits_for_required_steps_and_not_for_the_others() -> None:
    manifest = developed(developing())
    phases.advance(manifest, NOW)
    claim(manifest, V, "V-1", 90)
    release(manifest, V, "V-1", "done", 100)
    assert phases.lacking(manifest) == ["step tests of task T-2"]
    check(manifest, V, "T-2", seconds=110)
    assert phases.advance(manifest, NOW) == ["wrapup begins"]
    assert phase(manifest)[1][2] == "done"
    other = developed(developing())
    other["validationStrategy"]["steps"][0]["required"] = False
    assert phases.advance(other, NOW) == ["validating begins"]
    assert phases.lacking(other) == ["task V-1"]


def test_a_check_of_the_whole_run_counts_if_it_came_after_the_work() -> None:
    early = developing()
    check(early, V, None, seconds=1)
    developed(early)
    assert checks.outstanding(early) == ["step tests of task T-2"]
    assert checks.outstanding(validated(developing())) == []


def test_what_the_user_waived_is_not_waited_for() -> None:
    manifest = developed(developing())
    row = {"id": "o", "at": NOW, "affectedDefault": "validation", "reason": "No validation.", "taskId": None}
    manifest["userOverrides"].append({**row, "questionId": None})
    assert checks.outstanding(manifest) == []


def test_a_run_is_completed_by_the_lead_or_by_its_last_task_of_wrapup() -> None:
    manifest = validated(developing())
    phases.advance(manifest, NOW)
    assert phase(manifest)[0] == "wrapup"
    assert not phases.is_completed(manifest)
    assert phases.lacking(manifest) == [phases.LEAD_ENDS]
    end(manifest, "wrapup")
    assert phases.is_completed(manifest)
    assert problems(manifest) == []


@pytest.mark.parametrize("link", [{"url": "https://github.com/acme/login/pull/7"}, {"prNumber": 7}])
def test_fault_o9_a_run_that_ends_as_a_pull_request_needs_its_link(link: dict[str, Any]) -> None:
    manifest = validated(developing())
    manifest["finishing"]["mode"] = "pr"
    manifest["tasks"].append({**find(developing(), "T-2"), "id": "W-1", "phaseId": "wrapup"})
    phases.advance(manifest, NOW)
    claim(manifest, A, "W-1", 200)
    release(manifest, A, "W-1", "done", 210)
    assert phases.advance(manifest, NOW) == []
    with pytest.raises(errors.PolicyDenied) as refused:
        end(manifest, "wrapup")
    assert "pr_link" in refused.value.hint
    assets.register(manifest, "ses_a", "pr_link", None, link)
    assert phases.advance(manifest, NOW) == ["the run is completed"]
    assert problems(manifest) == []


def test_a_task_added_while_validating_must_be_done_before_it_is_over() -> None:
    manifest = validated(developing())
    manifest["currentPhase"] = "validating"
    manifest["tasks"].append({**find(developing(), "T-2"), "id": "T-4"})
    assert phases.lacking(manifest) == ["task T-4"]
    claim(manifest, A, "T-4", 300)
    release(manifest, A, "T-4", "done", 310)
    assert phases.lacking(manifest) == ["step tests of task T-2", "step tests of task T-4"], (
        "the check is older"
    )
    checks.record(manifest, V, Check(step="tests", task=None, passed=True), LATER)
    assert phases.lacking(manifest) == []
