"""Requests to the endpoint that must not be answered, each with plain HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from ade_runtime.services import Clock
from tests.integration.mcp.conftest import Desk
from tests.support.mcp import INITIALIZE, http_client, post

pytestmark = pytest.mark.timeout(120)


class Later(Clock):
    """Clocks that are ahead by ``by``."""

    by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by


async def ask(url: str, headers: dict[str, str], document: Any = INITIALIZE, **options: Any) -> int:
    """The status of one request."""
    status, body = await asyncio.to_thread(post, url, document, headers, **options)
    if status >= 400:
        assert "adels_" not in body.decode()
    return status


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_only_the_token_of_a_working_lease_is_answered(desk: Desk) -> None:
    session = await desk.session()
    url, token = await desk.lease(session)
    other_url, other = await desk.lease(await desk.session())
    assert await ask(url, bearer(token)) == 200
    assert await ask(url.rpartition("/")[0], bearer(token)) == 200, (
        "the address without a lease is any lease's"
    )
    started = await desk.call("session.start", {"title": "Another"})
    for headers, status in (
        ({}, 401),
        (bearer(""), 401),
        (bearer("adels_wrong"), 401),
        (bearer("x" * 5000), 401),
        (bearer(token + "x"), 401),
        (bearer(started["token"]), 401),
        ({"Authorization": f"Basic {token}"}, 401),
        (bearer(other), 403),
    ):
        assert await ask(url, headers) == status, headers
    assert await ask(other_url, bearer(token)) == 403


async def test_the_session_of_another_lease_is_out_of_reach(desk: Desk) -> None:
    url, token = await desk.lease(await desk.session())
    other_url, other = await desk.lease(await desk.session())
    async with http_client(url, token, "legacy") as client:
        transport = client.session
        assert transport is not None
        endpoint = desk.runtime.services.mcp._http
        assert endpoint is not None
        (identifier,) = [
            one for served in endpoint._served.values() for one in served.manager._server_instances
        ]
        headers = bearer(other) | {"Mcp-Session-Id": identifier, "Mcp-Protocol-Version": "2025-06-18"}
        assert await ask(other_url, headers, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}) == 404


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost:3000", "null", "http://127.0.0.1"]
)
async def test_web_pages_are_refused(desk: Desk, origin: str) -> None:
    url, token = await desk.lease(await desk.session())
    assert await ask(url, bearer(token) | {"Origin": origin}) == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}", ""]
)
async def test_a_rebound_name_is_refused(desk: Desk, host: str) -> None:
    url, token = await desk.lease(await desk.session())
    port = url.split(":")[2].split("/")[0]
    assert await ask(url, bearer(token) | {"Host": host.format(port=port)}) in (400, 421)


async def test_an_expired_lease_and_one_of_an_ended_session_work_no_more(desk: Desk) -> None:
    clock = desk.runtime.services.clock = Later()
    session = await desk.session()
    url, token = await desk.lease(session, expires_in=60)
    longer_url, longer = await desk.lease(session, expires_in=3600)
    assert await ask(url, bearer(token)) == 200
    clock.by = timedelta(seconds=61)
    assert await ask(url, bearer(token)) == 401
    assert await ask(longer_url, bearer(longer)) == 200
    await desk.call("session.end", {"session": session})
    assert await ask(longer_url, bearer(longer)) == 401


async def test_a_revoked_lease_works_no_more_and_its_connections_end(desk: Desk) -> None:
    session = await desk.session()
    url, token = await desk.lease(session)
    async with http_client(url, token, "legacy") as client:
        await client.list_tools()
        await desk.call("mcp.revoke", {"lease": url.rpartition("/")[2]})
        with pytest.raises(MCPError):
            await client.call_tool("list_lanes", {})
    assert await ask(url, bearer(token)) == 401
    endpoint = desk.runtime.services.mcp._http
    assert endpoint is not None
    assert not endpoint._served


async def test_other_paths_methods_and_bodies(desk: Desk) -> None:
    url, token = await desk.lease(await desk.session())
    base = url.split("/mcp")[0]
    for path in ("/", "/mcpx", "/mcp/a/b", "/.well-known/oauth-protected-resource"):
        assert await ask(base + path, bearer(token)) == 404
    assert await ask(url, bearer(token), method="PUT") == 405
    assert await ask(url, bearer(token), raw=b"x" * (4 * 2**20 + 1)) == 413
    for raw in (b"", b"{", b"[]", b"\xff", b"null"):
        assert await ask(url, bearer(token), raw=raw) == 400


async def test_the_token_is_in_no_log_no_row_and_no_second_answer(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url, token = await desk.lease(await desk.session())
    async with http_client(url, token) as client:
        await client.call_tool("list_lanes", {})
    await ask(f"{url}?access_token={token}", {})
    kept = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("ade", "uvicorn", "mcp"))
    )
    assert token not in kept
    assert token not in url
    assert token.encode() not in desk.runtime.services.paths.database.read_bytes()
    for action in ("mcp.leases", "audit.list", "session.list"):
        assert token not in json.dumps(await desk.call(action, {}, role="cto"))


async def test_refusals_are_in_the_audit_and_do_not_fill_it(desk: Desk) -> None:
    url, _ = await desk.lease(await desk.session())
    for _ in range(5):
        await ask(url, bearer("adels_wrong"))
    rows = (await desk.call("audit.list", {"action": "mcp.connect"}, role="cto"))["items"]
    assert [(row["outcome"], row["transport"], row["identity"]) for row in rows] == [
        ("policy_denied", "mcp", "nobody")
    ]


async def test_a_lease_is_only_for_sessions_one_may_act_for(desk: Desk) -> None:
    from ade_runtime.contracts import AdeError
    from ade_runtime.tooling.toolbox import Toolbox

    own, other = await desk.session(), await desk.session("cto")
    toolbox = Toolbox(desk.runtime.services, own, cwd=str(desk.project), env=desk.env)
    mine = await toolbox.call("lease_mcp", {})
    assert mine.structured is not None
    assert mine.structured["lease"]["session"] == own
    stolen = await toolbox.call("lease_mcp", {"session": other})
    assert json.loads(stolen.text)["error"]["code"] == "policy_denied"
    url, _ = await desk.lease(other)
    revoked = await toolbox.call("revoke_mcp_lease", {"lease": url.rpartition("/")[2]})
    assert json.loads(revoked.text)["error"]["code"] == "policy_denied"
    listed = await toolbox.call("list_mcp_leases", {})
    assert listed.structured is not None
    assert [lease["session"] for lease in listed.structured["items"]] == [own]
    with pytest.raises(AdeError):
        await desk.call("mcp.lease", {"session": own}, role="external")
