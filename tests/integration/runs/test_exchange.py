"""A run that is written to a file and put there elsewhere, to be read and no more."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.runs import bundle
from tests.integration.runs.conftest import House
from tests.integration.runs.test_planning import refused
from tests.support.killing import Killer


async def forget(house: House) -> None:
    """What another machine is like: no run, and no folder of one."""
    await house.call("project.remove", project=str(house.project))
    await house.call("project.add", path=str(house.project))
    folder = house.project / ".ade" / "runs" / house.run
    folder.rename(house.project.parent / "elsewhere")


async def test_a_run_is_read_elsewhere_as_it_was(house: House, tmp_path: Path) -> None:
    await house.complete()
    file = tmp_path / "run.zip"
    artifact = house.project / ".ade" / "runs" / house.run / "artifacts" / "log.txt"
    artifact.parent.mkdir(exist_ok=True)
    artifact.write_text("all green\n")
    written = await house.call("export", path=str(file))
    assert (written["path"], written["size"]) == (str(file), file.stat().st_size)
    before, shown = await house.manifest(), await house.call("show")
    told = await house.call("history")
    await forget(house)
    got = await house.call("run.import", path=str(file))
    assert (got["id"], got["state"], got["stage"]) == (house.run, "imported", shown["stage"])
    assert got["plan_sha256"] == shown["plan_sha256"]
    assert await house.call("history") == told
    moved = {"laneId": got["lane"], "bundlePath": got["bundle"]}
    assert await house.manifest() == before | moved
    assert (Path(got["bundle"]) / "artifacts" / "log.txt").read_text() == "all green\n"
    assert [one["id"] for one in (await house.call("list"))["items"]] == [house.run]


async def test_nobody_changes_it_and_nothing_it_says_is_believed(house: House, tmp_path: Path) -> None:
    await house.complete()
    await house.call("request_plan_approval", wait=0)
    await house.call("approve", sha256=(await house.call("show"))["plan_sha256"])
    file = tmp_path / "run.zip"
    await house.call("export", path=str(file))
    await forget(house)
    await house.call("run.import", path=str(file))
    await refused("run_over", house.call("plan_append", text="More."))
    await refused("run_over", house.patch(("replace", "/title", {"text": "Other"})))
    await refused("run_over", house.call("cancel"))


async def test_a_second_import_changes_nothing(house: House, tmp_path: Path) -> None:
    file = tmp_path / "run.zip"
    await house.call("export", path=str(file))
    before = await house.manifest()
    await refused("run_exists", house.call("run.import", path=str(file)))
    assert await house.manifest() == before
    folder = house.project / ".ade" / "runs"
    assert [one.name for one in folder.iterdir()] == [house.run], "no draft is left"


async def test_a_folder_that_is_there_is_left_alone(house: House, tmp_path: Path) -> None:
    file = tmp_path / "run.zip"
    await house.call("export", path=str(file))
    await forget(house)
    mine = house.project / ".ade" / "runs" / house.run / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    await refused("run_bundle_exists", house.call("run.import", path=str(file)))
    assert [one.name for one in mine.parent.parent.iterdir()] == [house.run]
    assert mine.read_text() == "mine"
    await refused("run_not_found", house.call("show"))


async def test_a_session_stays_in_its_lane(house: House, tmp_path: Path) -> None:
    token = await house.token_of_lead()
    for name, extra in (("export", {}), ("run.import", {})):
        for path in (str(tmp_path / "run.zip"), "../run.zip", ".git/run.zip"):
            with pytest.raises(Exception) as caught:
                await house.call(name, token=token, path=path, **extra)
            assert getattr(caught.value, "code", None) in ("path_outside_lane", "run_bundle_unusable")
    assert not (tmp_path / "run.zip").exists()


async def test_a_file_that_says_something_else_is_refused_whole(house: House, tmp_path: Path) -> None:
    file = tmp_path / "run.zip"
    await house.call("export", path=str(file))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("artifacts/added.sh", "rm -rf /")
    await forget(house)
    problem = await refused("run_bundle_unusable", house.call("run.import", path=str(file)))
    assert "artifacts/added.sh" in problem.message
    await refused("run_not_found", house.call("show"))
    assert list((house.project / ".ade" / "runs").iterdir()) == []


async def test_killed_at_any_step_it_is_there_whole_once_the_call_is_repeated(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "run.zip"
    await house.call("export", path=str(file))
    home = house.runtime.services.paths.home
    env = {name: os.environ[name] for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")}
    folder = bundle.folder_of(house.project, house.run)

    with Killer() as killer:

        async def attempt(fatal: int | None) -> dict[str, Any]:
            await house.call("project.remove", project=str(house.project))
            await house.call("project.add", path=str(house.project))
            shutil.rmtree(folder, ignore_errors=True)
            arguments = {"path": str(file)}
            return killer.perform(
                home, house.project, env, "run.import", arguments, request_id=f"r{fatal}", fatal=fatal
            )

        steps = (await attempt(None))["steps"]
        assert steps, "nothing was done"
        for number, step in enumerate(steps, 1):
            killed = await attempt(number)
            assert killed["killed"], step
            house.runtime.services.temporary.sweep()
            got = await house.runtime.call(
                "run.import", {"path": str(file)}, cwd=house.project, request_id=f"r{number}"
            )
            assert got["state"] == "imported", step
            assert [one.name for one in folder.parent.iterdir()] == [house.run], step
            assert (await house.call("plan"))["sha256"] == got["plan_sha256"], step
