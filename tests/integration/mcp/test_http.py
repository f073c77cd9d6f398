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
from ade_runtime.tooling import mcp_server
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


@pytest.mark.timeout(300)
async def test_every_tool_is_listed_with_what_it_does_and_called(desk: Desk) -> None:
    url, token = await desk.lease(await desk.session("cto"), shape="both")
    async with http_client(f"{url}?tools=all", token) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        again = [tool.name for tool in (await client.list_tools()).tools]
        assert again == list(tools)
        visible = {
            item["tool"] for item in (await desk.call("actions.list", {"limit": 1000}, role="cto"))["items"]
        }
        of_owner = {entry.tool for entry in ACTIONS.values() if "cto" not in TOOLSETS[entry.toolset].roles}
        assert tools.keys() == visible - of_owner, (
            "what only the owner in person sees beside others' sessions"
        )
        for name, tool in tools.items():
            entry = next(entry for entry in ACTIONS.values() if entry.tool == name)
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (entry.effect is Effect.READ), name
            assert tool.output_schema is not None
            assert tool.output_schema["type"] == tool.input_schema["type"] == "object"
            refused = await client.call_tool(name, {"no_such_field_of_any_action": 1})
            assert document(refused)["error"]["code"] == "invalid_arguments", name


async def test_the_shape_is_the_leases_or_the_addresses(desk: Desk) -> None:
    session = await desk.session()
    url, token = await desk.lease(session, shape="both")
    async with http_client(url, token) as client:
        both = await client.call_tool("list_lanes", {})
        assert both.structured_content == document(both)
    async with http_client(f"{url}?shape=text", token) as client:
        assert (await client.call_tool("list_lanes", {})).structured_content is None
    for query, headers, status in (("shape=xml", bearer(token), 400), (f"token={token}", {}, 401)):
        answered, _ = await asyncio.to_thread(post, f"{url}?{query}", {}, headers)
        assert answered == status


async def test_a_role_sees_its_own_tools_and_is_refused_others(desk: Desk) -> None:
    seen = {}
    for role in ("external", "agent", "cto"):
        url, token = await desk.lease(await desk.session(role), tools="all")
        async with http_client(url, token) as client:
            seen[role] = {tool.name for tool in (await client.list_tools()).tools}
            result = await client.call_tool("create_lane", {"name": f"by {role}"})
            assert result.is_error is (role == "external")
    above = {entry.tool for entry in ACTIONS.values() if entry.toolset == "cto_operator"}
    assert not seen["agent"] & above
    assert not seen["external"] & above
    assert above <= seen["cto"]


async def test_progress_arrives_and_grows(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    call = desk.runtime.services.pipeline.call

    async def slow(name: str, arguments: Any, *, progress: Any, **rest: Any) -> bytes:
        for step in ("one", "two", "three"):
            progress(step, None)
            await asyncio.sleep(0)
        return await call(name, arguments, progress=progress, **rest)

    monkeypatch.setattr(desk.runtime.services.pipeline, "call", slow)
    url, token = await desk.lease(await desk.session())
    for mode in MODES[:2]:
        told.clear()
        async with http_client(url, token, mode) as client:
            await client.call_tool("list_lanes", {}, progress_callback=note)
        assert [message for _, _, message in told] == ["one", "two", "three"]
        numbers = [number for number, _, _ in told]
        assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("mode", MODES[:2])
async def test_a_call_that_says_nothing_is_not_given_up(
    desk: Desk, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clients end a call that they hear nothing of; one that asked for progress hears that it still runs."""
    heard = asyncio.Event()
    call = desk.runtime.services.pipeline.call

    async def note(_progress: float, _total: float | None, message: str | None) -> None:
        if message == mcp_server.STILL:
            heard.set()

    async def silent(*given: Any, **more: Any) -> bytes:
        async with asyncio.timeout(30):
            await heard.wait()
        return await call(*given, **more)

    monkeypatch.setattr(mcp_server, "BEAT", 0.01)
    url, token = await desk.lease(await desk.session())
    async with http_client(url, token, mode) as client:
        monkeypatch.setattr(desk.runtime.services.pipeline, "call", silent)
        assert document(await client.call_tool("list_lanes", {}, progress_callback=note))["items"]


@pytest.mark.parametrize("mode", MODES[:2])
async def test_a_cancelled_call_reaches_its_handler(
    desk: Desk, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def endless(*_: Any, **__: Any) -> bytes:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return b"{}"

    url, token = await desk.lease(await desk.session())
    async with http_client(url, token, mode) as client:
        monkeypatch.setattr(desk.runtime.services.pipeline, "call", endless)
        calling = asyncio.create_task(client.call_tool("list_lanes", {}))
        await asyncio.wait_for(begun.wait(), 30)
        calling.cancel()
        await asyncio.wait_for(cancelled.wait(), 30)


async def test_a_write_that_comes_again_is_answered_from_its_receipt(desk: Desk) -> None:
    url, token = await desk.lease(await desk.session())
    async with http_client(url, token) as client:
        meta: Any = {"claudecode/toolUseId": "toolu_1"}
        first = await client.call_tool("create_lane", {"name": "once"}, meta=meta)
        again = await client.call_tool("create_lane", {"name": "once"}, meta=meta)
        other = await client.call_tool(
            "create_lane", {"name": "once"}, meta={"claudecode/toolUseId": "toolu_2"}
        )
    assert document(first) == document(again)
    assert document(other)["error"]["code"] == "lane_name_taken"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
