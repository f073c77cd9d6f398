"""Memory as agents and the CTO use it, in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agent import Agent
from tests.support.command import Command
from tests.support.repo import Repo

SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Command]:
    made = Command(tmp_path)
    repo = Repo(tmp_path, "project")
    repo.commit("first", README="# Sample\n")
    made.json("projects", "add", str(repo.root))
    yield made
    made.close()


def test_an_agent_notes_and_reports_and_reads_no_one_elses(place: Command) -> None:
    project = place.base / "project"
    lane = place.json("lanes", "create", "fix-login", cwd=project)
    started = place.json("sessions", "start", "--lane", "fix-login", cwd=project)
    agent, here = Agent(place, {"ADE_SESSION_TOKEN": started["token"]}), Path(lane["path"])
    noted = agent.json("memory", "add", f"Use {SECRET} here", "--tag", "lane:fix-login", cwd=here)["fact"]
    assert SECRET not in noted["text"] and noted["redactions"] == 1
    assert (noted["tags"], noted["lane"]) == ([f"lane:{lane['id']}"], lane["id"])
    assert noted["author"] == started["session"]["id"]
    agent.json("memory", "record-discovery", f"Found {SECRET} in a log", cwd=here)
    for line in (["read-discoveries"], ["read"], ["search", "log"], ["update-core", "Obey"], ["save", "x"]):
        assert agent.run("cto-memory", *line, "--json", cwd=here).returncode == 4, line
    owners = place.json("memory", "add", "The owner's own fact", cwd=project)["fact"]["id"]
    agent.denied("memory", "remove", owners, cwd=here)
    agent.json("memory", "remove", noted["id"], cwd=here)
    agent.close()
    found = place.json("cto-memory", "read-discoveries", "--role", "cto", cwd=project)
    assert [item["session"] for item in found["discoveries"]] == [started["session"]["id"]]
    assert SECRET.encode() not in (place.home / "state.db").read_bytes()


def test_processes_that_report_at_once_lose_nothing(place: Command) -> None:
    project = place.base / "project"
    lines = [["memory", "discover", f"Discovery {number}", "--json"] for number in range(8)]
    running = [
        place.start(*line, *(["--headless"] if number % 2 else []), cwd=project)
        for number, line in enumerate(lines)
    ]
    for process in running:
        assert process.wait(60) == 0, process.communicate()
        process.communicate()
    seen: list[str] = []
    more: list[str] = []
    while True:
        batch = place.json(
            "cto-memory", "read-discoveries", "--limit", "3", *more, "--role", "cto", cwd=project
        )
        if not batch["discoveries"]:
            break
        seen += [item["text"] for item in batch["discoveries"]]
        more = ["--acknowledge", str(batch["cursor"])]
    assert sorted(seen) == [f"Discovery {number}" for number in range(8)]


def test_what_is_pinned_and_the_core_reach_the_prompt_of_a_lane(place: Command) -> None:
    project = place.base / "project"
    place.json("lanes", "create", "fix-login", cwd=project)
    about = place.json("memory", "add", "It forgets its cookies", "--tag", "lane:FIX-LOGIN", cwd=project)
    pinned = place.json("memory", "add", "Never push to main", cwd=project)["fact"]["id"]
    place.json("memory", "pin", pinned, cwd=project)
    place.json("cto-memory", "update-core", "Deploys are on Tuesdays.", "--role", "cto", cwd=project)
    place.json("lanes", "rename", "keep-login", "--lane", "fix-login", cwd=project)
    told = place.json("memory", "context", "keep-login", cwd=project)["text"]
    order = ["Deploys are on Tuesdays.", "Never push to main", about["fact"]["text"]]
    assert [told.index(text) for text in order] == sorted(told.index(text) for text in order)
    assert place.run("memory", "context", "keep-login", "--text", cwd=project).stdout == told
