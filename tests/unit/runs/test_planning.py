"""The planning machine on manifests alone."""

from __future__ import annotations

import pytest

from ade_generated import errors
from ade_generated.run_rules import PLANNING_MOVES
from ade_runtime.runs import outcomes, planning, readiness
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.waivers import round_default
from tests.unit.runs.samples import INTAKE, NOW, answered, complete, fresh, taken_in


def stage(manifest: Manifest) -> str:
    return str(planning.planning_of(manifest)["stage"])


def waive(manifest: Manifest, kind: str) -> None:
    planning.record_override(manifest, round_default(kind), "not needed", NOW, question="qst_1")


def approved(
    manifest: Manifest, plan: str = "p", words: tuple[str, ...] = ("Approve",), by: str | None = "owner"
) -> None:
    """Answer the question that asks for approval of plan ``p``."""
    answer = outcomes.Answer("qst_1", {"decision": [*words]}, by, plan)
    outcomes.approval_answered(manifest, answer, {"sha256": "p"}, NOW)


def test_fault_o22_no_move_of_the_table_leads_back_to_the_intake_and_each_stage_is_reached() -> None:
    reached = {move.target for move in PLANNING_MOVES.values()}
    assert reached == {
        "round_functional",
        "round_ui",
        "round_extras",
        "rounds_complete",
        "light_plan",
        "ready",
    }


def test_case_15_a_round_out_of_turn_is_refused() -> None:
    with pytest.raises(errors.StageConflict):
        planning.record_round(taken_in(), "ui", ["x"], [], NOW, question=None)


def test_case_16_an_answer_that_says_nothing_is_none() -> None:
    manifest = taken_in()
    with pytest.raises(errors.RoundUnanswered):
        planning.record_round(manifest, "functional", ["  "], [], NOW, question=None)
    assert stage(manifest) == "round_functional"


def test_case_37_what_is_no_option_is_the_users_own_text() -> None:
    manifest = taken_in()
    planning.record_round(manifest, "functional", ["A", "and quickly"], ["A", "B"], NOW, question="qst_1")
    (row,) = planning.planning_of(manifest)["rounds"]
    assert (row["selections"], row["freeText"], row["summary"]) == (["A"], "and quickly", "A\nand quickly")


def test_case_18_a_round_waived_before_the_intake_is_left_out_after_it() -> None:
    manifest = fresh()
    waive(manifest, "functional")
    assert stage(manifest) == "intake"
    planning.record_intake(manifest, INTAKE, NOW)
    assert stage(manifest) == "round_ui"


def test_case_19_rounds_waived_early_are_passed_when_their_turn_comes() -> None:
    manifest = taken_in()
    waive(manifest, "ui")
    waive(manifest, "extras")
    assert stage(manifest) == "round_functional"
    assert stage(answered(manifest, "functional")) == "rounds_complete"


def test_acceptance_6_fault_o21_a_waiver_holds_only_while_its_entry_is_there() -> None:
    manifest = complete()
    planning.planning_of(manifest)["rounds"] = []
    for kind in ("functional", "ui", "extras"):
        waive(manifest, kind)
    assert readiness.lacking(manifest) == []
    manifest["userOverrides"].pop()
    assert readiness.lacking(manifest) == ["round extras"]
    assert problems(manifest) == ["stage rounds_complete comes after the extras round"]


def test_case_24_without_anything_visible_there_is_no_ui_round_and_that_is_no_waiver() -> None:
    manifest = taken_in(ui=False)
    assert planning.planning_of(manifest)["autoSkippedRounds"] == ["ui"]
    assert manifest["userOverrides"] == []
    assert len(manifest["decisions"]) == 1
    assert stage(answered(manifest, "functional")) == "round_extras"
    assert not readiness.ui_needed(manifest)


def test_a_mini_round_follows_one_up_and_moves_nothing() -> None:
    manifest = taken_in()
    first = planning.record_round(manifest, "functional", ["A"], [], NOW, question=None)
    planning.record_round(manifest, "functional", ["B"], [], NOW, question=None, cascaded_from=first)
    assert stage(manifest) == "round_ui"
    with pytest.raises(errors.RoundNotFound):
        planning.record_round(manifest, "ui", ["B"], [], NOW, question=None, cascaded_from="rnd_none")


def test_case_26_the_short_way_is_closed_once_a_round_was_answered() -> None:
    with pytest.raises(errors.RoundsStarted):
        planning.accept_light(answered(taken_in(), "functional"), "Small.", NOW, question=None)


def test_case_25_the_short_way_needs_no_rounds_and_no_choice_of_an_end() -> None:
    manifest = complete()
    planning.planning_of(manifest)["rounds"] = []
    planning.planning_of(manifest)["stage"] = "round_functional"
    manifest["finishing"] = None
    planning.accept_light(manifest, "Small.", NOW, question=None)
    assert readiness.lacking(manifest) == []


@pytest.mark.parametrize("ready", [False, True])
def test_case_27_acceptance_7_back_from_the_short_way_nothing_is_lost_and_the_rounds_are_needed_again(
    ready: bool,
) -> None:
    manifest = taken_in()
    planning.accept_light(manifest, "Small.", NOW, question=None)
    if ready:
        planning.move(manifest, "ready")
    before = planning.planning_of(manifest)["intake"]
    planning.expand(manifest)
    assert stage(manifest) == "round_functional"
    assert planning.planning_of(manifest)["intake"] == before
    assert [one for one in readiness.lacking(manifest) if one.startswith("round")]
    assert problems(manifest) == []


def test_case_17_everything_that_is_missing_is_listed() -> None:
    assert len(readiness.lacking(fresh())) == 7
    manifest = complete()
    manifest["modelRouting"]["byRole"] = {}
    assert readiness.lacking(manifest) == ["model routing"]


def test_case_28_approval_alone_ends_planning() -> None:
    manifest = complete()
    planning.move(manifest, "ready")
    approved(manifest)
    assert (manifest["currentPhase"], manifest["phases"][0]["status"]) == ("developing", "done")
    assert manifest["leadState"]["planApprovedAt"] == NOW
    assert problems(manifest) == []
    for late in (planning.expand, planning.check_light):
        with pytest.raises(errors.PlanAlreadyApproved):
            late(manifest)


@pytest.mark.parametrize(
    "words", [("approved, but proceed with care",), ("approve",), ("Request changes",), ("Approve", "x"), ()]
)
def test_case_32_only_the_very_choice_approves(words: tuple[str, ...]) -> None:
    manifest = complete()
    planning.move(manifest, "ready")
    with pytest.raises(errors.PlanRejected):
        approved(manifest, words=words)
    assert manifest["currentPhase"] == "planning"
    assert manifest["planSpec"]["approval"]["state"] == "changes_requested"


def test_who_does_not_decide_for_the_user_approves_nothing() -> None:
    manifest = complete()
    planning.move(manifest, "ready")
    with pytest.raises(errors.PlanRejected):
        approved(manifest, by=None)


def test_another_plan_than_the_one_shown_is_not_approved() -> None:
    manifest = complete()
    planning.move(manifest, "ready")
    manifest["planSpec"]["approval"]["reviewedHash"] = "p"
    with pytest.raises(errors.PlanChangedAfterReview):
        approved(manifest, plan="other")
    approval = manifest["planSpec"]["approval"]
    assert (approval["state"], approval["reviewedHash"], approval["planHash"]) == (
        "changes_requested",
        "p",
        None,
    )


def test_case_29_what_went_missing_while_the_plan_was_shown_is_noticed() -> None:
    manifest = complete()
    planning.move(manifest, "ready")
    manifest["modelRouting"]["byRole"] = {}
    with pytest.raises(errors.PlanningIncomplete):
        approved(manifest)
    assert manifest["currentPhase"] == "planning"


def test_acceptance_12_a_planning_task_that_is_done_leaves_nothing() -> None:
    from ade_runtime.runs.document import new_task

    manifest = complete()
    manifest["tasks"].append(
        {"id": "T-1", "title": "Plan", **new_task(), "phaseId": "planning", "status": "done"}
    )
    assert problems(manifest) == []
    manifest["currentPhase"] = "developing"
    assert "planning is left by approval and by nothing else" in problems(manifest)
