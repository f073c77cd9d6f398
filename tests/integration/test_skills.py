"""Skills from end to end: the environment of an agent and the list it is told are the same."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.pipeline.call import Caller, Identity
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        await work.call("project.add", path=str(work.main.root))
        yield work


def write(folder: Path, name: str, text: str | None = None) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(text or f"---\nname: {name}\ndescription: x\n---\nBody\n")


async def test_fault_44_prompt_environment_and_list_have_the_same_roots(work: Work) -> None:
    lane = await work.lane("fix")
    write(lane.root / ".agents/skills", "near")
    write(work.main.root / ".claude/skills", "far")
    write(Path(work.main.env["HOME"]) / ".codex/skills", "own")
    told = await work.call("skill.roots", lane="fix")
    started = await work.call("session.start", lane="fix")
    assert started["environment"]["ADE_AGENT_SKILLS_DIRS"] == told["variable"]
    assert told["variable"].split(":") == [item["path"] for item in told["items"]]
    work.main.env["ADE_AGENT_SKILLS_DIRS"] = told["variable"]
    inside = await work.call("skill.roots", cwd=lane.root)
    assert [item["path"] for item in inside["items"]] == [item["path"] for item in told["items"]]


async def test_ades_own_skills_are_there_and_can_be_read(work: Work) -> None:
    listed = await work.call("skill.list", state="ok")
    own = [item["name"] for item in listed["items"] if item["origin"] in ("packaged", "source")]
    assert {"ade-control-plane", "ade-lanes-and-git", "ade-deeplinks", "ade-proof"} <= set(own)
    for name in own:
        shown = await work.call("skill.show", name=name)
        assert "Made from specs/skills/" in shown["content"]


async def test_a_faulty_skill_is_shown_with_what_is_wrong(work: Work) -> None:
    write(work.main.root / ".claude/skills", "broken", "no head\n")
    listed = await work.call("skill.list", state="faulty")
    assert [(item["name"], item["state"]) for item in listed["items"]] == [("broken", "faulty")]
    assert "does not begin with a head" in listed["items"][0]["problems"][0]
    assert (await work.call("skill.show", name="broken"))["content"] == "no head\n"


async def test_a_session_installs_into_its_own_lane_only(work: Work) -> None:
    await work.lane("mine")
    await work.lane("other")
    mine = await work.call("lane.show", lane="mine")
    [project] = await work.runtime.services.projects.all()
    who = Identity("agent", "session:ses_x", 0, session="ses_x", project=project.id, lane=mine["id"])
    caller = Caller("socket", cwd=mine["path"], env=work.main.env)

    async def call(**arguments: Any) -> Any:
        pipeline = work.runtime.services.pipeline
        return json.loads(await pipeline.call("skill.install", arguments, identity=who, caller=caller))

    assert (await call())["folder"] == f"{mine['path']}/.claude/skills"
    assert (await call(lane="mine", reader="codex"))["folder"] == f"{mine['path']}/.codex/skills"
    for more in ({"lane": "other"}, {"lane": "primary"}, {"place": "home"}):
        with pytest.raises(errors.PolicyDenied):
            await call(**more)


async def test_the_owner_installs_at_home_without_a_project(work: Work, tmp_path: Path) -> None:
    done = await work.call("skill.install", cwd=tmp_path, place="home", names=["ade-proof"])
    assert done["done"] == ["ade-proof"]
    listed = await work.call("skill.list", cwd=tmp_path)
    mine = [(item["name"], item["state"]) for item in listed["items"] if item["origin"] == "home"]
    assert mine == [("ade-proof", "ok")]
    gone = await work.call("skill.uninstall", cwd=tmp_path, place="home")
    assert gone["done"] == ["ade-proof"]
