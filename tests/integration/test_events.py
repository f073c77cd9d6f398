"""Events over the machine socket: reply first, then everything from the cursor on, then live, at the client's own pace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.events.buffer import Budget
from ade_runtime.events.service import Events
from ade_runtime.pipeline.capabilities import Lack
from ade_runtime.server import lists
from ade_runtime.server.following import LIMIT
from tests.support.house import SECONDS, House, opened


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with opened(tmp_path / "home") as made:
        yield made


async def until(truth: Callable[[], object]) -> None:
    """Let others have their turn until something is true."""
    while not truth():  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0)


async def test_fault_23_the_reply_comes_first_then_all_of_the_past_then_the_present(house: House) -> None:
    past = house.happen(350)
    peer = await house.connect()
    peer.send({"id": 1, "method": "runtimeEvents.subscribe", "params": {"start": "oldest"}})
    first = await peer.next()
    assert first["result"]["subscription"] == "sub_1", (
        "the reply names the subscription before anything of it comes"
    )
    assert first["result"]["pending"] == 350
    present = house.happen(50)  # while the past is still being sent
    assert await peer.seqs(400) == [*past, *present]
    later = house.happen(1)
    assert await peer.seqs(1) == later


async def test_fault_23_a_filter_is_applied_before_any_limit(house: House) -> None:
    house.happen(300, "git.commit")
    [wanted] = house.happen()
    house.happen(300, "git.commit")
    peer = await house.connect()
    told = await peer.ask("runtimeEvents.subscribe", start="oldest", categories=["lane"])
    assert (told["pending"], told["categories"]) == (1, ["lane"])
    assert await peer.seqs(1) == [wanted]
    house.happen(5, "git.commit")
    later = house.happen()
    assert await peer.seqs(1) == later


async def test_in_a_batch_events_come_after_the_answer_of_the_whole_batch(house: House) -> None:
    house.happen(3)
    peer = await house.connect()
    members = [
        {"jsonrpc": "2.0", "id": 1, "method": "runtimeEvents.subscribe", "params": {"start": "oldest"}},
        {"jsonrpc": "2.0", "id": 2, "method": "ade/actions/call", "params": {"name": "runtime.info"}},
    ]
    peer.writer.write(json.dumps(members).encode() + b"\n")
    answers = await peer.next()
    assert {answer["id"] for answer in answers} == {1, 2}
    assert await peer.seqs(3) == [1, 2, 3]


async def test_notifications_are_framed_as_the_client_frames(house: House) -> None:
    house.happen()
    peer = await house.connect()
    message = {"jsonrpc": "2.0", "id": 1, "method": "runtimeEvents.subscribe", "params": {"start": "oldest"}}
    body = json.dumps(message).encode()
    peer.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def read() -> Any:
        header = await asyncio.wait_for(peer.reader.readuntil(b"\r\n\r\n"), SECONDS)
        return json.loads(await peer.reader.readexactly(int(header.split(b":")[1])))

    assert (await read())["id"] == 1
    assert (await read())["params"]["event"]["seq"] == 1


async def test_a_subscription_goes_on_from_a_cursor_and_ends_when_told(house: House) -> None:
    peer = await house.connect()
    sub = (await peer.ask("runtimeEvents.subscribe"))["subscription"]
    house.happen(2)
    cursor = (await peer.note())["cursor"]
    again = await house.connect()
    told = await again.ask("runtimeEvents.subscribe", cursor=cursor)
    assert (told["cursor"], told["pending"]) == (cursor, 1)
    assert await again.seqs(1) == [2]
    assert await peer.seqs(1) == [2]
    assert await peer.ask("runtimeEvents.unsubscribe", subscription=sub) == {"unsubscribed": True}
    assert await peer.ask("runtimeEvents.unsubscribe", subscription=sub) == {"unsubscribed": False}
    house.happen()
    assert await again.seqs(1) == [3]
    assert (await peer.ask("ping"))["ok"] is True
    assert peer.notes == []


async def test_what_is_wrong_with_a_subscription_is_said(house: House) -> None:
    peer = await house.connect()
    for params, code in (
        ({"cursor": "yesterday"}, "invalid_cursor"),
        ({"categories": ["lanes"]}, "unknown_category"),
        ({"role": "god"}, "invalid_arguments"),
        ({"role": 1}, "invalid_arguments"),
        ({"since": 1}, "invalid_arguments"),
        ({"start": "whenever"}, "invalid_arguments"),
    ):
        assert (await peer.ask("runtimeEvents.subscribe", **params))["code"] == code
    assert (await peer.ask("runtimeEvents.unsubscribe"))["code"] == "invalid_arguments"
    for _ in range(LIMIT):
        assert "subscription" in await peer.ask("runtimeEvents.subscribe")
    assert (await peer.ask("runtimeEvents.subscribe"))["code"] == "too_many_subscriptions"


async def test_a_cursor_of_an_earlier_runtime_is_answered_with_a_gap(house: House) -> None:
    house.happen(2)
    peer = await house.connect()
    await peer.ask("runtimeEvents.subscribe", cursor="0123456789ab-77")
    gap = await peer.note()
    assert (gap["event"], gap["gap"]["reason"], gap["gap"]["missed"]) == (None, "restarted", None)
    assert await peer.seqs(2) == [1, 2]


async def test_a_slow_subscriber_holds_up_nobody_and_is_told_what_it_missed(house: House) -> None:
    """It reads nothing while far more happens than is kept: others go on, memory stays bounded, the gap is exact."""
    vars(house.server.services)["events"] = Events(house.server.services.clock, Budget(ring_events=50))
    slow, quick = await house.connect(), await house.connect()
    await slow.ask("runtimeEvents.subscribe")
    await quick.ask("runtimeEvents.subscribe")
    connection = next(c for c in house.server.connections if c.congested or c.following._tasks)
    assert connection.following._tasks
    slow.reader._transport.pause_reading()  # type: ignore[attr-defined]
    seen: list[int] = []
    total = 0
    while not any(c.congested for c in house.server.connections):
        total += 20
        house.happen(20, data={"text": "x" * 10_000})
        seen += await quick.seqs(20)
        assert total < 5000
    house.happen(200)
    total += 200
    assert (await quick.ask("ping"))["ok"] is True
    sizes = [c._transport.get_write_buffer_size() for c in house.server.connections]
    assert max(sizes) < 3 * 2**20
    slow.reader._transport.resume_reading()  # type: ignore[attr-defined]
    got, missed = [], 0
    while len(got) + missed < total:
        told = await slow.note()
        if told["gap"] is not None:
            assert told["gap"]["reason"] == "fell_behind"
            missed += told["gap"]["missed"]
        else:
            got.append(told["event"]["seq"])
    assert missed > 0
    assert got == sorted(set(got))
    assert got[-1] == total
    assert len(got) + missed == total


async def test_a_client_that_goes_leaves_no_subscription_behind(house: House) -> None:
    peer = await house.connect()
    await peer.ask("runtimeEvents.subscribe")
    [connection] = house.server.connections
    [task] = connection.following._tasks.values()
    assert task is not None
    peer.writer.close()
    await asyncio.wait([task], timeout=SECONDS)
    assert task.done()
    assert connection.following._tasks == {}


async def test_the_end_of_a_session_ends_its_subscription_before_anything_more_is_told(house: House) -> None:
    owner, agent = await house.connect(), await house.connect()
    made = await owner.ask("ade/actions/call", name="session.start", arguments={})
    await agent.ask("ade/initialize", session_token=made["token"])
    await agent.ask("runtimeEvents.subscribe")
    poll = {"name": "event.poll", "arguments": {"start": "now", "wait_ms": 20000}}
    agent.send({"id": "poll", "method": "ade/actions/call", "params": poll})
    await until(lambda: house.events.waiting)
    session = made["session"]["id"]
    await owner.ask("ade/actions/call", name="session.end", arguments={"session": session})
    first, second = await agent.next(), await agent.next()
    note, answer = (second, first) if "id" in first else (first, second)
    assert note["params"]["event"] is None
    assert note["params"]["ended"]["code"] == "policy_denied"
    assert answer["error"]["data"]["code"] == "policy_denied"


async def test_a_poll_that_waits_is_cancelled_and_ends_with_the_runtime(house: House) -> None:
    peer = await house.connect()
    poll = {"name": "event.poll", "arguments": {"start": "now", "wait_ms": 60000}}
    peer.send({"id": 1, "method": "ade/actions/call", "params": poll})
    await until(lambda: house.events.waiting)
    peer.send({"method": "$/cancelRequest", "params": {"id": 1}})
    assert (await peer.next())["error"]["data"]["code"] == "cancelled"
    assert house.events.waiting == 0
    peer.send({"id": 2, "method": "ade/actions/call", "params": poll})
    await until(lambda: house.events.waiting)
    house.server.stop()
    assert (await peer.next())["result"]["items"] == []


async def test_an_action_that_worked_is_told_and_one_that_failed_is_not(house: House) -> None:
    peer = await house.connect()
    await peer.ask("runtimeEvents.subscribe")
    await peer.ask("ade/actions/call", name="session.end", arguments={"session": "ses_nobody"})
    await peer.ask("ade/actions/call", name="session.list", arguments={})
    made = await peer.ask("ade/actions/call", name="session.start", arguments={"title": "Secret plans"})
    event = (await peer.note())["event"]
    assert (event["type"], event["subject"], event["seq"]) == ("session.start", made["session"]["id"], 1)
    assert made["token"] not in json.dumps(event)


# -- the list of actions


@pytest.fixture
def needy(house: House, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """``runtime.health`` is for who has a camera, ``runtime.info`` for who has a display: where the set holds one."""
    needs = {"runtime.health": "camera", "runtime.info": "display"}
    changed = {name: replace(ACTIONS[name], requires=(what,)) for name, what in needs.items()}
    there: set[str] = set()
    lack = Lack("no display", "Log in.")
    visibility = house.server.pipeline.visibility
    monkeypatch.setattr(visibility, "_actions", {**ACTIONS, **changed})
    monkeypatch.setattr(visibility, "capabilities", frozenset())
    monkeypatch.setattr(visibility, "_detectors", {"display": lambda env: None if there else lack})
    return there


async def test_fault_20_clients_are_told_when_what_they_see_changes(house: House, needy: set[str]) -> None:
    visibility = house.server.pipeline.visibility
    client, stranger = await house.connect(), await house.connect()
    told = await client.ask("ade/initialize")
    assert told["capabilities"]["actions"] == {"listChanged": True}
    assert (await stranger.ask("ping"))["ok"] is True
    before = await client.ask("ade/actions/list")
    visibility.change_capabilities(["camera"])
    assert (await client.next())["method"] == "ade/resources/list_changed"
    after = await client.ask("ade/actions/list")
    assert after["total"] == before["total"] + 1
    visibility.change_capabilities(["camera", "computer_driving"])  # changes nothing that anybody sees
    visibility.change_capabilities(["camera", "computer_driving"])
    assert (await client.ask("ping"))["ok"] is True
    assert client.notes == []
    visibility.change_capabilities([])
    assert (await client.next())["method"] == "ade/resources/list_changed"
    assert (await stranger.ask("ping"))["ok"] is True
    assert stranger.notes == [], "a client that never introduced itself may not know what that means"


async def test_fault_20_a_capability_that_is_only_looked_for_is_noticed(
    house: House, needy: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LOOK_SECONDS", 0.01)
    client = await house.connect()
    await client.ask("ade/initialize")
    needy.add("display")
    assert (await client.next())["method"] == "ade/resources/list_changed"
    needy.clear()
    assert (await client.next())["method"] == "ade/resources/list_changed"
    client.writer.close()
    await until(lambda: not house.server.connections)
    house.server.lists.look()
    assert house.server.lists._seen == {}, "nobody is left to look for"
