"""What is kept of manifests between changes is never believed over the database, and lets nothing wrong through."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from ade_generated.errors import RunInvalid
from ade_runtime.client.in_process import Runtime
from ade_runtime.runs import kept, store
from ade_runtime.runs.document import Manifest
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused

TASK = {"object": {"id": "T-1", "title": "Store passkeys"}}


async def changed(house: House, title: str) -> str:
    """The etag after a change by whoever has a runtime of this ADE_HOME."""
    return str((await house.patch(("replace", "/title", {"text": title})))["etag"])


async def test_what_another_process_has_changed_is_seen(house: House) -> None:
    first = await changed(house, "Here")
    async with Runtime.open(house.runtime.services.paths.home) as other:
        operations = [{"op": "add", "path": "/tasks/-", **TASK}]
        arguments = {"run": house.run, "etag": first, "operations": operations}
        await other.call("run.manifest_patch", arguments, project=house.project)
    await refused("etag_conflict", house.call("manifest_patch", etag=first, operations=operations))
    await changed(house, "Here again")
    manifest = await house.manifest()
    assert (manifest["title"], [one["id"] for one in manifest["tasks"]]) == ("Here again", ["T-1"])


async def test_a_change_that_fails_leaves_nothing_behind(house: House) -> None:
    await house.patch(("add", "/tasks/-", TASK))
    before = await house.manifest()

    def fails(manifest: Manifest, now: str) -> None:
        manifest["title"] = "Never"
        manifest["tasks"].clear()
        raise RuntimeError("no")

    runs = house.runtime.services.runs
    with pytest.raises(RuntimeError):
        await runs.change(house.run, "test", "broken", "x", fails)
    assert await house.manifest() == before
    await changed(house, "After")
    assert (await house.manifest())["tasks"] == before["tasks"]


async def test_a_transaction_that_is_rolled_back_is_forgotten(house: House) -> None:
    await changed(house, "First")
    runs = house.runtime.services.runs

    def renamed(manifest: Manifest, now: str) -> None:
        manifest["title"] = "Never"

    def write(db: Connection) -> None:
        runs.change_in(db, house.run, "test", "renamed", "x", renamed)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await house.runtime.services.database.write(write)
    await runs.change(house.run, "test", "looked", "x", lambda manifest, now: None)
    assert (await house.manifest())["title"] == "First"


async def test_what_a_change_gives_is_no_part_of_what_is_kept(house: House) -> None:
    await house.patch(("add", "/tasks/-", TASK))
    runs = house.runtime.services.runs
    given = await runs.change(house.run, "test", "looked", "x", lambda manifest, now: manifest["tasks"])
    given[0]["title"] = "Changed by whoever got it"
    await runs.change(house.run, "test", "looked", "x", lambda manifest, now: None)
    assert (await house.manifest())["tasks"][0]["title"] == "Store passkeys"


@pytest.mark.parametrize(
    "wrong", [{"title": 5}, {"status": "elsewhere"}, {"id": None}, {"blockedBy": ["T-9"]}, {"extra": 1}]
)
async def test_a_task_that_becomes_wrong_is_found_among_many_that_are_right(
    house: House, wrong: dict[str, object]
) -> None:
    await house.patch(
        *(("add", "/tasks/-", {"object": {"id": f"T-{n}", "title": "A part"}}) for n in range(5))
    )
    await changed(house, "Kept")

    def spoilt(manifest: Manifest, now: str) -> None:
        manifest["tasks"][3].update(wrong)

    with pytest.raises(RunInvalid):
        await house.runtime.services.runs.change(house.run, "test", "spoilt", "x", spoilt)
    assert (await house.manifest())["tasks"][3]["title"] == "A part"


async def test_what_takes_too_much_room_goes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 1)
    await house.patch(("add", "/tasks/-", TASK))
    assert house.runtime.services.runs.kept.forget(house.run) is None
    await changed(house, "Still right")
    assert (await house.manifest())["tasks"][0]["id"] == "T-1"


async def test_a_change_that_took_nothing_takes_the_place_of_what_was_kept(house: House) -> None:
    await house.patch(("add", "/tasks/-", TASK))
    runs = house.runtime.services.runs

    def write(db: Connection) -> None:
        manifest = store.load(db, house.run)
        manifest["title"] = "Swept"
        runs.put(db, manifest, "test", "swept", "x", house.runtime.services.sessions.now())

    await house.runtime.services.database.write(write)
    await house.patch(("replace", "/goalSummary", {"text": "Soon"}))
    manifest = await house.manifest()
    assert (manifest["title"], manifest["goalSummary"]) == ("Swept", "Soon")
    assert runs.kept.forget(house.run) is not None
    assert runs.kept.size == 0
