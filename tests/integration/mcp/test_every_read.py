"""Every reading tool, listed and called by the package's own client: each revision over HTTP, and standard input and output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import Effect
from tests.integration.mcp.conftest import Desk, repository
from tests.support.command import command
from tests.support.mcp import http_client

pytestmark = pytest.mark.timeout(300)
STATELESS = "2026-07-28"


async def read_everything(client: Client) -> list[str]:
    """Call every tool that says it reads, as far as it needs no input; gives their names.

    The client holds the structured part of an answer to the tool's own output schema. An answer that is no success must be
    one of the errors that the action declares, or one that any action may give.
    """
    called = []
    for tool in (await client.list_tools()).tools:
        entry = next(entry for entry in ACTIONS.values() if entry.tool == tool.name)
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (entry.effect is Effect.READ)
        if entry.effect is not Effect.READ or tool.input_schema.get("required"):
            continue
        answer = await client.call_tool(tool.name, {})
        document: dict[str, Any] = json.loads(cast(TextContent, answer.content[0]).text)
        if answer.is_error:
            error = document["error"]
            assert error["code"] != "internal_error", (tool.name, error)
            assert error["message"], tool.name
        elif answer.structured_content is not None:
            assert answer.structured_content == document, tool.name
        called.append(tool.name)
    return called


@pytest.mark.parametrize("version", [STATELESS, "2025-11-25", "2025-06-18"])
async def test_over_http_in_each_revision(desk: Desk, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url, token = await desk.lease(await desk.session("cto"), shape="both", tools="all")
    if version != STATELESS:  # the client itself asks for the latest with a handshake
        monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    mode = version if version == STATELESS else "legacy"
    async with http_client(url, token, mode) as client:
        assert client.protocol_version == version
        called = await read_everything(client)
    assert {"list_lanes", "user_inbox", "user_pending", "actions_list"} <= set(called)
    assert len(called) > 30


async def test_over_standard_input_and_output(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        project = repository(tmp_path / "project", ade.env)
        ade.json("project", "add", str(project))
        ways = StdioServerParameters(
            command=str(ade.program), args=["mcp", "--tools", "all"], env=ade.env, cwd=project
        )
        async with Client(ways, mode="legacy") as client:
            assert len(await read_everything(client)) > 30
