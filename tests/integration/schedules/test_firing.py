"""When schedules fire and what they do, with a clock that the test sets."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select

from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from ade_runtime.machine.paths import Paths
from ade_runtime.scheduling import firing, store
from ade_runtime.scheduling.firing import fire_due
from ade_runtime.scheduling.runner import Runner
from ade_runtime.services import Clock, Services, Settings
from ade_runtime.storage.schema import schedules
from tests.support.sample import git_environment

NINE = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class SetClock(Clock):
    """Stands still until told; the wall clock may be set apart from the time that really passes."""

    def __init__(self, now: datetime) -> None:
        self.wall, self.passed = now, 0.0

    def now(self) -> datetime:
        return self.wall

    def elapsed(self) -> float:
        return self.passed

    def go(self, **span: float) -> None:
        """Time passes."""
        self.wall += timedelta(**span)
        self.passed += timedelta(**span).total_seconds()

    def set(self, **span: float) -> None:
        """Somebody sets the wall clock."""
        self.wall += timedelta(**span)


class House:
    def __init__(self, runtime: Runtime, clock: SetClock, project: Path) -> None:
        self.runtime, self.clock, self.project = runtime, clock, project
        self.chat = ""

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return await self.runtime.call(name, arguments, project=self.project)

    async def schedule(self, **arguments: Any) -> str:
        if "run" not in arguments:
            arguments = {"session": self.chat, "prompt": "Look.", **arguments}
        identifier: str = (await self.call("schedule.create", **arguments))["id"]
        return identifier

    async def fire(self) -> int:
        """One look at what is due, as the runtime does it."""
        services = self.runtime.services
        done = await services.database.write(lambda db: fire_due(db, self.clock.now(), 50))
        return done.handled

    async def history(self, schedule: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.call("schedule.history", schedule=schedule))["items"]
        return found

    async def said(self) -> list[str]:
        """What waits to be said to the chat."""
        from ade_runtime.chat import store as chats

        found = await self.runtime.services.database.read(lambda db: chats.queued(db, self.chat))
        return [message.text for message in found]

    async def hear(self) -> None:
        """The chat is told what waits for it."""
        from ade_runtime.chat import store as chats

        def deliver(db: Connection) -> None:
            for message in chats.queued(db, self.chat):
                chats.set_message(db, message.id, "delivered", turn=1)

        await self.runtime.services.database.write(deliver)


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    monkeypatch.setenv("TZ", "UTC")
    project = tmp_path / "project"
    project.mkdir()
    _git(project, env)
    clock = SetClock(NINE)
    async with Runtime(Services(Paths.of_home(tmp_path / "home"), Settings(), clock)) as runtime:
        house = House(runtime, clock, project)
        await house.call("project.add", path=str(project))
        house.chat = (await house.call("chat.create", title="Work"))["session"]
        yield house


def _git(project: Path, env: dict[str, str]) -> None:
    for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *argv], cwd=project, env=env, check=True)


async def test_a_delay_fires_once_when_its_time_has_come(house: House) -> None:
    schedule = await house.schedule(delay_seconds=720)
    house.clock.go(minutes=11, seconds=59)
    assert await house.fire() == 0
    house.clock.go(seconds=1)
    assert await house.fire() == 1
    assert await house.fire() == 0
    assert await house.said() == ["Look."]
    shown = await house.call("schedule.show", schedule=schedule)
    assert (shown["state"], shown["fired"], shown["next"]) == ("done", 1, None)


async def test_what_comes_back_says_when_in_the_zone_and_in_words(house: House) -> None:
    created = await house.call(
        "schedule.create", session=house.chat, prompt="x", cron="0 9 * * 1-5", zone="Europe/Berlin"
    )
    assert created["next"] == {
        "at": "2026-12-02T08:00:00Z",
        "local": "2026-12-02T09:00:00+01:00",
        "words": "in 23 hours, Wed 2 Dec 09:00 CET",
    }


async def test_a_recurring_one_goes_on_and_its_next_run_is_never_in_the_past(house: House) -> None:
    schedule = await house.schedule(cron="*/30 * * * *")
    for _ in range(3):
        house.clock.go(minutes=30)
        assert await house.fire() == 1
        shown = await house.call("schedule.show", schedule=schedule)
        assert datetime.fromisoformat(shown["next"]["at"]) > house.clock.now()
        await house.hear()
    assert [one["state"] for one in await house.history(schedule)] == ["delivered"] * 3


@pytest.mark.parametrize(("policy", "waiting"), [("none", 1), ("one", 1), ("all", 5)])
async def test_for_a_chat_that_does_not_listen_nothing_piles_up_unless_each_time_counts(
    house: House, policy: str, waiting: int
) -> None:
    schedule = await house.schedule(cron="*/30 * * * *", catch_up=policy)
    await house.runtime.services.chats.set(house.chat, state="failed", problem="It crashed.")
    for _ in range(5):
        house.clock.go(minutes=30)
        await house.fire()
    assert await house.said() == ["Look."] * waiting
    history = await house.history(schedule)
    shown = await house.call("schedule.show", schedule=schedule)
    assert shown["state"] == "active" and shown["next"]["words"].startswith("in 30 minutes")
    if policy != "all":
        assert [(one["state"], one["missed"]) for one in history] == [("skipped", 3), ("delivered", 0)]
        assert shown["last"].startswith("what it told before still waits") and house.chat in shown["last"]
    await house.hear()
    house.clock.go(minutes=30)
    await house.fire()
    assert await house.said() == ["Look."]
    assert (await house.history(schedule))[0]["state"] == "delivered"


async def test_even_where_each_time_counts_a_silent_chat_is_not_told_without_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firing, "MOST_MADE_UP", 3)
    await house.schedule(cron="* * * * *", catch_up="all")
    for _ in range(6):
        house.clock.go(minutes=1)
        await house.fire()
    assert len(await house.said()) == 3


async def test_a_schedule_names_what_it_wakes_and_where(house: House) -> None:
    lane = await house.runtime.call("lane.create", {"name": "fix-login"}, project=house.project)
    chat = await house.call("chat.create", lane="fix-login", title="Fix the login")
    await house.schedule(session=chat["session"], cron="@daily", prompt="What\nis new?")
    performs = await house.schedule(run="lane.list", arguments={}, delay_seconds=60, reason="to see")
    (told,) = (await house.call("schedule.list", session=chat["session"]))["items"]
    assert (told["title"], told["lane"], told["lane_id"]) == ("Fix the login", "fix-login", lane["id"])
    assert told["about"] == "What is new?"
    other = await house.call("schedule.show", schedule=performs)
    assert (other["title"], other["lane"], other["about"]) == (None, None, "to see")


@pytest.mark.parametrize(
    ("policy", "told", "history"),
    [("none", 0, ["skipped"]), ("one", 1, ["delivered"]), ("all", 5, ["delivered"] * 5)],
)
async def test_report_15_what_was_missed_is_made_up_for_as_stated_and_in_the_history(
    house: House, policy: str, told: int, history: list[str]
) -> None:
    schedule = await house.schedule(cron="0 * * * *", catch_up=policy)
    house.clock.go(hours=5, minutes=10)
    await house.fire()
    assert len(await house.said()) == told
    assert [one["state"] for one in await house.history(schedule)] == history
    if policy == "one":
        assert (await house.history(schedule))[0]["missed"] == 4
        assert "earlier times were missed" in (await house.said())[0]


async def test_case_72_a_one_shot_that_was_missed_fires_late_and_says_so(house: House) -> None:
    schedule = await house.schedule(run_at="2026-12-01T10:00:00Z")
    house.clock.go(hours=3)
    await house.fire()
    assert "due 2 hours ago" in (await house.said())[0]
    assert (await house.history(schedule))[0]["late_seconds"] == 7200


async def test_fault_o26_one_that_was_missed_for_too_long_is_expired_and_not_cancelled(house: House) -> None:
    schedule = await house.schedule(run_at="2026-12-01T10:00:00Z", max_age_seconds=3600)
    house.clock.go(hours=3)
    await house.fire()
    assert await house.said() == []
    assert (await house.call("schedule.show", schedule=schedule))["state"] == "expired"
    assert (await house.history(schedule))[0]["state"] == "expired"


async def test_a_chat_that_has_ended_ends_the_schedule_and_is_told_once(house: House) -> None:
    schedule = await house.schedule(cron="* * * * *")
    await house.call("chat.end", session=house.chat)
    for _ in range(3):
        house.clock.go(minutes=1)
        await house.fire()
    assert (await house.call("schedule.show", schedule=schedule))["state"] == "ended"
    assert [one["state"] for one in await house.history(schedule)] == ["failed"]


@pytest.mark.parametrize("scope", ["schedule", "session", "machine"])
async def test_case_74_what_is_paused_does_not_fire_and_goes_on_afterwards(house: House, scope: str) -> None:
    schedule = await house.schedule(delay_seconds=60)
    given = {"schedule": schedule, "session": house.chat, "machine": True}[scope]
    assert (await house.call("schedule.pause", **{scope: given}))["schedules"] == 1
    house.clock.go(minutes=2)
    assert await house.fire() == 0
    await house.call("schedule.resume", **{scope: given})
    assert await house.fire() == 1
    assert (await house.history(schedule))[0]["late_seconds"] == 60
    assert await house.fire() == 0


async def test_an_action_is_performed_and_its_result_kept(house: House) -> None:
    schedule = await house.schedule(run="lane.create", arguments={"name": "later"}, delay_seconds=1)
    fired = await house.call("schedule.run_now", schedule=schedule)
    assert fired["state"] == "delivered"
    assert "later" in [lane["name"] for lane in (await house.call("lane.list"))["items"]]
    again = await house.call("schedule.run_now", schedule=schedule)
    assert (again["state"], again["result"][:15]) == ("failed", "lane_name_taken")


@pytest.mark.parametrize(
    ("run", "arguments", "code"),
    [
        ("no.such", {}, "unknown_action"),
        ("lane.create", {"name": ""}, "invalid_arguments"),
        ("lane.delete", {"lane": "x"}, "invalid_arguments"),
        ("session.start", {}, "invalid_arguments"),
    ],
)
async def test_an_action_that_could_not_be_performed_is_refused_at_once(
    house: House, run: str, arguments: dict[str, Any], code: str
) -> None:
    with pytest.raises(AdeError) as caught:
        await house.schedule(run=run, arguments=arguments, delay_seconds=1)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"run_at": "2026-12-01T08:59:59Z"}, "invalid_instant"),
        ({"run_at": "2036-12-01T08:59:59Z"}, "invalid_instant"),
        ({"run_at": "2026-12-02T09:00:00"}, "invalid_instant"),
        ({"run_at": "2027-02-30T09:00:00Z"}, "invalid_instant"),
        ({"run_at": "tomorrow"}, "invalid_instant"),
        ({"delay_seconds": 5, "prompt": " \n"}, "invalid_arguments"),
        ({"delay_seconds": 0}, "invalid_arguments"),
        ({"delay_seconds": -5}, "invalid_arguments"),
        ({"delay_seconds": 1.5}, "invalid_arguments"),
        ({"delay_seconds": 5, "recurring": True}, "invalid_arguments"),
        ({"delay_seconds": 10**9}, "invalid_arguments"),
        ({"cron": "0 0 30 2 *"}, "invalid_cron"),
        ({"cron": "* * * * *", "zone": "Mars/Base"}, "unknown_zone"),
        ({"delay_seconds": 5, "cron": "* * * * *"}, "invalid_arguments"),
        ({}, "invalid_arguments"),
    ],
)
async def test_case_70_times_that_cannot_be_kept_are_refused_at_once(
    house: House, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(AdeError) as caught:
        await house.schedule(**given)
    assert caught.value.code == code
    assert caught.value.hint


async def test_a_bare_instant_comes_back_corrected(house: House) -> None:
    with pytest.raises(AdeError) as caught:
        await house.schedule(run_at="2026-12-02T09:00:00", zone="Europe/Berlin")
    assert "2026-12-02T09:00:00+01:00" in caught.value.hint


async def test_a_clock_that_is_set_moves_delays_and_not_instants(house: House) -> None:
    await house.schedule(delay_seconds=600)
    await house.schedule(run_at="2026-12-01T09:10:00Z", prompt="Instant.")
    services = house.runtime.services
    runner = Runner(services, services.schedules)
    task = asyncio.create_task(runner.run())
    try:
        house.clock.set(hours=-1)
        runner.wake()
        await _until(lambda: _due(house), NINE - timedelta(minutes=50))
        house.clock.go(minutes=10)
        runner.wake()
        await _until(house.said, ["Look."])
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _due(house: House) -> datetime | None:
    return await house.runtime.services.database.read(store.next_due)


async def _until(look: Callable[[], Awaitable[Any]], wanted: object) -> None:
    async with asyncio.timeout(60):
        while await look() != wanted:  # noqa: ASYNC110 - it is the database that changes
            await asyncio.sleep(0.01)


async def test_many_due_at_once_are_all_told(house: House) -> None:
    for _ in range(100):
        await house.schedule(delay_seconds=60)
    house.clock.go(minutes=1)
    while await house.fire():
        pass
    assert len(await house.said()) == 100


async def test_of_ten_thousand_what_is_due_is_found_by_an_index(house: House) -> None:
    await house.schedule(run_at="2027-12-01T10:00:00Z")

    def more(db: Connection) -> None:
        row = dict(db.execute(select(schedules)).mappings().one())
        rows = [row | {"id": f"sch_{number}", "next_at": row["next_at"] + number} for number in range(10_000)]
        db.execute(insert(schedules), rows)

    await house.runtime.services.database.write(more)
    later = datetime(2027, 12, 1, 10, 0, tzinfo=UTC)
    plans = await house.runtime.services.database.read(
        lambda db: _plans(
            db, lambda: (store.next_due(db), store.due(db, later, 50), store.claimed(db, later))
        )
    )
    assert len(plans) == 4
    for plan in plans:
        assert "ix_schedule" in plan and "SCAN schedules" not in plan and "SCAN schedule_firings" not in plan
        assert "TEMP B-TREE" not in plan, plan


def _plans(db: Connection, work: Callable[[], object]) -> list[str]:
    """How SQLite goes about the statements that ``work`` makes."""
    made: list[tuple[str, Any]] = []

    def note(_db: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        made.append((statement, parameters))

    event.listen(db, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(db, "before_cursor_execute", note)
    return [str(db.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given).all()) for sql, given in made]


@pytest.fixture
async def running(house: House, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Runner]:
    """The runtime's own timer, which looks at the clocks often and is not woken."""
    monkeypatch.setattr("ade_runtime.scheduling.runner.LONGEST_SLEEP", 0.01)
    runner = Runner(house.runtime.services, house.runtime.services.schedules)
    await house.schedule(run_at="2028-11-01T00:00:00Z", prompt="Far.")
    task = asyncio.create_task(runner.run())
    yield runner
    task.cancel()
    await asyncio.wait([task])


async def test_a_suspended_machine_fires_when_it_wakes_once_and_says_how_late(
    house: House, running: Runner
) -> None:
    await house.schedule(delay_seconds=600, prompt="Delay.")
    await house.schedule(cron="0 * * * *", prompt="Cron.")
    running.wake()
    await _until(lambda: _due(house), NINE + timedelta(minutes=10))
    house.clock.go(hours=3, minutes=30)
    await _until(lambda: _count(house), 2)
    delay, cron = sorted(await house.said(), key=lambda text: not text.startswith("Delay."))
    assert "due 3 h 20 min ago" in delay and "2 earlier times were missed" in cron
    assert await _due(house) == NINE + timedelta(hours=4)


async def test_a_clock_that_is_set_forwards_fires_instants_and_not_delays(
    house: House, running: Runner
) -> None:
    await house.schedule(delay_seconds=600, prompt="Delay.")
    await house.schedule(run_at="2026-12-01T10:00:00Z", prompt="Instant.")
    running.wake()
    await _until(lambda: _due(house), NINE + timedelta(minutes=10))
    house.clock.set(hours=2)
    await _until(lambda: _count(house), 1)
    assert (await house.said())[0].startswith("Instant.")
    assert await _due(house) == NINE + timedelta(hours=2, minutes=10)
    house.clock.go(minutes=10)
    await _until(lambda: _count(house), 2)


async def _count(house: House) -> int:
    return len(await house.said())


async def test_a_machine_that_moves_to_another_zone_keeps_what_was_promised(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = await house.schedule(cron="0 12 * * *")
    monkeypatch.setenv("TZ", "America/New_York")
    house.clock.go(hours=3)
    assert await house.fire() == 1
    shown = await house.call("schedule.show", schedule=schedule)
    assert (shown["zone"], shown["next"]["at"]) == ("UTC", "2026-12-02T12:00:00Z")
    fresh = await house.call("schedule.preview", cron="0 12 * * *", count=1)
    assert (fresh["zone"], fresh["items"][0]["at"]) == ("America/New_York", "2026-12-01T17:00:00Z")


@pytest.mark.parametrize(
    ("cron", "start", "fires"),
    [
        ("30 1 * * *", "2027-11-07T04:00", ["2027-11-07T05:30", "2027-11-08T06:30"]),
        ("*/30 1 * * *", "2027-11-07T04:00", ["2027-11-07T05:00", "2027-11-07T05:30", "2027-11-07T06:00"]),
        ("30 2 * * *", "2027-03-13T12:00", ["2027-03-14T07:00", "2027-03-15T06:30"]),
        ("0 9 * * *", "2027-03-13T12:00", ["2027-03-13T14:00", "2027-03-14T13:00"]),
    ],
    ids=["repeated hour", "repeated hour by the wall clock", "skipped hour", "day of a change"],
)
async def test_fault_o27_when_the_clock_changes_it_fires_as_stated_and_the_next_run_is_never_past(
    house: House, cron: str, start: str, fires: list[str]
) -> None:
    house.clock.go(seconds=(_utc(start) - NINE).total_seconds())
    schedule = await house.schedule(cron=cron, zone="America/New_York")
    seen = []
    while len(seen) < len(fires):
        house.clock.go(minutes=15)
        if await house.fire():
            seen.append(house.clock.now())
            shown = await house.call("schedule.show", schedule=schedule)
            assert datetime.fromisoformat(shown["next"]["at"]) > house.clock.now()
    assert seen == [_utc(text) for text in fires]


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}:00+00:00")


@pytest.mark.parametrize(
    "instant", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]
)
async def test_instants_at_the_ends_of_the_calendar_are_refused(house: House, instant: str) -> None:
    with pytest.raises(AdeError, match="its year is not from"):
        await house.call("schedule.preview", cron="0 0 29 2 *", after=instant, zone="America/New_York")
    with pytest.raises(AdeError, match="its year is not from"):
        await house.schedule(run_at=instant)


async def test_only_a_cron_expression_fires_again_and_again(house: House) -> None:
    with pytest.raises(AdeError, match="recurring: only a cron expression") as caught:
        await house.schedule(delay_seconds=60, recurring=True)
    assert caught.value.code == "invalid_arguments"
    await house.schedule(delay_seconds=60, recurring=False)


async def test_a_zone_is_one_that_means_the_same_everywhere(house: House) -> None:
    with pytest.raises(AdeError) as caught:
        await house.call("schedule.preview", cron="@daily", zone="localtime")
    assert caught.value.code == "unknown_zone"
    with pytest.raises(AdeError) as caught:
        await house.call("schedule.preview", cron="@daily", zone="europe/berlin")
    assert caught.value.hint == "Did you mean Europe/Berlin?"


async def test_what_was_cancelled_is_not_fired_by_hand_either(house: House) -> None:
    schedule = await house.schedule(delay_seconds=60)
    await house.call("schedule.cancel", schedule=schedule)
    with pytest.raises(AdeError) as caught:
        await house.call("schedule.run_now", schedule=schedule)
    assert caught.value.code == "schedule_over"
    assert await house.history(schedule) == []


@pytest.mark.parametrize(
    ("scope", "by"), [("schedule", "schedule"), ("session", "session"), ("machine", "machine")]
)
async def test_what_is_paused_says_so_whatever_was_paused(house: House, scope: str, by: str) -> None:
    schedule = await house.schedule(cron="@hourly", recurring=False, max_age_seconds=60)
    given: dict[str, Any] = {"schedule": schedule, "session": house.chat, "machine": True}
    await house.call("schedule.pause", **{scope: given[scope]})
    [listed] = (await house.call("schedule.list"))["items"]
    shown = await house.call("schedule.show", schedule=schedule)
    assert listed["paused_by"] == shown["paused_by"] == by
    assert (shown["recurring"], shown["max_age_seconds"]) == (False, 60)
    await house.call("schedule.resume", **{scope: given[scope]})
    assert (await house.call("schedule.show", schedule=schedule))["paused_by"] is None


async def test_arguments_belong_to_an_action(house: House) -> None:
    with pytest.raises(AdeError) as caught:
        await house.schedule(delay_seconds=60, arguments={})
    assert caught.value.code == "invalid_arguments"


async def test_the_schedules_of_a_chat_that_nobody_made_are_not_paused_for_it(house: House) -> None:
    for action in ("schedule.pause", "schedule.resume", "schedule.list"):
        with pytest.raises(AdeError) as caught:
            await house.call(action, session="ses_nobody")
        assert caught.value.code == "chat_not_found"
