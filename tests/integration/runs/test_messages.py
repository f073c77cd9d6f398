"""What members of a run are told: in order, once, also where delivering goes wrong or two runtimes do it at once."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.chat import store as chats
from ade_runtime.machine.paths import Paths
from ade_runtime.runs import outbox, store
from ade_runtime.runs.awaiting import standings
from ade_runtime.runs.delivery import Deliveries
from ade_runtime.runs.document import Manifest
from ade_runtime.services import Clock, Services, Settings
from tests.integration.runs.conftest import House
from tests.integration.runs.staff import approve, entries, install, promise, queued, spawn, told


class SetClock(Clock):
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = Clock().now()

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


class Pair:
    """A run with one agent, whose brief was delivered; and a clock."""

    def __init__(self, house: House, session: str) -> None:
        self.house, self.session = house, session
        self.services = house.runtime.services
        self.clock = SetClock()
        self.services.clock = self.clock

    @property
    def run(self) -> str:
        return self.house.run

    async def send(self, text: str, **more: Any) -> dict[str, Any]:
        return await self.house.call("message_agent", to=self.session, text=text, **more)

    async def told(self) -> list[str]:
        return (await told(self.services, self.session))[1:]

    async def set_status(self, status: str, session: str | None = None) -> None:
        def change(manifest: Manifest, now: str) -> None:
            for row in manifest["agents"]:
                if row["sessionId"] == (session or self.session):
                    row["status"] = status

        await self.services.runs.change(self.run, "test", "changed", status, change)


@pytest.fixture
async def pair(house: House, tmp_path: Path) -> Pair:
    install(house, tmp_path / "programs")
    await approve(house)
    session = (await spawn(house))["session"]
    await house.runtime.services.deliveries.drain()
    return Pair(house, session)


# -- saying


async def test_case_56_acceptance_8_the_same_words_on_purpose_are_said_twice(pair: Pair) -> None:
    first, second = await pair.send("Go on."), await pair.send("Go on.")
    assert first["message"]["id"] != second["message"]["id"]
    assert (first["deduped"], second["deduped"]) == (False, False)
    assert await pair.services.deliveries.drain() == 2
    assert await pair.told() == ["(The lead says.)\n\nGo on."] * 2


async def test_fault_o13_one_request_is_said_once_and_has_one_content(pair: Pair) -> None:
    first = await pair.send("Go on.", key="k")
    again = await pair.send("Go on.", key="k")
    assert (again["message"]["id"], again["deduped"]) == (first["message"]["id"], True)
    with pytest.raises(errors.RequestIdConflict):
        await pair.send("Stop.", key="k")
    await pair.services.deliveries.drain()
    assert len(await pair.told()) == 1


async def test_case_56_acceptance_8_what_was_not_committed_and_is_sent_again_is_said_once(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ade_runtime.runs import receipts

    def break_off(*_: Any) -> None:
        raise errors.TooManyMessages(count=1, session="")

    with monkeypatch.context() as patch:
        patch.setattr(receipts, "complete", break_off)
        with pytest.raises(errors.TooManyMessages):
            await pair.send("Go on.")
    await pair.send("Go on.")
    await pair.services.deliveries.drain()
    assert len(await pair.told()) == 1


async def test_the_oldest_answers_go_and_no_id_comes_back(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ade_runtime.runs import receipts

    monkeypatch.setattr(receipts, "KEPT", 3)
    identifiers = []
    for _ in range(6):
        pair.clock.move(seconds=1)
        identifiers.append((await pair.send("Go on."))["request_id"])
    kept = await pair.services.database.read(lambda db: receipts.listed(db, pair.run))
    assert [one.request_id for one in kept] == identifiers[3:]
    assert len(set(identifiers)) == 6
    await pair.services.deliveries.drain()
    assert len(await pair.told()) == 6


async def test_nobody_outside_is_told_anything_and_a_lead_does_not_report_to_itself(pair: Pair) -> None:
    with pytest.raises(errors.RunAgentNotFound):
        await pair.house.call("message_agent", to="ses_nobody", text="Hello.")
    for to, intent in ((None, "instruction"), (pair.session, "question")):
        more = {} if to is None else {"to": to}
        with pytest.raises(errors.PolicyDenied):
            await pair.house.call("message_agent", text="Hello.", intent=intent, **more)
    await pair.set_status("completed")
    with pytest.raises(errors.RunAgentOver):
        await pair.send("Go on.")


@pytest.mark.parametrize("intent", ["status", "question"])
async def test_an_agent_tells_its_lead_and_nobody_else(pair: Pair, intent: str) -> None:
    other = (await spawn(pair.house, name="Form", tag="form"))["session"]
    token = await pair.services.sessions.renew(pair.session)
    sent = await pair.house.call("message_agent", token=token, text="Half done.", intent=intent)
    lead = (await pair.house.call("show"))["lead"]
    message = sent["message"]
    assert (message["kind"], message["target"], message["sender"]) == ("lead_status", lead, pair.session)
    assert message["text"].startswith(f"(Store (worker {pair.session})")
    for given in ({"to": other, "intent": intent}, {"intent": "instruction"}, {"intent": "cancel"}):
        with pytest.raises(errors.PolicyDenied):
            await pair.house.call("message_agent", token=token, text="Do it.", **given)
    read = await pair.house.call("get_agent_transcript", token=token, session=other)
    assert read["total"] == 0
    with pytest.raises(errors.UnknownAction):
        await pair.house.call("await_agent", token=token, sessions=[other], timeout_ms=0)


# -- delivering


class Unwilling(Deliveries):
    """Delivers what a text does not forbid so many times."""

    def __init__(self, services: Services, text: str, times: int) -> None:
        super().__init__(services)
        self.text, self.times = text, times

    async def tell(self, entry: outbox.Entry) -> Any:
        if entry.text == self.text and self.times:
            self.times -= 1
            raise OSError("the chat's runtime is not there")
        return await super().tell(entry)


async def test_acceptance_9_fault_o14_after_three_failures_it_is_told_once_in_its_place(pair: Pair) -> None:
    await promise(pair.services, pair.run, pair.session, "one", "two", "three")
    deliveries = Unwilling(pair.services, "two", 3)
    for wait in (1, 2, 4):
        await deliveries.drain()
        assert await pair.told() == ["one"]
        due = await pair.services.database.read(outbox.next_due)
        assert due == pair.services.sessions.now() + timedelta(seconds=wait)
        assert await deliveries.drain() == 0
        pair.clock.move(seconds=wait)
    await deliveries.drain()
    assert await pair.told() == ["one", "two", "three"]
    _, one, two, three = await entries(pair.services, pair.run, pair.session)
    assert [entry.attempts for entry in (one, two, three)] == [1, 4, 1]
    assert {entry.state for entry in (one, two, three)} == {"delivered"}


async def test_case_59_what_always_fails_is_given_up_decided_and_told_to_the_lead(pair: Pair) -> None:
    (identifier,) = await promise(pair.services, pair.run, pair.session, "lost")
    await promise(pair.services, pair.run, pair.session, "next")
    deliveries = Unwilling(pair.services, "lost", 99)
    for _ in range(7):
        await deliveries.drain()
        pair.clock.move(seconds=30)
    entry = await pair.services.database.read(lambda db: outbox.get(db, identifier))
    assert entry is not None
    assert (entry.state, entry.attempts, entry.last_error) == ("failed", 5, "the chat's runtime is not there")
    (decision,) = [one for one in (await pair.house.manifest())["decisions"] if pair.session in one["text"]]
    assert "(ping)" in decision["text"]
    lead = (await pair.house.call("show"))["lead"]
    (told_lead,) = await entries(pair.services, pair.run, lead)
    assert (told_lead.kind, told_lead.text) == ("lead_status", decision["text"])
    assert await pair.told() == ["next"]


async def test_case_58_a_timer_tries_again_when_nothing_else_happens(pair: Pair) -> None:
    await pair.services.chats.pause(pair.session)  # no program is started
    await promise(pair.services, pair.run, pair.session, "one")
    runtime = Services(Paths.of_home(pair.services.paths.home), Settings(listening=True))
    deliveries = Unwilling(runtime, "one", 1)
    try:
        deliveries.wake()
        async with asyncio.timeout(30):
            while await pair.told() != ["one"]:
                await runtime.events.news(0.1)
    finally:
        await deliveries.close()
        await runtime.close()
    assert [entry.attempts for entry in await entries(pair.services, pair.run)][1:] == [2]


def test_the_wait_doubles_up_to_half_a_minute() -> None:
    waits = [outbox.back_off(attempts).total_seconds() for attempts in (1, 2, 3, 5, 6, 40)]
    assert waits == [1, 2, 4, 16, 30, 30]


async def test_fault_o15_delivering_changes_no_etag(pair: Pair) -> None:
    before = (await pair.house.manifest())["etag"]
    await pair.send("Go on.")
    await pair.services.deliveries.drain()
    assert (await pair.house.manifest())["etag"] == before


async def test_what_a_process_that_is_no_more_was_delivering_is_said_once(pair: Pair) -> None:
    from sqlalchemy import update

    from ade_runtime.storage.schema import run_outbox

    (identifier,) = await promise(pair.services, pair.run, pair.session, "one")
    await pair.services.deliveries.drain()
    left = {"state": "delivering", "holder": "999999999:1"}
    await pair.services.database.write(
        lambda db: db.execute(update(run_outbox).where(run_outbox.c.id == identifier).values(left))
    )
    assert await pair.services.deliveries.drain() == 1
    assert await pair.told() == ["one"]


async def test_what_was_broken_off_is_taken_up_again(pair: Pair) -> None:
    class Broken(Deliveries):
        async def tell(self, entry: outbox.Entry) -> Any:
            raise asyncio.CancelledError

    await promise(pair.services, pair.run, pair.session, "one", "two")
    with pytest.raises(asyncio.CancelledError):
        await Broken(pair.services).drain()
    assert await pair.services.deliveries.drain() == 2
    assert await pair.told() == ["one", "two"]


async def test_fault_o14_two_runtimes_that_drain_at_once_deliver_each_entry_once_and_in_order(
    pair: Pair,
) -> None:
    other_agent = (await spawn(pair.house, name="Form", tag="form"))["session"]
    await pair.services.deliveries.drain()
    other = Services(Paths.of_home(pair.services.paths.home), clock=pair.clock)
    try:
        texts = [str(number) for number in range(60)]
        for target in (pair.session, other_agent):
            await promise(pair.services, pair.run, target, *texts)
        settled = await asyncio.gather(pair.services.deliveries.drain(), other.deliveries.drain())
        while await pair.services.database.read(outbox.next_due) is not None:
            settled.append(await pair.services.deliveries.drain())
    finally:
        await other.close()
    assert await pair.told() == texts
    assert (await told(pair.services, other_agent))[1:] == texts
    assert sum(settled) == 120
    assert {entry.attempts for entry in await entries(pair.services, pair.run)} == {1}


async def test_a_full_chat_takes_it_once_there_is_room(pair: Pair) -> None:
    now = pair.services.sessions.now()
    await pair.services.database.write(
        lambda db: chats.enqueue_all(db, [(pair.session, "x", "owner", None)] * 99, now)
    )
    await pair.send("Go on.")
    assert await pair.services.deliveries.drain() == 0
    first = (await queued(pair.services, pair.session))[0]
    await pair.services.chats.take_back(pair.session, first.id)
    pair.clock.move(seconds=2)
    assert await pair.services.deliveries.drain() == 1


# -- waiting


async def waited(pair: Pair, *sessions: str, **more: Any) -> dict[str, Any]:
    return await pair.house.call("await_agent", sessions=[*(sessions or (pair.session,))], **more)


@pytest.mark.parametrize("status", ["completed", "failed", "blocked"])
async def test_acceptance_10_who_has_settled_is_told_at_once(pair: Pair, status: str) -> None:
    await pair.set_status(status)
    found = await waited(pair)
    assert (found["done"], found["settled"][0]["status"], found["working"]) == (True, status, [])


async def test_case_67_any_is_enough_and_all_are_waited_for_until_the_time_is_over(pair: Pair) -> None:
    other = (await spawn(pair.house, name="Form", tag="form"))["session"]
    await pair.set_status("blocked")
    assert (await waited(pair, pair.session, other, wait_for="any"))["done"]
    found = await waited(pair, pair.session, other, timeout_ms=50)
    assert not found["done"]
    assert [one["session"] for one in found["working"]] == [other]
    assert pair.services.run_awaiting.waiting == 0


async def test_case_67_everybody_who_is_unknown_is_named(pair: Pair) -> None:
    with pytest.raises(errors.RunAgentNotFound) as caught:
        await waited(pair, "ses_x", pair.session, "ses_y")
    assert "ses_x, ses_y" in caught.value.message


async def test_acceptance_10_one_that_settles_while_somebody_reads_is_not_missed(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It settles after the first read has looked, and before that read has come back."""
    from ade_runtime.runs import awaiting

    monkeypatch.setattr(awaiting, "ELSEWHERE", 3600.0)
    reads = 0
    read = pair.services.database.read

    async def slowly(fn: Any) -> Any:
        nonlocal reads
        found = await read(fn)
        if reads == 0 and isinstance(found, tuple) and found and isinstance(found[0], awaiting.Standing):
            reads += 1
            await pair.set_status("completed")
        return found

    monkeypatch.setattr(pair.services.database, "read", slowly)
    found = await asyncio.wait_for(waited(pair, timeout_ms=1_800_000), 20)
    assert (found["done"], reads) == (True, 1)


async def test_fault_o18_an_agent_whose_chat_cannot_go_on_has_settled(pair: Pair) -> None:
    now = pair.services.sessions.now()
    await pair.services.database.write(
        lambda db: chats.change(db, pair.session, now, state="missing", problem="Not installed.")
    )
    (found,) = await pair.services.database.read(lambda db: standings(db, pair.run, [pair.session]))
    assert (found.status, found.why, found.settled) == ("blocked", "Not installed.", True)


async def test_the_lead_is_told_once_of_each_time_that_an_agent_cannot_go_on(pair: Pair) -> None:
    budgets, now = pair.services.run_budgets, pair.services.sessions.now()

    async def break_down(turn: int) -> list[str]:
        await pair.services.database.write(
            lambda db: chats.change(db, pair.session, now, turn=turn, state="failed", problem="Out of luck.")
        )
        return await budgets.look(pair.run)

    assert await break_down(1) == [f"{pair.session} cannot go on: Out of luck."]
    assert await budgets.look(pair.run) == []
    await pair.services.chats.resume(pair.session)
    assert await budgets.look(pair.run) == []
    assert len(await break_down(2)) == 1
    lead = await pair.services.database.read(lambda db: store.record(db, pair.run).lead)
    assert len(await entries(pair.services, pair.run, lead)) == 2


# -- budgets

LIMITS = {"maxTokens": None, "maxCostUsd": None, "maxWallClockSeconds": None, "maxTurns": None}


async def budgeted(pair: Pair, action: str, **limits: Any) -> str:
    """One more agent with a budget, which has begun."""
    budget = LIMITS | {"onExceeded": action} | limits
    session: str = (await spawn(pair.house, name="Form", tag="form", budget=budget))["session"]
    now = pair.services.sessions.now()
    await pair.services.database.write(lambda db: chats.change(db, session, now, turn=1))
    return session


@pytest.mark.parametrize(("action", "paused"), [("pause", True), ("interrupt", True), ("warn", False)])
async def test_fault_o10_a_budget_that_is_used_up_is_acted_on_once(
    pair: Pair, action: str, paused: bool
) -> None:
    session = await budgeted(pair, action, maxWallClockSeconds=60, maxTurns=5)
    budgets = pair.services.run_budgets
    assert await budgets.look(pair.run) == []
    assert (await pair.house.manifest())["agents"][2]["status"] == "running"
    pair.clock.move(seconds=60)
    (text,) = await budgets.look(pair.run)
    assert "60 of 60 seconds" in text
    assert (await pair.services.chats.find(session)).paused == paused
    await pair.services.chats.resume(session)
    assert await budgets.look(pair.run) == []
    assert not (await pair.services.chats.find(session)).paused
    lead = await pair.services.database.read(lambda db: store.record(db, pair.run).lead)
    assert [one.text for one in await entries(pair.services, pair.run, lead)] == [text]


@pytest.mark.parametrize(
    ("limits", "words"), [({"maxTokens": 50}, "60 of 50"), ({"maxCostUsd": 0.2}, "0.25 of 0.2")]
)
async def test_what_its_program_reports_counts(pair: Pair, limits: dict[str, Any], words: str) -> None:
    session = await budgeted(pair, "warn", **limits)
    await pair.services.chats.note_usage(session, 1, 50, 10, 0.25)
    (text,) = await pair.services.run_budgets.look(pair.run)
    assert words in text


async def test_no_agent_gets_more_than_the_run_gives_each(pair: Pair) -> None:
    def limit(manifest: Manifest, now: str) -> None:
        manifest["defaultBudget"] = LIMITS | {"maxTurns": 3, "onExceeded": "pause"}

    await pair.services.runs.change(pair.run, "test", "limited", "", limit)
    await budgeted(pair, "warn", maxTurns=9, maxTokens=100)
    budget = (await pair.house.manifest())["agents"][2]["budget"]
    assert (budget["maxTurns"], budget["maxTokens"]) == (3, 100)
