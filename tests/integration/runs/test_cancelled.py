"""A run is cancelled whole: with its question and its sessions, and its lanes may go later."""

from __future__ import annotations

from pathlib import Path

from tests.integration.runs.conftest import House
from tests.integration.runs.staff import approve, install, spawn


async def test_its_question_and_the_session_that_leads_it_end_with_it(house: House) -> None:
    services = house.runtime.services
    await house.complete()
    asked = await house.call("request_plan_approval", wait=0)
    await services.runs.cancel(house.run, "test", None)
    assert (await services.questions.find(asked["question"])).state == "withdrawn"
    lead = await services.sessions.find(asked["lead"])
    assert lead.state(services.clock.now()) == "ended"


async def test_its_lanes_may_go_later(house: House, tmp_path: Path) -> None:
    install(house, tmp_path / "programs")
    await approve(house)
    made = await spawn(house)
    await house.call("cancel")
    assert made["lane"] in await lanes(house)
    for _ in range(2):
        assert (await house.call("cancel", work="revert"))["state"] == "cancelled"
        assert made["lane"] not in await lanes(house)


async def lanes(house: House) -> list[str]:
    return [one["id"] for one in (await house.call("lane.list"))["items"]]
