"""``ade mcp``: the installed command as a client starts it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.support.command import Command, command

pytestmark = pytest.mark.timeout(180)
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as place:
        project = tmp_path / "project"
        project.mkdir()
        for argv in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run(["git", *argv], cwd=project, env=place.env, check=True)
        place.json("project", "add", str(project))
        yield place


def parameters(ade: Command, *argv: str, **env: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=str(ade.program), args=["mcp", *argv], env=ade.env | env, cwd=ade.base / "project"
    )


class Wire:
    """Lines to and from a running ``ade mcp``."""

    def __init__(self, ade: Command, *argv: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [str(ade.program), "mcp", *argv],
            env=ade.env | env,
            cwd=ade.base / "project",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, document: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(document).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, identifier: int, method: str, params: dict[str, Any] | None = None) -> Any:
        self.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params or {}})
        return self.answer(identifier)

    def answer(self, identifier: int | None) -> Any:
        assert self.process.stdout is not None
        while True:
            document = json.loads(self.process.stdout.readline())
            if document.get("id") == identifier:
                return document

    def open(self) -> None:
        assert "result" in self.ask(1, "initialize", INITIALIZE)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy", "auto"])
async def test_a_client_lists_and_calls(ade: Command, mode: str) -> None:
    async with Client(parameters(ade), mode=mode) as client:
        assert (await client.list_tools()).tools[0].name == "actions_search"
        made = await client.call_tool("create_lane", {"name": "over stdio"})
        assert json.loads(made.content[0].text)["name"] == "over stdio"
        assert (await client.list_resources()).resources
    names = [lane["name"] for lane in ade.json("lanes", "list", cwd=ade.base / "project")["items"]]
    assert "over stdio" in names
