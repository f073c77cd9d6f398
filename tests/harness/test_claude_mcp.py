"""The real Claude Code with ADE's tools over MCP: started as its own program, and over a lease. The model is scripted."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.model import Call, Model, Say
from tests.support.model.anthropic import results

pytestmark = [pytest.mark.harness, pytest.mark.timeout(300)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")

from ade_runtime.chat.providers.claude import bundled  # noqa: E402 - only where the library is

LIMIT = 240
CONNECT_MS = "60000"
"""Claude Code asks its model without the tools of a server that did not answer within so long; its own 5 seconds are soon over
on a machine that runs all of these tests."""


class Place:
    """A project with a running runtime."""

    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project

    def claude(self, model: Model, *argv: str, **env: str) -> None:
        """Claude Code, asked once, with a home of its own and these arguments."""
        program = bundled()
        if program is None:
            pytest.skip("the SDK brings no Claude Code for this machine")
        clean = {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "test",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "MCP_CONNECT_TIMEOUT_MS": CONNECT_MS,
        }
        done = subprocess.run(
            [str(program), "-p", "Make a lane", "--allowedTools", "mcp__ade", *argv],
            env=self.ade.env | clean | env,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        assert done.returncode == 0, done.stderr + done.stdout

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.ade.json("lanes", "list", cwd=self.project)["items"]]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with command(tmp_path) as ade:
        project = ade.make_project(tmp_path / "project")
        yield Place(ade, project)


def shown(model: Model) -> list[str]:
    """Names of ADE's tools that the model was given, without those it has to look for first."""
    return [name for name in model.tools() if name.startswith("mcp__ade__")]


def test_what_mcp_config_writes_gives_claude_ades_tools(place: Place) -> None:
    file = place.project / "claude.json"
    place.ade.json("mcp", "config", "claude", "--file", str(file), "--write", cwd=place.project)
    with Model(
        Call("create_lane", {"name": "from claude"}), Call("list_lanes", {"limit": 0}), Say("Made it.")
    ) as model:
        place.claude(model, "--mcp-config", str(file), "--strict-mcp-config")
        assert "mcp__ade__create_lane" in shown(model)
        assert "mcp__ade__actions_search" in shown(model)
        first, second = (results(request)[-1] for request in model.requests[1:3])
        assert json.loads(first)["name"] == "from claude"
        assert json.loads(second)["error"]["code"] == "invalid_arguments"
    assert "from claude" in place.lanes()


def test_a_lease_gives_claude_the_tools_of_its_session_and_no_more(place: Place) -> None:
    place.ade.json("lanes", "create", "fix", cwd=place.project)
    session = place.ade.json("sessions", "start", "--lane", "fix", cwd=place.project)["session"]["id"]
    given = place.ade.json("mcp", "lease", session, "--client", "claude", cwd=place.project)
    file = place.project / "claude.json"
    lease = given["lease"]["id"]
    place.ade.json(
        "mcp", "config", "claude", "--lease", lease, "--file", str(file), "--write", cwd=place.project
    )
    assert given["token"] not in file.read_text()
    other: dict[str, Any] = {"lane": "main", "message": "x", "allow_empty": True}
    with Model(
        Call("commit_changes", other), Call("commit_changes", {**other, "lane": "fix"}), Say("So.")
    ) as model:
        place.claude(model, "--mcp-config", str(file), "--strict-mcp-config", ADE_MCP_TOKEN=given["token"])
        assert not [name for name in shown(model) if "cto" in name]
        refused, done = (json.loads(results(request)[-1]) for request in model.requests[1:3])
        assert refused["error"]["code"] in ("policy_denied", "lane_not_found")
        assert done["commit"]
