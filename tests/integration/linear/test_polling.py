"""Asking Linear by itself: only where it is wanted, when it is due, and nothing twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.issues.service import Issues
from ade_runtime.linear_sync import polling
from ade_runtime.linear_sync.polling import Polling
from ade_runtime.services import Settings
from tests.integration.linear.test_sync import do, sender
from tests.support.linear.running import Later, ade, linear
from tests.support.linear.server import Fault, LinearStandIn

__all__ = ["ade", "linear", "sender"]
EVERY = 300


def wanted(text: str = f"linear: {{poll: {EVERY}}}\n") -> None:
    folder = Path.cwd() / ".ade"
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(text)


def asked(linear: LinearStandIn) -> int:
    return sum("query ChangedIssues" in one["query"] for one in linear.requests)


@pytest.fixture
def later(ade: Runtime) -> Later:
    ade.services.clock = clock = Later()
    return clock


async def test_nothing_is_asked_where_nobody_wants_it(ade: Runtime, linear: LinearStandIn) -> None:
    ade.services.settings = Settings(listening=True)
    assert await Polling(ade.services).look() is None
    for text in ("", "linear: {}\n", "linear: {poll: 5}\n", "broken: [\n"):
        wanted(text)
        assert await Polling(ade.services).look() is None
    assert linear.requests == []
    ade.services.linear_sync.attend()
    task = ade.services.linear_sync.polling._task  # type: ignore[union-attr]
    assert task is not None
    await task
    assert not any(one() for one in ade.services.expecting), "it stays for nobody"


async def test_it_asks_when_it_is_due(ade: Runtime, linear: LinearStandIn, later: Later) -> None:
    wanted()
    made = Polling(ade.services)
    assert await made.look() == EVERY
    assert (await do(ade, "queue_list"))["total"] == 2
    wait = await made.look()
    assert wait is not None and 0 < wait <= EVERY and asked(linear) == 1
    later.ahead = timedelta(seconds=EVERY)
    linear.workspace.add_issue("Another one")
    await made.look()
    assert asked(linear) == 2
    assert (await do(ade, "queue_list"))["total"] == 3


async def test_what_both_ways_tell_is_there_once(
    ade: Runtime, linear: LinearStandIn, sender: Any, later: Later
) -> None:
    wanted()
    made = Polling(ade.services)
    issue = linear.workspace.issues[0]
    assert await sender.send(sender.body(issue)) == 200
    await made.look()
    assert (await do(ade, "ingress_events"))["total"] == 3, "the change that the webhook brought is not new"
    linear.workspace.update_issue("ENG-1", {})
    later.ahead = timedelta(seconds=EVERY + 60)
    await made.look()
    assert (await do(ade, "ingress_events"))["total"] == 4
    later.ahead = timedelta()
    assert await sender.send(sender.body(issue)) == 200, "the webhook comes late"
    events = (await do(ade, "ingress_events"))["items"]
    assert len(events) == 4 and len({(one["issue"], one["id"]) for one in events}) == 4
    assert (await do(ade, "queue_list"))["total"] == 2
    both = await asyncio.gather(
        sender.send(sender.body(linear.workspace.update_issue("ENG-2", {}))), do(ade, "run_now", route=False)
    )
    assert both[0] == 200
    assert (await do(ade, "ingress_events"))["total"] == 5


async def test_while_a_webhook_brings_it_all_it_asks_seldom(
    ade: Runtime, linear: LinearStandIn, later: Later
) -> None:
    now = later.now()
    every = timedelta(seconds=EVERY)
    at = lambda ago: int(1000 * (now - ago).timestamp())  # noqa: E731
    assert polling.due({"polled_at": None, "delivered_at": None}, every, now) == now
    assert polling.due({"polled_at": at(2 * every), "delivered_at": None}, every, now) < now
    assert polling.due({"polled_at": at(2 * every), "delivered_at": at(every / 2)}, every, now) > now
    assert polling.due({"polled_at": at(11 * every), "delivered_at": at(every / 2)}, every, now) < now


async def test_trouble_is_told_and_not_asked_for_again_at_once(
    ade: Runtime, linear: LinearStandIn, later: Later
) -> None:
    ade.services.__dict__["issues"] = Issues(ade.services, pause=0)
    wanted()
    made = Polling(ade.services)
    limit = {"errors": [{"message": "no", "extensions": {"code": "RATELIMITED"}}]}
    linear.faults.append(Fault("ChangedIssues", status=429, headers={"Retry-After": "900"}, document=limit))
    await made.look()
    assert "linear_rate_limited" in (await do(ade, "dashboard"))["poll_error"]
    later.ahead = timedelta(seconds=EVERY + 1)
    assert (await made.look() or 0) > 500 and asked(linear) == 1, "Linear said how long to wait"
    later.ahead = timedelta(seconds=901)
    await made.look()
    assert asked(linear) == 2
    assert (await do(ade, "dashboard"))["poll_error"] is None


async def test_a_runtime_asks_by_itself_and_ends_with_it(
    ade: Runtime, linear: LinearStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, original = asyncio.Event(), polling.poll

    async def noted(*given: Any) -> Any:
        found = await original(*given)
        done.set()
        return found

    monkeypatch.setattr(polling, "poll", noted)
    wanted()
    ade.services.settings = Settings(listening=True)
    await do(ade, "dashboard")
    async with asyncio.timeout(30):
        await done.wait()
    assert any(one() for one in ade.services.expecting), "a runtime with nothing else to do stays for it"
    assert asked(linear) == 1
