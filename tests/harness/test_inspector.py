"""MCP's own inspector at ADE's endpoint, in each era of the protocol: over standard input and output, and HTTP with a lease."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.contracts import Effect
from tests.harness.conftest import Place
from tests.support.programs import INSPECTOR, NODE, installed

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
LIMIT = 120
ERAS = ["legacy", "auto", "modern"]
PALETTE = [str(ACTIONS[action].tool) for action in TOOLSETS["base"].always]

CONNECT = ["--connect-timeout", "60000"]
"""Milliseconds; its own 15 seconds are too few where many programs start at once."""

TOOLS = {entry.tool: entry for entry in ACTIONS.values()}


class Inspector:
    """Its command line, with the Node.js it needs and a home of its own."""

    def __init__(self, program: Path, place: Place) -> None:
        self.node = program.with_name("node")
        self.program, self.place = program, place

    def run(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.node), str(self.program), "--cli", "--format", "json", "--quiet", *CONNECT, *argv],
            env=self.place.env | {"PATH": f"{self.node.parent}:{self.place.env['PATH']}"},
            cwd=self.place.lane,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )

    def ask(self, *argv: str) -> Any:
        """The result of a method that must work."""
        done = self.run(*argv)
        assert done.returncode == 0, done.stderr + done.stdout
        answer = json.loads(done.stdout)
        return answer.get("result", answer)


@pytest.fixture
def inspector(place: Place) -> Inspector:
    return Inspector(installed(INSPECTOR, "mcp-inspector", NODE), place)


@pytest.fixture(params=["stdio", "http"])
def way(request: pytest.FixtureRequest, place: Place) -> list[str]:
    """What tells the inspector where the server is."""
    if request.param == "stdio":
        ours = [f"{name}={value}" for name, value in place.env.items() if name.startswith(("ADE_", "GIT_"))]
        return [
            *(word for one in ours for word in ("-e", one)),
            "--cwd",
            str(place.lane),
            str(place.ade.program),
            "mcp",
        ]
    session = place.ade.json("sessions", "start", cwd=place.repo.root)["session"]["id"]
    return leased(place, session)


def leased(place: Place, session: str) -> list[str]:
    given = place.ade.json("mcp", "lease", session, cwd=place.repo.root)
    return [
        "--server-url",
        given["lease"]["url"],
        "--transport",
        "http",
        "--header",
        f"Authorization: Bearer {given['token']}",
    ]


@pytest.mark.parametrize("era", ERAS)
def test_it_lists_the_palette_and_finds_no_fault(inspector: Inspector, way: list[str], era: str) -> None:
    listed = inspector.ask(*way, "--protocol-era", era, "--method", "tools/list", "--strict")
    names = {tool["name"] for tool in listed["tools"]}
    assert names >= set(PALETTE)
    assert all(name in TOOLS for name in names)
    resources = inspector.ask(*way, "--protocol-era", era, "--method", "resources/list")["resources"]
    assert any(one["uri"].startswith("ade://lane/") for one in resources)


def test_it_calls_every_reading_tool_of_the_palette(inspector: Inspector, way: list[str]) -> None:
    given = {"actions_search": {"query": "commit"}, "actions_describe": {"action": "lane.list"}}
    called = []
    for tool in PALETTE:
        if TOOLS[tool].effect is not Effect.READ:
            continue
        arguments = ["--tool-name", tool, "--tool-args-json", json.dumps(given.get(tool, {}))]
        done = inspector.run(*way, "--method", "tools/call", *arguments)
        assert done.stdout, f"{tool}: exit code {done.returncode}, {done.stderr}"
        answer = json.loads(done.stdout)
        answer = answer.get("result", answer)
        assert json.loads(answer["content"][0]["text"]), tool
        called.append(tool)
    assert len(called) >= 3


def test_it_makes_a_lane_and_is_told_what_it_may_not(inspector: Inspector, way: list[str]) -> None:
    make = ["--method", "tools/call", "--tool-name", "create_lane", "--tool-args-json", '{"name": "seen"}']
    made = inspector.ask(*way, *make)
    assert json.loads(made["content"][0]["text"])["name"] == "seen"
    again = inspector.run(*way, *make)
    assert "lane_name_taken" in again.stdout + again.stderr
    names = [
        lane["name"] for lane in inspector.place.ade.json("lanes", "list", cwd=inspector.place.lane)["items"]
    ]
    assert names.count("seen") == 1


def test_without_the_right_token_it_gets_nothing(inspector: Inspector, place: Place) -> None:
    sessions = [place.ade.json("sessions", "start", cwd=place.repo.root)["session"]["id"] for _ in range(2)]
    own, other = (leased(place, session) for session in sessions)
    for argv in ([*own[:4]], [*own[:5], other[5]], [*own[:5], "Authorization: Bearer adels_wrong"]):
        done = inspector.run(*argv, "--stored-auth-only", "--method", "tools/list")
        assert done.returncode != 0
        assert "create_lane" not in done.stdout + done.stderr
    place.ade.json("sessions", "end", sessions[0], cwd=place.repo.root)
    assert inspector.run(*own, "--stored-auth-only", "--method", "tools/list").returncode != 0
