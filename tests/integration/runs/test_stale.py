"""Signs of life, and what becomes of what nobody works at any more. Time is set, not waited for."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from ade_runtime.runs import heartbeats
from ade_runtime.services import Services, Settings
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused


class Watch:
    """Moves the wall clock of a house's runtime."""

    def __init__(self, house: House) -> None:
        self.ahead = timedelta(0)
        self._house = house
        house.monkeypatch.setattr(
            house.runtime.services.clock, "now", lambda: datetime.now(UTC) + self.ahead, raising=False
        )

    def pass_by(self, **time: float) -> None:
        self.ahead += timedelta(**time)


@pytest.fixture
def watch(house: House) -> Watch:
    return Watch(house)


async def beats(house: House) -> dict[str, heartbeats.Beat]:
    return await house.runtime.services.database.read(lambda db: heartbeats.of_run(db, house.run))


async def session_of(house: House, role: str) -> str:
    return str(next(one["sessionId"] for one in (await house.manifest())["agents"] if one["role"] == role))


async def sweep(house: House) -> int:
    return await house.runtime.services.run_sweeper.sweep_all()


async def test_case_12_a_call_is_a_sign_of_life_kept_beside_the_manifest_once_in_half_a_minute(
    house: House, watch: Watch
) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    before = await house.manifest()
    await house.call("show", token=worker)
    session = await session_of(house, "worker")
    first = (await beats(house))[session]
    watch.pass_by(seconds=20)
    await house.call("show", token=worker)
    assert (await beats(house))[session] == first
    watch.pass_by(seconds=11)
    await house.call("show", token=worker)
    assert (await beats(house))[session].at > first.at + timedelta(seconds=30)
    assert await house.manifest() == before


async def test_the_database_holds_to_half_a_minute_whichever_process_writes(house: House) -> None:
    await house.develop()
    services = house.runtime.services
    now = services.sessions.now()
    for wait, kept in ((0, True), (29, False), (30, True)):
        at = now + timedelta(seconds=wait)
        assert (
            await services.database.write(lambda db, at=at: heartbeats.beat(db, house.run, "ses_x", at))
            is kept
        )


async def test_case_5_a_suspended_run_has_no_signs_of_life(house: House, watch: Watch) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    foreign = await house.manifest() | {"runId": "run_of_another"}
    await house.store_raw(foreign)
    await refused("run_suspended", house.call("claim_task", task="T-1", token=worker))
    assert await beats(house) == {}
    assert await sweep(house) == 0


async def test_fault_o17_an_expired_claim_waits_again_and_a_lived_one_stays(
    house: House, watch: Watch
) -> None:
    await house.develop()
    one, other = await house.enlist("worker"), await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=one)
    await house.call("claim_task", task="T-2", token=other)
    etag = (await house.manifest())["etag"]
    watch.pass_by(minutes=20)
    await house.call("show", token=other)
    assert (await house.manifest())["etag"] == etag
    ends = [one["claimLeaseUntil"] for one in (await house.call("tasks"))["items"]]
    assert ends[1] > ends[0], "what is shown is until when it is held by its holder's last sign of life"
    watch.pass_by(minutes=11)
    assert await sweep(house) == 1
    first, second = (await house.manifest())["tasks"]
    assert (first["status"], first["attempts"][0]["outcome"]) == ("pending", "interrupted")
    assert second["status"] == "claimed"
    assert [text for text in await house.told("lead_status") if "T-1" in text]
    await house.call("claim_task", task="T-1", token=other)


async def test_case_49_one_silence_is_told_of_once_and_a_new_one_again(house: House, watch: Watch) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    session = await session_of(house, "worker")
    await house.call("show", token=worker)

    async def told() -> int:
        return len([text for text in await house.told("lead_status") if f"{session} has been silent" in text])

    async def stalled() -> bool:
        return bool(
            next(one["stalled"] for one in (await house.manifest())["agents"] if one["role"] == "worker")
        )

    watch.pass_by(minutes=10, seconds=2)
    await sweep(house)
    assert (await told(), await stalled()) == (1, True)
    etag = (await house.manifest())["etag"]
    watch.pass_by(minutes=10)
    assert await sweep(house) == 0
    assert (await told(), (await house.manifest())["etag"]) == (1, etag)
    await house.call("show", token=worker)
    await sweep(house)
    assert (await told(), await stalled()) == (1, False)
    watch.pass_by(minutes=11)
    await sweep(house)
    assert (await told(), await stalled()) == (2, True)


async def test_the_end_of_a_session_is_noticed(house: House) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    session = await session_of(house, "worker")
    await house.call("claim_task", task="T-1", token=worker)
    await house.call("session.end", session=session)
    found = await house.call("recover_stale_tasks")
    assert (found["ended"], [one["task"] for one in found["items"]]) == ([session], ["T-1"])
    manifest = await house.manifest()
    assert manifest["lineage"][0]["status"] == "failed"
    again = await house.call("recover_stale_tasks")
    assert (again["items"], again["etag"]) == ([], found["etag"])


async def test_the_lead_takes_a_task_back_by_hand(house: House) -> None:
    await house.develop()
    worker, lead = await house.enlist("worker"), await house.token_of_lead()
    await house.call("claim_task", task="T-1", token=worker)
    found = await house.call("recover_stale_tasks", tasks=["T-1"], token=lead)
    assert [one["task"] for one in found["items"]] == ["T-1"]
    await refused(
        "task_not_held", house.call("release_task", task="T-1", status="done", summary="x", token=worker)
    )


async def test_trouble_with_one_run_keeps_no_other_from_being_swept(house: House, watch: Watch) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=worker)
    broken = await house.call("create", title="Other", goal="Other")
    own, house.run = house.run, broken["id"]
    await house.store_raw(await house.manifest() | {"runId": "run_of_another"})
    house.run = own
    watch.pass_by(minutes=31)
    assert await sweep(house) == 1
    assert (await house.manifest())["tasks"][0]["status"] == "pending"


async def test_a_runtime_sweeps_when_it_starts(house: House) -> None:
    await house.develop()
    worker = await house.enlist("worker")
    await house.call("claim_task", task="T-1", token=worker)
    await house.call("session.end", session=await session_of(house, "worker"))
    services = Services(house.runtime.services.paths, Settings(listening=True))
    try:
        services.run_sweeper.start()
        async with asyncio.timeout(30):
            while (await house.manifest())["tasks"][0]["status"] != "pending":  # noqa: ASYNC110
                await asyncio.sleep(0)
    finally:
        await services.close()
