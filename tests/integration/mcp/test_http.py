"""The endpoint over HTTP, with the package's own client in every protocol revision."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.contracts import Effect
from tests.integration.mcp.conftest import Desk
from tests.support.mcp import http_client, post

pytestmark = pytest.mark.timeout(120)
MODES = ["2026-07-28", "legacy", "auto"]


def document(result: Any) -> Any:
    return json.loads(result.content[0].text)


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_lists_calls_and_reads(desk: Desk, mode: str) -> None:
    url, token = await desk.lease(await desk.session())
    async with http_client(url, token, mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [ACTIONS[action].tool for action in TOOLSETS["base"].always]
        made = await client.call_tool("create_lane", {"name": "over http"})
        assert not made.is_error
        assert made.structured_content is None
        lane = document(made)
        assert lane["name"] == "over http"
        refused = await client.call_tool("create_lane", {"name": "over http"})
        assert refused.is_error
        assert document(refused)["error"]["code"] == "lane_name_taken"
        assert document(await client.call_tool("actions_run", {"action": "lane.list", "arguments": {}}))
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        assert f"ade://lane/{lane['id']}" in uris
        read = await client.read_resource(f"ade://lane/{lane['id']}")
        assert json.loads(read.contents[0].text)["name"] == "over http"
        (prompt,) = (await client.list_prompts()).prompts
        assert "lane" in (await client.get_prompt(prompt.name)).messages[0].content.text
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {"ade://lane/{lane}", "ade://proof/{proof}"}
        with pytest.raises(MCPError):
            await client.read_resource("ade://lane/nowhere")
    assert "over http" in [lane["name"] for lane in (await desk.call("lane.list", {}))["items"]]
