"""Workers and validators at work: what they see, what they claim and give back, and what their lead is told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.pipeline.identify import Attempt, Origin
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused

WORKER = {"claimTask", "releaseTask", "recordValidationRun"}
MEMBER = {"planAppend", "manifestPatch", "messageAgent", "registerAsset", "getAgentTranscript"}
GATED = {"id": "T-1", "title": "Store", "validationGate": {"required": True, "stepIds": ["tests"]}}


async def seen(house: House, token: str | None) -> set[str]:
    with house.monkeypatch.context() as patch:
        if token is not None:
            patch.setenv("ADE_SESSION_TOKEN", token)
        found = await house.runtime.call(
            "actions.list", {"domain": "run", "limit": 500}, project=house.project
        )
    return {one["tool"] for one in found["items"]}


async def release(house: House, token: str, task: str, status: str, **more: Any) -> dict[str, Any]:
    return await house.call("release_task", task=task, status=status, summary="so", token=token, **more)


async def test_a_worker_and_a_validator_see_their_tools_and_the_lead_its_own(house: House) -> None:
    worker, validator, lead = (
        await house.join("worker"),
        await house.join("validator"),
        await house.token_of_lead(),
    )
    for token in (worker, validator):
        found = await seen(house, token)
        assert found >= WORKER | MEMBER
        assert (
            not {"spawnAgent", "awaitAgent", "planWrite", "recoverStaleTasks", "requestPlanApproval"} & found
        )
    found = await seen(house, lead)
    assert MEMBER | {"spawnAgent", "planWrite", "recoverStaleTasks", "recordScheduledFollowup"} <= found
    assert not WORKER & found
    plain = await house.call("session.start", role="agent")
    assert not (WORKER | MEMBER) & await seen(house, plain["token"])
    await refused("unknown_action", house.call("claim_task", task="T-1", token=plain["token"]))


async def test_a_mode_without_a_row_in_the_run_does_nothing(house: House) -> None:
    await house.develop()
    started = await house.call("session.start", run=house.run, interaction_mode="worker")
    await refused("policy_denied", house.call("claim_task", task="T-1", token=started["token"]))
    await refused("policy_denied", house.call("claim_task", task="T-1"))


async def test_a_task_is_claimed_worked_at_checked_and_done(house: House) -> None:
    await house.develop(GATED)
    worker, validator = await house.enlist("worker"), await house.enlist("validator")
    assert (await house.call("claim_task", task="T-1", token=worker))["agent"] == "running"
    await house.patch(("replace", "/tasks/{id:T-1}/status", {"text": "in_progress"}), token=worker)
    await refused("gate_not_passed", release(house, worker, "T-1", "done"))
    waiting = await release(house, worker, "T-1", "review")
    assert (waiting["agent"], waiting["task"]["status"], waiting["next"]) == (
        "blocked",
        "review",
        "Wait for tests.",
    )
    checked = await house.call(
        "record_validation_run", step="tests", task="T-1", passed=True, token=validator
    )
    assert checked["lacking"] == []
    done = await release(house, worker, "T-1", "done", evidence=["commit 1f2e"])
    assert (done["task"]["status"], done["agent"], done["phase"]) == ("done", "completed", "wrapup")
    kinds = [one.kind for one in await house.history()]
    assert {"claimed", "released", "checked", "enlisted"} <= set(kinds)
    await refused(
        "policy_denied", house.patch(("replace", "/tasks/{id:T-1}/status", {"text": "done"}), token=worker)
    )


async def test_case_62_one_completion_for_an_end_and_a_ping_for_the_rest(house: House) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=worker)
    await release(house, worker, "T-1", "review")
    assert (len(await house.told("completion")), len(await house.told("ping"))) == (0, 1)
    await release(house, worker, "T-1", "done")
    assert (len(await house.told("completion")), len(await house.told("ping"))) == (1, 1)
    for status in ("done", "failed"):
        await refused("task_over", release(house, worker, "T-1", status))
    assert len(await house.told("completion")) == 1


async def test_a_release_under_one_request_id_happens_once(house: House) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=worker)
    arguments = {"run": house.run, "task": "T-1", "status": "done", "summary": "so"}
    with house.monkeypatch.context() as patch:
        patch.setenv("ADE_SESSION_TOKEN", worker)
        both = [
            await house.runtime.call("run.release_task", arguments, project=house.project, request_id="r1")
            for _ in range(2)
        ]
    assert both[0] == both[1]
    assert len(await house.told("completion")) == 1


async def test_acceptance_1_of_two_claimants_one_wins_every_time(house: House) -> None:
    """Two processes' worth: two runtimes of one home, each with one worker, 200 tasks."""
    names = [f"T-{number}" for number in range(200)]
    await house.develop(*({"id": name, "title": name} for name in names))
    tokens = [await house.enlist("worker") for _ in range(2)]
    async with Runtime.open(house.runtime.services.paths.home) as other:
        sides = [house.runtime, other]
        who = [
            await side.services.identification.identify(
                Origin.here(), Attempt("run.claim_task", "in_process"), token=token
            )
            for side, token in zip(sides, tokens, strict=True)
        ]

        async def claim(side: int, task: str) -> str:
            from ade_runtime.contracts import AdeError
            from ade_runtime.pipeline.call import Caller

            caller = Caller("in_process", project=str(house.project))
            arguments = {"run": house.run, "task": task}
            try:
                await sides[side].services.pipeline.call(
                    "run.claim_task", arguments, identity=who[side], caller=caller
                )
            except AdeError as problem:
                return problem.code
            return "won"

        for number, name in enumerate(names):
            first, second = (0, 1) if number % 2 else (1, 0)
            found = await asyncio.gather(claim(first, name), claim(second, name))
            assert sorted(found) == ["task_already_claimed", "won"], name
    manifest = await house.manifest()
    assert all(len(one["attempts"]) == 1 for one in manifest["tasks"])


async def test_acceptance_11_a_worker_patches_no_others_task_and_a_validator_none(house: House) -> None:
    await house.develop()
    one, other, validator = (
        await house.enlist("worker"),
        await house.enlist("worker"),
        await house.enlist("validator"),
    )
    change = ("replace", "/tasks/{id:T-1}/status", {"text": "in_progress"})
    problem = await refused("policy_denied", house.patch(change, token=one))
    assert "claim" in problem.hint
    await house.call("claim_task", task="T-1", token=one)
    await house.call("claim_task", task="T-2", token=other)
    before = await house.manifest()
    own = ("replace", "/tasks/{id:T-2}/evidence", {"texts": ["log"]})
    for token in (other, validator):
        await refused("policy_denied", house.patch(own, change, token=token))
    assert await house.manifest() == before
    await house.patch(change, token=one)


async def test_fault_o2_the_user_lets_a_task_pass_in_their_own_words(house: House) -> None:
    await house.develop(GATED)
    worker = await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=worker)
    asked = {"task": "T-1", "why": "The tests need a phone.", "wait": 0}
    assert (await house.call("record_planning_override", **asked))["asks"] == "override"
    await house.call("answer", answer=["Keep"], reason="Wait for it.")
    await refused("gate_not_passed", release(house, worker, "T-1", "done"))
    await house.call("record_planning_override", **asked)
    await refused(
        "policy_denied", house.call("answer", answer=["Skip"], reason="x", token=await house.token_of_lead())
    )
    await house.call("answer", answer=["Skip"], reason="I tried it by hand.")
    (override,) = (await house.manifest())["userOverrides"]
    assert (override["affectedDefault"], override["taskId"]) == ("gate", "T-1")
    assert override["reason"].startswith("I tried it by hand.")
    assert (await release(house, worker, "T-1", "done"))["task"]["humanOverride"] == override["id"]


async def test_members_note_beside_the_plan_and_the_plan_stays_approved(house: House) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    await house.call("plan_append", text="The store needs a key.", token=worker)
    found = await house.call("plan")
    assert (found["drifted"], "needs a key" in found["text"]) == (False, False)
    assert "needs a key" in found["notes"]
    assert "(worker)" in found["notes"]


async def test_fault_o11_a_run_ends_when_its_lead_says_so_and_changes_no_more(house: House) -> None:
    await house.develop({"id": "T-1", "title": "Store"})
    worker, validator = await house.enlist("worker"), await house.enlist("validator")
    await house.call("claim_task", task="T-1", token=worker)
    assert (await release(house, worker, "T-1", "done"))["phase"] == "validating"
    checked = await house.call("record_validation_run", step="tests", passed=True, token=validator)
    assert checked["phase"] == "wrapup"
    ended = await house.patch(("replace", "/phases/{id:wrapup}/status", {"text": "done"}))
    assert ended["state"] == "completed"
    assert [one["state"] for one in (await house.call("list"))["items"]] == ["completed"]
    await refused("run_over", house.call("claim_task", task="T-1", token=worker))
    followed = await house.call("record_scheduled_followup", id="ci", prompt="Look at CI.")
    assert followed["followup"]["status"] == "pending"
    assert [one for one in await house.told("lead_status") if "completed" in one]


async def test_case_69_a_follow_up_is_one_row_and_fires_once_and_for_all(house: House) -> None:
    async def note(**more: Any) -> tuple[str, str | None]:
        found = (await house.call("record_scheduled_followup", id="ci", prompt="Look at CI.", **more))[
            "followup"
        ]
        return found["status"], found["workId"]

    schedule = (await house.call("schedule.create", **{"delay_seconds": 3600, "run": "runtime.health"}))["id"]
    assert await note(status="scheduled") == ("pending", None)
    assert await note(status="scheduled", schedule=schedule) == ("scheduled", schedule)
    assert await note(status="scheduled", schedule=schedule) == ("scheduled", schedule)
    assert len((await house.manifest())["scheduledFollowups"]) == 1
    assert await note(status="fired") == ("fired", schedule)
    assert await note(status="scheduled") == ("fired", schedule)
    await refused(
        "policy_denied", house.patch(("replace", "/scheduledFollowups/{id:ci}/status", {"text": "pending"}))
    )


async def test_an_asset_is_a_file_of_the_bundle_and_is_there(house: House, tmp_path: Path) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    bundle = Path((await house.call("show"))["bundle"])
    artifacts = bundle / "artifacts"
    artifacts.mkdir()
    (artifacts / "log.txt").write_text("41 passed\n")
    first = await house.call("register_asset", kind="test_log", path="log.txt", token=worker)
    again = await house.call("register_asset", kind="test_log", path="log.txt")
    assert (first["asset"]["path"], first["asset"]["version"], again["asset"]["version"]) == (
        "artifacts/log.txt",
        1,
        2,
    )
    assert again["asset"]["id"] == first["asset"]["id"]
    (tmp_path / "secret").write_text("x")
    (artifacts / "link").symlink_to(tmp_path / "secret")
    (artifacts / "out").symlink_to(tmp_path)
    for path in ("../plan.md", "/etc/passwd", "none.txt", "link", "out/secret", "."):
        await refused("asset_unusable", house.call("register_asset", kind="doc", path=path))
    await refused("asset_unusable", house.call("register_asset", kind="pr_link", path="log.txt"))
    await refused(
        "asset_unusable", house.call("register_asset", kind="screenshot", url="https://example.org/a.png")
    )
    assert len((await house.manifest())["assets"]) == 1


async def test_a_file_of_the_callers_lane_is_copied_and_nothing_of_elsewhere(
    house: House, tmp_path: Path
) -> None:
    await house.develop()
    (house.project / "shot.png").write_bytes(b"png")
    (tmp_path / "other").write_text("x")
    (house.project / "away").symlink_to(tmp_path / "other")
    with house.monkeypatch.context() as patch:
        patch.chdir(house.project)
        made = await house.call(
            "register_asset", **{"kind": "screenshot", "path": "ui/one.png", "from": "shot.png"}
        )
        for source in ("away", "../x", "none", str(tmp_path / "other")):
            await refused(
                "asset_unusable", house.call("register_asset", **{"kind": "doc", "path": "a", "from": source})
            )
    assert made["asset"]["path"] == "artifacts/ui/one.png"
    assert (Path((await house.call("show"))["bundle"]) / "artifacts/ui/one.png").read_bytes() == b"png"


async def test_only_a_live_session_made_for_the_run_is_taken_in(house: House) -> None:
    fit = await house.call("session.start", run=house.run, interaction_mode="worker")
    await refused("plan_not_approved", house.call("enlist", session=fit["session"]["id"]))
    await house.develop()
    for fields in (
        {"interaction_mode": "worker"},
        {"run": house.run},
        {"run": house.run, "interaction_mode": "lead"},
    ):
        other = await house.call("session.start", **fields)
        await refused("agent_not_fit", house.call("enlist", session=other["session"]["id"]))
    once = await house.call("enlist", session=fit["session"]["id"], name="Store")
    again = await house.call("enlist", session=fit["session"]["id"])
    assert once["agent"] == again["agent"]
    assert [one["child"] for one in (await house.manifest())["lineage"]] == [fit["session"]["id"]]
    await house.call("session.end", session=fit["session"]["id"])
    gone = await house.call("session.start", run=house.run, interaction_mode="worker")
    await house.call("session.end", session=gone["session"]["id"])
    await refused("agent_not_fit", house.call("enlist", session=gone["session"]["id"]))


@pytest.mark.parametrize("role", ["worker", "validator"])
async def test_members_do_not_take_back_what_others_hold(house: House, role: str) -> None:
    await house.develop()
    token = await house.enlist(role)
    await refused("unknown_action", house.call("recover_stale_tasks", tasks=["T-1"], token=token))
