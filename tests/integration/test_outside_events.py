"""What changes at GitHub and in Linear is told as events, once each, to whoever follows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from tests.integration.linear.test_sync import Sender, sender
from tests.support.github.shop import Shop, opened_shop
from tests.support.github.state import set_checks
from tests.support.linear.running import ade, linear
from tests.support.linear.server import LinearStandIn

__all__ = ["ade", "linear", "sender"]


@pytest.fixture
async def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    async with opened_shop(tmp_path, monkeypatch) as made:
        yield made


def kinds(told: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one for one in told["items"] if one["type"] == kind]


async def test_a_list_tells_what_has_changed_since_the_last(shop: Shop) -> None:
    await shop.open_pull()
    await shop.call("pr.list", max_age=0)
    start = (await shop.call("event.poll", start="now"))["next"]
    await shop.call("pr.list", max_age=0)
    shop.repository.pulls[0].title = "Another"
    set_checks(shop.repository, {"test": "failure"}, {})
    await shop.call("pr.list", max_age=0)
    await shop.call("pr.list", max_age=0)
    (event,) = kinds(await shop.call("event.poll", cursor=start), "pr.changed")
    assert (event["subject"], event["data"]["number"]) == ("octo/shop#1", 1)
    assert event["data"]["changes"] == [
        "It is called Another now.",
        "Its checks: 0 passed, 1 failed, 0 pending.",
    ]


async def test_a_watch_tells_at_once_to_who_waits_for_events(shop: Shop) -> None:
    await shop.open_pull()
    set_checks(shop.repository, {"test": "in_progress"}, {})
    start = (await shop.call("event.poll", start="now"))["next"]
    watching = asyncio.create_task(shop.call("pr.watch", number=1, until="ready", wait=60, every=1))
    await asyncio.to_thread(shop.hub.wait_for, "/check-runs$")
    waiting = asyncio.create_task(shop.call("event.poll", cursor=start, wait_ms=30_000))
    set_checks(shop.repository, {"test": "success"}, {})
    (event,) = kinds(await waiting, "pr.changed")
    assert event["data"]["changes"] == ["Its checks: 1 passed, 0 failed, 0 pending."]
    told = await watching
    assert (told["reached"], told["verdict"], told["changes"]) == (True, "ready", event["data"]["changes"])


async def test_what_is_done_from_here_is_told_too(shop: Shop) -> None:
    start = (await shop.call("event.poll", start="now"))["next"]
    await shop.open_pull()
    await shop.call("pr.merge", number=1)
    told = await shop.call("event.poll", cursor=start)
    assert [one["subject"] for one in kinds(told, "pr.merge")] == ["octo/shop#1"]


async def test_a_change_in_linear_is_told_once_whichever_way_it_came(
    ade: Runtime, linear: LinearStandIn, sender: Sender
) -> None:
    async def poll(**arguments: Any) -> dict[str, Any]:
        return await ade.call("event.poll", arguments, cwd=Path.cwd())

    start = (await poll(start="now"))["next"]
    body = sender.body(linear.workspace.issues[0])
    assert [await sender.send(body) for _ in range(2)] == [200, 200]
    (event,) = kinds(await poll(cursor=start), "issue.changed")
    assert (event["subject"], event["data"]["title"]) == ("ENG-1", "Log in with a passkey")
    await ade.call("linear_sync.run_now", {"route": False}, cwd=Path.cwd())
    told = kinds(await poll(cursor=start), "issue.changed")
    assert sorted(one["subject"] for one in told) == ["ENG-1", "ENG-2", "ENG-3"]
