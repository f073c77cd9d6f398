"""Agents of a run: started once, with nothing left where they are not, and ended with what they hold."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.contracts import AdeError
from ade_runtime.runs import lineage, receipts
from ade_runtime.runs.document import Manifest, new_agent
from ade_runtime.sessions.records import SessionRecord
from tests.integration.runs.conftest import House
from tests.integration.runs.staff import (
    BRIEF,
    GEMINI,
    approve,
    entries,
    install,
    promise,
    queued,
    snapshot,
    spawn,
    told,
)
from tests.unit.runs.samples import NOW

T_1 = ("add", "/tasks/-", {"object": {"id": "T-1", "title": "Store passkeys"}})


@pytest.fixture
async def staffed(house: House, tmp_path: Path) -> House:
    """A run whose plan is approved and whose agents' program is installed."""
    install(house, tmp_path / "programs")
    await approve(house, T_1)
    return house


async def refused(house: House, **more: Any) -> AdeError:
    before = await snapshot(house)
    with pytest.raises(AdeError) as caught:
        await spawn(house, **more)
    assert await snapshot(house) == before
    return caught.value


# -- starting


async def test_an_agent_is_a_chat_in_a_lane_of_its_own_on_top_of_the_runs(staffed: House) -> None:
    made = await spawn(staffed, tag="backend", step="T-1")
    services, session = staffed.runtime.services, made["session"]
    record = await services.sessions.find(session)
    assert (record.role, record.interaction_mode, record.run) == ("agent", "worker", staffed.run)
    chat = await services.chats.find(session)
    assert (chat.provider, chat.model, chat.lane) == ("gemini", "flash", made["lane"])
    lane = await staffed.call("lane.show", lane=made["lane"])
    assert (lane["parent"], lane["path"]) == ("primary", made["path"])  # the run's is the primary one
    row = (await staffed.manifest())["agents"][1]
    assert (row["status"], row["tag"], row["currentStepId"]) == ("pending", "backend", "T-1")
    assert row["spawnFingerprint"]["routingKey"] == made["routing"] == "default"


async def test_its_brief_waits_with_its_edge_which_has_its_digest(staffed: House) -> None:
    made = await spawn(staffed)
    (brief,) = await entries(staffed.runtime.services, staffed.run)
    assert (brief.kind, brief.target) == ("brief", made["session"])
    assert "Store passkeys." in brief.text and "claimTask" in brief.text
    (edge,) = (await staffed.manifest())["lineage"]
    assert (edge["child"], edge["status"], edge["startedAt"] is not None) == (
        made["session"],
        "running",
        True,
    )
    assert edge["briefDigest"] == hashlib.sha256(brief.text.encode()).hexdigest()
    assert await staffed.runtime.services.deliveries.drain() == 1
    assert await told(staffed.runtime.services, made["session"]) == [brief.text]


async def test_the_lane_of_a_lane_is_on_top_of_it(staffed: House) -> None:
    first = await spawn(staffed)
    again = await spawn(staffed, name="Form", tag="form", parent=first["lane"])
    assert (await staffed.call("lane.show", lane=again["lane"]))["parent"] == first["lane_name"]
    there = await spawn(staffed, role="validator", name="Check", lane=first["lane"])
    assert there["lane"] == first["lane"]


@pytest.mark.parametrize("role", ["worker", "validator"])
async def test_its_model_is_given_what_a_member_may_do_and_nothing_of_the_leads(
    staffed: House, role: str
) -> None:
    made = await spawn(staffed, role=role)
    listed = await staffed.call("chat.tools", session=made["session"])
    names = {one["name"] for one in listed["items"]}
    assert names >= {"claimTask", "releaseTask", "messageAgent", "getAgentTranscript"}
    assert not names & {
        "spawnAgent",
        "awaitAgent",
        "requestPlanApproval",
        "recoverStaleTasks",
        "searchWorkspace",
    }


@pytest.mark.parametrize("role", ["worker", "validator"])
async def test_it_is_told_what_its_role_asks_of_it_and_the_preview_shows_that(
    staffed: House, role: str
) -> None:
    made = await spawn(staffed, role=role)
    shown = await staffed.call("chat.preview_prompt", session=made["session"])
    names = [part["name"] for part in shown["parts"]]
    assert names[:4] == ["guidance", "scheduled_work", f"run_{role}", "place"]
    assert f"You are a {role} of a run" in shown["text"] and shown["tokens"] <= shown["budget"]
    unmade = await staffed.call("chat.preview_prompt", lane=made["lane"], mode=role)
    assert unmade["text"] == shown["text"], "what is shown before is what is said then"
    plain = await staffed.call("chat.preview_prompt", lane=made["lane"])
    assert not [part for part in plain["parts"] if part["name"].startswith("run")]


async def test_case_68_without_an_approved_plan_nobody_is_started(house: House, tmp_path: Path) -> None:
    install(house, tmp_path / "programs")
    assert (await refused(house)).code == "plan_not_approved"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"brief": "## Goal\nStore passkeys.\n"}, "brief_incomplete"),
        ({"step": "T-9"}, "task_not_found"),
        ({"lane": "nowhere"}, "lane_not_found"),
        ({"model": GEMINI | {"provider": "nobody"}}, "unknown_provider"),
        ({"model": GEMINI | {"provider": "codex"}}, "agent_program_missing"),
        ({"permission_mode": "auto"}, "unsupported_mode"),
    ],
)
async def test_what_cannot_be_started_leaves_nothing(staffed: House, more: dict[str, Any], code: str) -> None:
    refusal = await refused(staffed, **more)
    assert refusal.code == code
    if code == "brief_incomplete":
        assert refusal.message == "The brief lacks context, scope, constraints, done_when, report."


async def test_a_member_who_does_not_lead_starts_nobody(staffed: House) -> None:
    token = await staffed.join("worker")
    with pytest.raises(errors.UnknownAction):
        await spawn_as(staffed, token)


async def spawn_as(house: House, token: str) -> dict[str, Any]:
    return await house.call("spawn_agent", token=token, role="worker", name="x", brief=BRIEF)


async def test_fault_o7_a_plan_that_was_changed_starts_nobody_until_it_is_approved_again(
    staffed: House,
) -> None:
    text = (await staffed.call("plan"))["text"]
    with pytest.raises(errors.PlanAlreadyApproved):
        await staffed.call("request_plan_approval", wait=0)
    changed = await staffed.write(text.replace("First the store", "At first the store"))
    assert changed["next"].startswith("plan.md was changed")
    assert (await refused(staffed)).code == "plan_drifted"
    await staffed.call("request_plan_approval", wait=0)
    with pytest.raises(errors.PlanRejected):
        await asked_and_refused(staffed)
    assert (await refused(staffed)).code == "plan_drifted"
    await staffed.call("request_plan_approval", wait=0)
    done = await staffed.call("approve")
    assert (done["phase"], done["plan_drifted"], done["approval"]) == ("developing", False, "approved")
    assert (await spawn(staffed))["attempt"] == 1


async def asked_and_refused(house: House) -> None:
    await house.call("approve", changes="As it was, please.")
    raise errors.PlanRejected(run=house.run)


# -- once


async def test_case_51_the_same_request_once_more_is_the_same_agent(staffed: House) -> None:
    first = await spawn(staffed, key="store")
    before = await snapshot(staffed)
    again = await spawn(staffed, key="store")
    assert (again["session"], again["etag"]) == (first["session"], first["etag"])
    assert (first["deduped"], again["deduped"]) == (False, True)
    assert await snapshot(staffed) == before
    assert (await refused(staffed, key="store", brief=BRIEF + "More.")).code == "request_id_conflict"


async def test_fault_o13_without_an_id_the_same_brief_is_the_same_agent_until_that_is_over(
    staffed: House,
) -> None:
    first = await spawn(staffed)
    assert (await spawn(staffed))["session"] == first["session"]

    def over(manifest: Manifest, now: str) -> None:
        manifest["agents"][1]["status"] = "failed"

    await staffed.runtime.services.runs.change(staffed.run, "test", "over", "", over)
    again = await spawn(staffed)
    assert (again["session"] != first["session"], again["attempt"]) == (True, 2)


async def test_two_calls_at_once_start_one(staffed: House) -> None:
    both = await asyncio.gather(spawn(staffed, key="k"), spawn(staffed, key="k"), return_exceptions=True)
    made = [one["session"] for one in both if isinstance(one, dict)]
    assert made and len(set(made)) == 1
    assert all(isinstance(one, dict | errors.SpawnInProgress) for one in both), both
    assert (await spawn(staffed, key="k"))["session"] == made[0]
    assert (await snapshot(staffed))["agents"] == 2


async def test_a_call_that_is_cancelled_goes_on_when_it_is_repeated(staffed: House) -> None:
    for turns in (1, 40, 200, 1000):
        call = asyncio.ensure_future(spawn(staffed, key="k"))
        for _ in range(turns):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
    made = await spawn(staffed, key="k")
    found = await snapshot(staffed)
    assert (found["agents"], found["chats"], found["lanes"]) == (2, 1, 1)
    assert (await staffed.manifest())["lineage"][0]["child"] == made["session"]


async def pending(house: House, age: timedelta) -> receipts.Receipt:
    """A request that somebody is at, begun so long ago."""
    services = house.runtime.services
    content = receipts.digest_of([house.run, "worker", None, None, BRIEF])
    at = services.sessions.now() - age
    receipt = await services.database.write(
        lambda db: receipts.reserve(db, house.run, "spawn", "k", content, session="ses_planned", now=at)
    )
    return receipt


async def test_case_52_what_another_call_is_at_is_not_begun_twice(staffed: House) -> None:
    receipt = await pending(staffed, timedelta(minutes=14))
    try:
        refusal = await refused(staffed, key="k")
        assert (refusal.code, refusal.retry) == ("spawn_in_progress", True)
        assert await staffed.runtime.services.run_spawning.reap() == []
    finally:
        receipts.end(receipt)


async def test_case_53_fault_o28_what_was_given_up_is_begun_anew_as_the_agent_it_was_to_be(
    staffed: House,
) -> None:
    receipt = await pending(staffed, timedelta(minutes=16))
    try:
        assert (await spawn(staffed, key="k"))["session"] == "ses_planned"
    finally:
        receipts.end(receipt)
    services = staffed.runtime.services
    found = await services.database.read(lambda db: receipts.get(db, staffed.run, "spawn", "k"))
    assert found is not None and found.created_at > receipt.created_at
    assert await services.run_spawning.reap() == []  # a completed one stays


@pytest.mark.parametrize("by_hand", [True, False])
async def test_case_53_fault_o28_a_request_that_was_given_up_is_let_go(staffed: House, by_hand: bool) -> None:
    receipts.end(await pending(staffed, timedelta(minutes=16)))
    if by_hand:
        await staffed.call("recover_stale_tasks")
    else:
        await staffed.runtime.services.run_sweeper.sweep_all()
    assert (await snapshot(staffed))["run_receipts"] == 0


# -- lineage


def manifest_with(*rows: tuple[str, str]) -> Manifest:
    return {
        "agents": [new_agent("ses_lead", "lead", "Lead", NOW)]
        + [new_agent(name, role, name, NOW) for name, role in rows],
        "lineage": [],
    }


@pytest.mark.parametrize(
    ("parent", "child"),
    [("ses_lead", "ses_x"), ("ses_x", "ses_a"), ("ses_a", "ses_b"), ("ses_a", "ses_lead")],
)
def test_case_64_an_edge_that_does_not_fit_is_none(parent: str, child: str) -> None:
    manifest = manifest_with(("ses_a", "worker"), ("ses_b", "validator"))
    with pytest.raises(lineage.EdgeError):
        lineage.add(manifest, parent=parent, child=child, brief_digest="", now=NOW)
    assert manifest["lineage"] == []


def test_an_edge_is_there_once_and_closed_once() -> None:
    manifest = manifest_with(("ses_a", "worker"))
    for _ in range(2):
        lineage.add(manifest, parent="ses_lead", child="ses_a", brief_digest="d", now=NOW)
    assert lineage.close(manifest, "ses_a", "completed", "Done.", NOW)
    assert not lineage.close(manifest, "ses_a", "failed", "Not done.", NOW)
    (edge,) = manifest["lineage"]
    assert (edge["status"], edge["resultSummary"], edge["endedAt"]) == ("completed", "Done.", NOW)


# -- cancelling


async def holding(house: House) -> dict[str, Any]:
    """An agent that holds a task."""
    made = await spawn(house)
    session = made["session"]

    def hold(manifest: Manifest, now: str) -> None:
        attempt = {"id": "a1", "sessionId": session, "startedAt": now, "endedAt": None, "outcome": None}
        attempt |= {"evidence": [], "failureReason": None}
        task = manifest["tasks"][0]
        task |= {"status": "claimed", "assigneeSessionId": session, "claimedAt": now}
        task |= {"attempts": [attempt], "currentAttemptId": "a1"}

    await house.runtime.services.runs.change(house.run, "test", "held", "", hold)
    return made


async def test_a_cancelled_agent_loses_what_it_holds_and_its_chat_ends(staffed: House) -> None:
    session = (await holding(staffed))["session"]
    services = staffed.runtime.services
    await services.deliveries.drain()
    sent = await staffed.call("message_agent", to=session, text="Not needed.", intent="cancel")
    assert sent["message"]["kind"] == "cancel_interrupt"
    manifest = await staffed.manifest()
    (task,), row = manifest["tasks"], manifest["agents"][1]
    assert (task["status"], task["attempts"][0]["outcome"]) == ("pending", "cancelled")
    assert (row["status"], row["cancellationRequested"]) == ("failed", True)
    assert manifest["lineage"][0]["resultSummary"] == "Cancelled: Not needed."
    await services.deliveries.drain()
    assert (await services.chats.find(session)).state == "ended"
    with pytest.raises(errors.RunAgentOver):
        await staffed.call("message_agent", to=session, text="Go on.")


@pytest.mark.parametrize("work", ["review", "revert"])
async def test_a_cancelled_run_ends_its_agents_and_tells_them_nothing_more(staffed: House, work: str) -> None:
    made = await holding(staffed)
    services = staffed.runtime.services
    await staffed.call("file.write", lane=made["lane"], path="new.py", content="new = 1\n")
    cancelled = await staffed.call("cancel", reason="not needed", work=work)
    assert cancelled["state"] == "cancelled"
    brief, end = await entries(services, staffed.run)
    assert (brief.kind, brief.state, end.kind) == ("brief", "failed", "cancel_interrupt")
    record: SessionRecord = await services.sessions.find(made["session"])
    assert record.state(services.clock.now()) == "ended"
    await services.deliveries.drain()
    assert (await services.chats.find(made["session"])).state == "ended"
    assert await queued(services, made["session"]) == []
    lanes = await staffed.call("lane.list")
    assert (made["lane"] in [one["id"] for one in lanes["items"]]) == (work == "review")
    trash = await staffed.call("lane.list", deleted=True)
    assert trash["total"] == (work == "revert")
    assert (await refused(staffed)).code == "run_over"


async def test_members_are_listed_with_what_they_used(staffed: House) -> None:
    made = await spawn(staffed, tag="backend")
    await promise(staffed.runtime.services, staffed.run, made["session"], "More.")
    lead, worker = (await staffed.call("agents"))["items"]
    assert (lead["role"], lead["chat"]) == ("lead", None)
    assert (worker["status"], worker["lane"], worker["waiting"]) == ("pending", made["lane_name"], 2)
    assert worker["usage"]["tokens"] == 0
