"""Planning with a user who answers elsewhere, up to approval and past it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError
from ade_runtime.runs.plan_text import digest
from tests.integration.runs.conftest import House
from tests.unit.runs.samples import PLAN


async def refused(code: str, call: Any) -> AdeError:
    with pytest.raises(AdeError) as caught:
        await call
    assert caught.value.code == code, caught.value
    return caught.value


async def test_case_1_a_new_run_has_a_lead_a_plan_in_its_lane_and_an_etag(house: House) -> None:
    run, manifest = await house.call("show"), await house.manifest()
    assert (run["phase"], run["stage"], run["approval"]) == ("planning", "intake", "drafting")
    assert [(one["role"], one["status"]) for one in manifest["agents"]] == [("lead", "running")]
    assert manifest["phases"][0] == {"id": "planning", "status": "active"}
    plan = Path(run["bundle"]) / "plan.md"
    assert plan.is_relative_to(house.project)
    assert digest(plan.read_bytes()) == run["plan_sha256"]
    assert run["etag"] == manifest["etag"]
    session = await house.call("session.show", session=run["lead"])
    assert (session["role"], session["interaction_mode"], session["run"]) == (
        "orchestrator",
        "lead",
        house.run,
    )


async def test_a_whole_planning_is_approved_once_and_planning_is_over(house: House) -> None:
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    assert (asked["stage"], asked["approval"], asked["asks"]) == ("ready", "pending", "approval")
    question = (await house.call("user.pending"))["items"][0]
    assert question["body"] == PLAN
    assert digest(PLAN.encode()) in question["title"]
    done = await house.call("approve", sha256=digest(PLAN.encode()))
    assert (done["phase"], done["approval"], done["plan_drifted"]) == ("developing", "approved", False)
    manifest = await house.manifest()
    assert manifest["leadState"]["planApprovedBySessionId"].startswith("owner")
    await refused("plan_already_approved", house.call("offer_light_plan", summary="x", wait=0))
    await refused("plan_already_approved", house.call("expand_to_full_plan"))
    (Path(done["bundle"]) / "plan.md").write_text(PLAN + "\nMore.\n")
    assert (await house.call("show"))["plan_drifted"]


async def test_the_lead_that_waits_goes_on_when_the_person_answers(house: House) -> None:
    await house.complete()
    waiting = asyncio.create_task(house.call("request_plan_approval", wait=60))
    while (await house.call("show"))["asks"] != "approval":  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await house.call("approve")
    assert (await waiting)["approval"] == "approved"


async def test_an_answer_by_the_questions_own_way_counts_as_well(house: House) -> None:
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    await house.call("user.respond", question=asked["question"], answer="Approve")
    assert (await house.call("show"))["approval"] == "pending", "nobody has looked yet"
    assert (await house.call("request_plan_approval", wait=0))["approval"] == "approved"


async def test_who_approves_what_was_answered_elsewhere_gets_it_recorded_once(house: House) -> None:
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    await house.call("user.respond", question=asked["question"], answer="Approve")
    found = await asyncio.gather(*(house.call("approve") for _ in range(4)))
    assert {one["approval"] for one in found} == {"approved"}
    assert [one.kind for one in await house.history()].count("answered") == 5, (
        "three rounds and the models before it, then the plan"
    )


async def test_every_change_is_told_as_an_event(house: House) -> None:
    start = (await house.call("event.poll", start="now"))["next"]
    await house.take_in()
    told = await house.call("event.poll", cursor=start)
    kinds = [one["data"]["kind"] for one in told["items"] if one["type"] == "run.changed"]
    assert kinds == ["intake"]


async def test_case_30_acceptance_4_a_plan_that_changed_while_it_was_shown_is_not_approved(
    house: House,
) -> None:
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    (Path(asked["bundle"]) / "plan.md").write_text(PLAN + "\nAnd more.\n")
    await refused("plan_changed_after_review", house.call("approve"))
    approval = (await house.manifest())["planSpec"]["approval"]
    assert (approval["state"], approval["planHash"]) == ("changes_requested", None)
    assert approval["reviewedHash"] == digest(PLAN.encode())
    assert (await house.call("show"))["phase"] == "planning"
    await house.call("request_plan_approval", wait=0)
    assert (await house.call("approve"))["approval"] == "approved"


async def test_another_plan_than_the_person_has_read_is_not_approved(house: House) -> None:
    await house.complete()
    await house.call("request_plan_approval", wait=0)
    await refused("plan_changed_after_review", house.call("approve", sha256="0" * 64))
    assert (await house.call("show"))["approval"] == "pending"


async def test_who_asks_for_changes_declines_and_the_lead_is_told(house: House) -> None:
    await house.complete()
    waiting = asyncio.create_task(house.call("request_plan_approval", wait=60))
    while (await house.call("show"))["asks"] != "approval":  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    told = await house.call("approve", changes="approved in general, proceed once the tests are named")
    assert (told["approval"], told["phase"]) == ("changes_requested", "planning")
    await refused("plan_rejected", waiting)
    assert "tests are named" in (await house.manifest())["planSpec"]["approval"]["comment"]


async def test_case_33_a_thin_plan_is_not_shown_to_anybody(house: House) -> None:
    await house.complete()
    await house.write("# Login\n\n## Goal\nN/A\n")
    problem = await refused("plan_not_ready", house.call("request_plan_approval", wait=0))
    assert problem.details["missing"][0] == "goal"
    assert (await house.call("user.pending"))["total"] == 0
    assert (await house.call("show"))["stage"] == "rounds_complete"


async def test_case_31_a_prompt_that_cannot_be_put_asks_for_changes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.complete()

    async def broken(*_: Any) -> None:
        raise RuntimeError("no paper")

    monkeypatch.setattr(house.runtime.services.questions, "add", broken)
    await refused("approval_prompt_failed", house.call("request_plan_approval", wait=0))
    assert (await house.call("show"))["approval"] == "changes_requested"


async def test_a_round_that_was_dismissed_records_nothing(house: House) -> None:
    await house.take_in()
    await house.call("ask_planning_round", kind="functional", question="What?", wait=0)
    await house.call("answer", dismiss=True)
    manifest = await house.manifest()
    assert manifest["leadState"]["planning"]["rounds"] == []
    assert (await house.call("show"))["stage"] == "round_functional"
    assert manifest["leadState"]["planning"]["lastRefusal"]["code"] == "round_cancelled"


async def test_one_question_at_a_time_and_the_same_call_waits_on(house: House) -> None:
    await house.take_in()
    first = await house.call("ask_planning_round", kind="functional", question="What?", wait=0)
    again = await house.call("ask_planning_round", kind="functional", question="What?", wait=0)
    assert first["question"] == again["question"]
    await refused("run_question_pending", house.call("offer_light_plan", summary="x", wait=0))


async def test_only_the_users_word_waives(house: House) -> None:
    await house.take_in()
    await house.call("record_planning_override", rounds=["ui", "extras"], why="small", wait=0)
    assert (await house.call("answer", answer=["Keep"], reason="I want to see it"))[
        "stage"
    ] == "round_functional"
    assert (await house.manifest())["userOverrides"] == []
    await house.call("record_planning_override", rounds=["ui", "extras"], why="small", wait=0)
    await house.call("answer", answer=["Skip"], reason="It is one line")
    overrides = (await house.manifest())["userOverrides"]
    assert [one["affectedDefault"] for one in overrides] == ["planning.round.ui", "planning.round.extras"]
    assert all(one["reason"].startswith("It is one line") for one in overrides)
    assert (await house.round("functional"))["stage"] == "rounds_complete"


@pytest.mark.parametrize(
    ("words", "waived"), [("do not skip validation", False), ("no validation for this run", True)]
)
async def test_validation_is_waived_in_so_many_words(house: House, words: str, waived: bool) -> None:
    await house.call("record_planning_override", validation=True, why="a prototype", wait=0)
    await house.call("answer", answer=[words])
    missing = " ".join((await house.call("show"))["missing"])
    assert ("validation" not in missing) is waived


async def test_models_may_be_chosen_on_the_short_way_and_only_from_what_was_offered(house: House) -> None:
    await house.take_in()
    await house.call("offer_light_plan", summary="One worker renames it.", wait=0)
    assert (await house.call("answer", answer=["Yes, the short way"]))["stage"] == "light_plan"
    back = await house.call("expand_to_full_plan")
    assert (back["stage"], back["light"]) == ("round_functional", False)
    assert len([one for one in back["missing"] if one.startswith("round")]) == 3


async def test_a_plan_that_is_written_again_by_who_lost_the_answer_is_there(house: House) -> None:
    sha = (await house.call("plan"))["sha256"]
    first = await house.call("plan_write", text="# New\n", replaces=sha)
    again = await house.call("plan_write", text="# New\n", replaces=sha)
    assert again["plan_sha256"] == first["plan_sha256"] != sha
    await refused("plan_changed", house.call("plan_write", text="# Other\n", replaces=sha))


async def test_fault_o6_of_two_writers_of_a_plan_one_is_told(house: House) -> None:
    sha = (await house.call("plan"))["sha256"]
    both = [house.call("plan_write", text=f"# {n}\n", replaces=sha) for n in (1, 2)]
    found = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["PlanChanged", "dict"]
    appends = [house.call("plan_append", text=f"line {n}\n") for n in range(5)]
    await asyncio.gather(*appends)
    text = (await house.call("plan"))["text"]
    assert sorted(text.splitlines()[1:]) == [f"line {n}" for n in range(5)]


async def test_a_plan_that_is_a_link_is_not_read(house: House, tmp_path: Path) -> None:
    plan = Path((await house.call("show"))["bundle"]) / "plan.md"
    plan.unlink()
    (tmp_path / "secret").write_text("x")
    plan.symlink_to(tmp_path / "secret")
    await refused("plan_unusable", house.call("plan"))
