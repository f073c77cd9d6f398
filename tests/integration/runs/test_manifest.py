"""Changes of a manifest: one at a time, whole or not at all, and by whom."""

from __future__ import annotations

import asyncio
import itertools
import time

from sqlalchemy import event as sql_events

from ade_runtime.client.in_process import Runtime
from ade_runtime.runs.document import Manifest, new_task
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused


async def test_case_2_a_patch_of_another_state_changes_nothing_and_gives_the_state_back(house: House) -> None:
    operations = [{"op": "replace", "path": "/title", "text": "Sign in"}]
    problem = await refused(
        "etag_conflict", house.call("manifest_patch", etag="etg_old", operations=operations)
    )
    manifest = await house.manifest()
    assert problem.details["manifest"] == manifest
    assert manifest["title"] == "Login"


async def test_case_3_every_change_has_an_etag_a_number_and_a_row_of_history(house: House) -> None:
    seen = [(await house.call("show"))["etag"]]
    for number in range(5):
        seen.append((await house.patch(("replace", "/title", {"text": f"T{number}"})))["etag"])
    assert len(set(seen)) == 6
    history = await house.history()
    assert [one.generation for one in history] == [6, 5, 4, 3, 2, 1]
    assert [one.etag for one in reversed(history)] == seen
    told = await house.call("history", limit=2)
    assert [one["kind"] for one in told["items"]] == ["patched", "patched"]
    assert (told["total"], told["next"]) == (6, "5")


async def test_of_many_patches_of_one_state_one_is_made(house: House) -> None:
    etag = (await house.manifest())["etag"]
    calls = [
        house.call(
            "manifest_patch", etag=etag, operations=[{"op": "replace", "path": "/title", "text": str(n)}]
        )
        for n in range(20)
    ]
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, dict) for one in found) == 1
    assert len(await house.history()) == 2


async def test_a_refused_operation_takes_the_others_with_it(house: House) -> None:
    await refused(
        "policy_denied",
        house.patch(("replace", "/title", {"text": "x"}), ("replace", "/leadState", {"object": {}})),
    )
    task = {"object": {"id": "T-1", "title": "x"}}
    problem = await refused("run_invalid", house.patch(("add", "/tasks/-", task), ("add", "/tasks/-", task)))
    assert "T-1" in problem.message
    manifest = await house.manifest()
    assert (manifest["title"], manifest["tasks"]) == ("Login", [])


async def test_what_is_not_the_runs_own_manifest_suspends_it(house: House) -> None:
    foreign = await house.manifest() | {"runId": "run_other"}
    await house.store_raw(foreign)
    problem = await refused("run_suspended", house.call("choose_finishing_mode", mode="pr"))
    assert "run_other" in problem.message
    assert len(await house.history()) == 1


async def test_case_10_every_run_of_the_store_is_listed_whatever_became_of_another(house: House) -> None:
    """There is no index beside the runs that could be lost: a list reads their rows, and no manifest."""
    broken, sound = house.run, (await house.call("create", title="Other", goal="Something else."))["id"]
    await house.store_raw(await house.manifest() | {"runId": "run_other"})
    assert {one["id"] for one in (await house.call("list"))["items"]} == {broken, sound}
    assert (await house.call("show", run=sound))["state"] == "active"
    await refused("run_suspended", house.call("show"))
    for damaged in ("{", "[]", "5"):
        await house.store_text(damaged)
        await refused("run_suspended", house.call("show"))
        await refused("run_suspended", house.call("tasks"))
    services = house.runtime.services
    async with Runtime.open(services.paths.home) as again:
        listed = await again.call("run.list", {}, project=house.project)
    assert {one["id"] for one in listed["items"]} == {broken, sound}


async def test_fault_o23_a_worker_is_no_lead_whatever_it_calls(house: House) -> None:
    worker, validator = await house.join("worker"), await house.join("validator")
    plan = (await house.call("plan"))["sha256"]
    for token in (worker, validator):
        for name, arguments in (
            ("request_plan_approval", {"wait": 0}),
            ("plan_write", {"text": "x", "replaces": plan}),
            ("recover_stale_tasks", {}),
        ):
            await refused("unknown_action", house.call(name, token=token, **arguments))
        await refused("policy_denied", house.patch(("replace", "/title", {"text": "x"}), token=token))
        await house.call("plan_append", text="x", token=token)
        assert (await house.call("plan"))["sha256"] == plan, "what it notes is beside the plan"
        await refused("policy_denied", house.call("cancel", token=token))
        await refused("policy_denied", house.call("create", title="Mine", goal="x", token=token))
        assert (await house.call("show", token=token))["id"] == house.run


async def test_the_lead_leads_and_neither_answers_nor_approves_itself(house: House) -> None:
    await house.complete()
    lead = await house.token_of_lead()
    await house.call("request_plan_approval", wait=0, token=lead)
    await refused("policy_denied", house.call("approve", token=lead))
    await refused("policy_denied", house.call("answer", answer=["Approve"], token=lead))
    question = (await house.call("show"))["question"]
    await refused(
        "policy_denied", house.call("user.respond", question=question, answer="Approve", token=lead)
    )
    assert (await house.call("show"))["approval"] == "pending"


async def test_a_stranger_of_the_project_approves_nothing(house: House) -> None:
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    stranger = (await house.call("session.start", role="agent"))["token"]
    await refused("policy_denied", house.call("approve", token=stranger))
    await house.call("user.respond", question=asked["question"], answer="Approve", token=stranger)
    await refused("plan_rejected", house.call("request_plan_approval", wait=0))
    assert (await house.call("show"))["phase"] == "planning"


async def test_the_lead_of_one_run_is_nobody_in_another(house: House) -> None:
    lead = await house.token_of_lead()
    other = (await house.runtime.call("run.create", {"title": "B", "goal": "b"}, project=house.project))["id"]
    await refused("policy_denied", house.call("plan_append", text="x", run=other, token=lead))
    await refused("policy_denied", house.call("cancel", run=other, token=lead))


async def test_a_cancelled_run_is_over_and_its_question_withdrawn(house: House) -> None:
    await house.take_in()
    asked = await house.call("ask_planning_round", kind="functional", question="What?", wait=0)
    lead = await house.token_of_lead()
    done = await house.call("cancel", reason="not needed")
    assert (done["state"], done["question"]) == ("cancelled", None)
    assert (await house.call("user.wait", question=asked["question"], seconds=0))["state"] == "withdrawn"
    await refused("run_over", house.call("choose_finishing_mode", mode="pr"))
    await refused("run_over", house.call("plan_append", text="x"))
    await refused("nothing_asked", house.call("answer", answer=["x"]))
    await refused("policy_denied", house.call("show", token=lead))
    assert (await house.call("list"))["total"] == 0
    assert (await house.call("list", all=True))["items"][0]["state"] == "cancelled"


async def test_a_patch_of_a_large_manifest_costs_the_same_however_long_its_history(house: House) -> None:
    """2,000 tasks and 2 MB: as many statements after a dozen changes as after the first, and no row of history read."""

    def fill(manifest: Manifest, now: str) -> None:
        for number in range(2000):
            row = {"id": f"N{number}", "title": f"Task {number}", **new_task()}
            manifest["tasks"].append(row | {"description": "x" * 500})

    await house.runtime.services.runs.change(house.run, "test", "filled", "", fill)
    statements: list[str] = []
    priorities = itertools.count(1)

    def note(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    database = house.runtime.services.database
    engine = await database.read(lambda db: db.engine)
    sql_events.listen(engine, "before_cursor_execute", note)

    async def one() -> tuple[int, float]:
        statements.clear()
        began, priority = time.perf_counter(), next(priorities)
        await house.runtime.services.runs.change(
            house.run, "test", "t", "", lambda manifest, now: manifest["tasks"][7].update(priority=priority)
        )
        assert not [text for text in statements if "FROM run_history" in text]
        return len(statements), time.perf_counter() - began

    first, _ = await one()
    for _ in range(12):
        last, seconds = await one()
    assert first == last
    assert seconds < 5
