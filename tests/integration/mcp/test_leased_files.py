"""What ``mcp.config`` makes of a lease for the programs that were not at hand, to the letter; the token is in none of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError
from tests.integration.mcp.conftest import Desk

pytestmark = pytest.mark.timeout(120)
FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "cursor": (".cursor/mcp.json", {"headers": {"Authorization": "Bearer ${env:ADE_MCP_TOKEN}"}}),
    "droid": (".factory/mcp.json", {"type": "http", "headers": {"Authorization": "Bearer ${ADE_MCP_TOKEN}"}}),
}


def kept(shown: dict[str, Any]) -> str | None:
    """What the file holds, where it is there."""
    path = Path(shown["file"])
    return path.read_text() if path.exists() else None


@pytest.mark.parametrize("client", FILES)
async def test_the_entry_is_the_leases_address_and_takes_the_token_from_the_environment(
    desk: Desk, client: str
) -> None:
    file, entry = FILES[client]
    url, token = await desk.lease(await desk.session(), client=client)
    asked = {"client": client, "lease": url.rpartition("/")[2]}
    shown = await desk.call("mcp.config", asked)
    assert shown["file"].endswith(file)
    assert json.loads(shown["content"]) == {"mcpServers": {"ade": {"url": url, **entry}}}
    assert token not in json.dumps(shown)
    assert kept(shown) is None
    await desk.call("mcp.config", asked | {"write": True})
    assert json.loads(kept(shown) or "") == json.loads(shown["content"])
    await desk.call("mcp.config", asked | {"undo": True})
    assert kept(shown) is None


@pytest.mark.parametrize("client", FILES)
async def test_of_a_lease_that_works_no_more_it_says_so(desk: Desk, client: str) -> None:
    url, _ = await desk.lease(await desk.session(), client=client)
    asked = {"client": client, "lease": url.rpartition("/")[2]}
    assert not any("works no more" in note for note in (await desk.call("mcp.config", asked))["notes"])
    await desk.call("mcp.revoke", {"lease": asked["lease"]})
    assert "works no more (revoked)" in (await desk.call("mcp.config", asked))["notes"][0]
    with pytest.raises(AdeError, match="There is no lease"):
        await desk.call("mcp.config", {"client": client, "lease": "lse_nobody"})
