"""Sliding windows: never overfull, the wait told is exact, memory bounded, long ones shared and not forgotten."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.roles import RATE_LIMITS
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import RateLimit
from ade_runtime.machine.paths import Paths
from ade_runtime.pipeline import rate_limit
from ade_runtime.pipeline.call import Identity
from ade_runtime.pipeline.rate_limit import RateLimits, ShortWindows
from ade_runtime.services import Clock, Services
from ade_runtime.storage.schema import rate_windows
from tests.support.ways import Headless, Socket

MS = 1_000_000
LIMITED = dataclasses.replace(ACTIONS["runtime.health"], rate_limit="x")


def limit(number: int, window: float, per: str = "session") -> RateLimit:
    return RateLimit(name="x", summary="S.", limit=number, window=window, per=per)


def someone(key: str = "me") -> Identity:
    return Identity("agent", key, 0)


# -- in memory


@given(
    st.integers(1, 5),
    st.integers(1, 60_000),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 90_000 * MS)), max_size=60),
)
def test_windows_are_never_overfull_and_waits_are_exact(
    most: int, window_ms: int, calls: list[tuple[str, int]]
) -> None:
    windows = ShortWindows(limit(most, window_ms / 1000))
    now = 0
    passed: dict[str, list[int]] = {key: [] for key in "abc"}
    for key, pause in calls:
        now += pause
        wait = windows.admit(key, now)
        if wait:
            assert wait <= window_ms
            assert windows.admit(key, now + (wait - 1) * MS) > 0, "one millisecond less is refused"
            now += wait * MS
            assert windows.admit(key, now) == 0, "waiting as told suffices"
        passed[key].append(now)
        assert len([moment for moment in passed[key] if moment > now - window_ms * MS]) <= most


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3_000)), min_size=50, max_size=300),
    st.integers(5, 40),
)
def test_memory_is_bounded_with_many_identities(calls: list[tuple[int, int]], kept: int) -> None:
    """As many identities as there were calls within the window, never more than may be kept; those in use stay."""
    before, rate_limit.KEYS_KEPT = rate_limit.KEYS_KEPT, kept
    try:
        windows, now, last = ShortWindows(limit(3, 1.0)), 0, dict[int, int]()
        for number, pause in calls:
            now += pause * MS
            if windows.admit(str(number), now) == 0:
                last[number] = now
            live = [one for one, moment in last.items() if moment + 1000 * MS > now]
            assert len(windows) <= min(kept, len(live))
    finally:
        rate_limit.KEYS_KEPT = before


async def test_identities_are_counted_apart_and_machines_together(tmp_path: Path) -> None:
    services = Services(Paths.of_home(tmp_path))
    apart = RateLimits(services, {"x": limit(1, 10.0)}, lambda: 0)
    await apart.admit(LIMITED, someone("a"))
    await apart.admit(LIMITED, someone("b"))
    shared = RateLimits(services, {"x": limit(1, 10.0, per="machine")}, lambda: 0)
    await shared.admit(LIMITED, someone("a"))
    with pytest.raises(errors.RateLimited) as refusal:
        await shared.admit(LIMITED, someone("b"))
    envelope = refusal.value.envelope()
    assert envelope["details"] == {"limit": 1, "window_ms": 10_000}
    assert envelope["retry_after_ms"] == 10_000
    assert not services.paths.database.exists(), "a short window writes nothing"


# -- in the database


class StillClock(Clock):
    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def wait(self, ms: int) -> None:
        self.at += timedelta(milliseconds=ms)


class Long:
    """A limit of 2 in two minutes, in an ADE_HOME that several processes use."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.clock = StillClock()
        self.opened: list[Services] = []

    def limits(self, most: int = 2) -> RateLimits:
        services = Services(Paths.of_home(self.home), clock=self.clock)
        self.opened.append(services)
        return RateLimits(services, {"x": limit(most, 120.0)})

    async def rows(self) -> int:
        count = select(func.count()).select_from(rate_windows)
        return int(await self.opened[0].database.read(lambda db: db.execute(count).scalar_one()))


@pytest.fixture
async def long(tmp_path: Path) -> AsyncIterator[Long]:
    made = Long(tmp_path)
    yield made
    for services in made.opened:
        await services.close()


async def refused(limits: RateLimits, key: str = "me") -> int:
    with pytest.raises(errors.RateLimited) as refusal:
        await limits.admit(LIMITED, someone(key))
    assert refusal.value.retry_after_ms is not None
    return refusal.value.retry_after_ms


async def test_a_long_window_outlives_its_process_and_its_wait_is_exact(long: Long) -> None:
    first = long.limits()
    await first.admit(LIMITED, someone())
    long.clock.wait(30_000)
    await first.admit(LIMITED, someone())
    await long.opened[0].close()
    long.opened.clear()
    second = long.limits()
    assert await refused(second) == 90_000
    long.clock.wait(89_999)
    assert await refused(second) == 1
    long.clock.wait(1)
    await second.admit(LIMITED, someone())
    assert await refused(second) == 30_000


async def test_processes_count_together(long: Long) -> None:
    one, other = long.limits(), long.limits()
    await one.admit(LIMITED, someone())
    await other.admit(LIMITED, someone())
    assert await refused(one) == await refused(other) == 120_000
    await one.admit(LIMITED, someone("another"))


async def test_rows_go_with_their_window(long: Long) -> None:
    limits = long.limits()
    for number in range(50):
        await limits.admit(LIMITED, someone(f"session {number}"))
        await limits.admit(LIMITED, someone(f"session {number}"))
    await refused(limits, "session 1")
    assert await long.rows() == 100
    long.clock.wait(120_000)
    await limits.admit(LIMITED, someone())
    assert await long.rows() == 1


async def test_a_clock_set_back_makes_nobody_wait_longer_than_a_window(long: Long) -> None:
    limits = long.limits()
    await limits.admit(LIMITED, someone())
    await limits.admit(LIMITED, someone())
    long.clock.wait(-86_400_000)
    assert await refused(limits) == 120_000
    long.clock.wait(120_000)
    await limits.admit(LIMITED, someone())


async def test_a_limit_that_was_lowered(long: Long) -> None:
    before = long.limits(most=3)
    for _ in range(3):
        await before.admit(LIMITED, someone())
        long.clock.wait(10_000)
    after = long.limits(most=1)
    wait = await refused(after)
    long.clock.wait(wait - 1)
    assert await refused(after) == 1
    long.clock.wait(1)
    await after.admit(LIMITED, someone())


# -- over the ways in


async def test_headless_and_socket_share_a_long_window_and_a_reconnect_resets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RATE_LIMITS, "x", limit(2, 120.0))
    monkeypatch.setitem(ACTIONS, "runtime.health", LIMITED)
    case: dict[str, Any] = {"action": "runtime.health", "tool": LIMITED.tool, "input": {}, "argv": None}
    home = tmp_path / "home"
    async with Socket(home, tmp_path, {}) as way, Headless(home, tmp_path, {}) as headless:
        assert (await way.perform(case)).error is None
        assert (await headless.perform(case)).error is None
        for one in (way, headless):
            error = (await one.perform(case)).error
            assert error is not None
            assert error["code"] == "rate_limited"
            assert 0 < error["retry_after_ms"] <= 120_000
        assert (await headless.perform(case)).exit == 6
    async with Runtime.open(home) as later:
        with pytest.raises(errors.RateLimited):
            await later.call("runtime.health")
