"""The buffer: nothing is lost without being told of, nothing grows without bound, nobody sees what is not theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_generated import errors
from ade_generated.events import EVENTS
from ade_runtime.contracts import EventType
from ade_runtime.events.buffer import Budget
from ade_runtime.events.cursor import Cursor
from ade_runtime.events.service import DATA_LIMIT, Events, Reading
from ade_runtime.events.view import View, known_categories
from ade_runtime.pipeline.call import Identity
from ade_runtime.services import Clock

OWNER = Identity(role="agent", key="owner:0", uid=0)
AGENT = replace(OWNER, key="session:ses_a", session="ses_a", project="prj_a", source="token")
EVERYTHING = {"limit": 10**6, "max_bytes": 10**9}


@pytest.fixture
def events() -> Events:
    return Events(Clock())


def types(reading: Reading) -> list[str]:
    return [event.trace.kind.type for event in reading.events]


def drain(events: Events, view: View, cursor: Cursor, limit: int) -> Iterator[Reading]:
    """Readings with ``limit`` events each until nothing more is there."""
    while True:
        reading = events.read(view, cursor, limit=limit, max_bytes=10**9)
        yield reading
        if not reading.more:
            return
        cursor = reading.cursor


def test_fault_22_a_filter_loses_no_event_however_it_is_read(events: Events) -> None:
    """Many of another category between them, small pages, and events that come while it reads."""
    wanted = []
    for turn in range(500):
        kind = "lane.create" if turn % 37 == 0 else "git.commit"
        seq = events.publish(kind)
        if kind == "lane.create":
            wanted.append(seq)
    view, cursor, got = View(OWNER, known_categories(["lane"])), events.start("oldest"), []
    for reading in drain(events, view, cursor, limit=2):
        got += [event.seq for event in reading.events]
        assert len(reading.events) <= 2
    assert got == wanted
    wanted.append(events.publish("lane.create"))
    assert [e.seq for e in events.read(view, reading.cursor, **EVERYTHING).events] == wanted[-1:]


def test_a_cursor_moves_past_what_did_not_match(events: Events) -> None:
    for _ in range(3):
        events.publish("git.commit")
    view = View(OWNER, known_categories(["lane"]))
    reading = events.read(view, events.start("oldest"), **EVERYTHING)
    assert (reading.events, reading.cursor.seq, reading.gap) == ([], 3, None)


KINDS = st.sampled_from(["lane.create", "git.commit", "session.start"])
PROJECTS = st.sampled_from([None, "prj_a", "prj_b", "prj_c"])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(KINDS, PROJECTS), max_size=120),
    st.integers(1, 7),
    st.sampled_from([None, ["lane"], ["git", "session"]]),
    st.sampled_from([OWNER, AGENT]),
    st.integers(0, 40),
    st.sampled_from([3, 20, 1000]),
)
def test_every_event_is_read_once_or_told_as_missed(
    published: list[tuple[str, str | None]],
    limit: int,
    categories: list[str] | None,
    reader: Identity,
    behind: int,
    traces: int,
) -> None:
    """Against a plain list of everything that ever happened."""
    events = Events(Clock(), Budget(ring_events=8, events=20, traces=traces))
    history: list[int] = []
    view = View(reader, known_categories(categories))
    cursor = events.start("now")
    for at, (kind, project) in enumerate(published):
        if at == behind:
            cursor = Cursor(events.epoch, events.publish("project.touch", project="prj_x"))
            history.clear()
        seq = events.publish(kind, project=project)
        asked = categories is None or EVENTS[kind].category in categories
        if asked and (reader.project is None or project == reader.project):
            history.append(seq)
    seen: list[int] = []
    missed: int | None = 0
    for reading in drain(events, view, cursor, limit):
        assert reading.cursor.seq >= cursor.seq
        seen += [event.seq for event in reading.events]
        if reading.gap is not None:
            assert reading.gap.reason == "fell_behind"
            counted = reading.gap.missed
            missed = None if missed is None or counted is None else missed + sum(counted.values())
    assert seen == sorted(set(seen))
    assert set(seen) <= set(history)
    if missed is None:
        assert traces < len(published)
    else:
        assert len(seen) + missed == len(history)
        assert traces == 1000 or missed <= 4 * traces


def test_a_reader_that_fell_behind_is_told_what_it_missed(events: Events) -> None:
    events = Events(Clock(), Budget(ring_events=5))
    cursor = events.start("oldest")
    for kind in ["lane.create", "git.commit", "lane.delete"] * 4:
        events.publish(kind, project="prj_a")
    reading = events.read(View(OWNER, known_categories(["lane"])), cursor, **EVERYTHING)
    assert types(reading) == ["lane.delete", "lane.create", "lane.delete"]
    gap = reading.gap
    assert gap is not None
    assert (gap.reason, gap.first_seq, gap.last_seq, gap.missed) == ("fell_behind", 1, 7, {"lane": 5})
    assert events.read(View(OWNER), reading.cursor, **EVERYTHING).gap is None, "told once"


def test_a_cursor_of_an_earlier_runtime_is_told_so_and_reads_all_there_is(events: Events) -> None:
    old = Events(Clock())
    for _ in range(5):
        old.publish("git.commit")
    events.publish("lane.create")
    reading = events.read(View(OWNER), old.start("now"), **EVERYTHING)
    assert types(reading) == ["lane.create"]
    assert reading.gap is not None
    assert (reading.gap.reason, reading.gap.missed) == ("restarted", None)
    assert reading.cursor.epoch == events.epoch


@pytest.mark.parametrize(
    "text", ["", "x", "0123456789ab", "0123456789ab-", "0123456789ab--1", "0123456789AB-1"]
)
def test_a_cursor_nobody_gave_is_refused(events: Events, text: str) -> None:
    with pytest.raises(errors.InvalidCursor):
        events.place(text, "oldest")


def test_a_cursor_from_the_future_is_refused(events: Events) -> None:
    events.publish("git.commit")
    assert events.place(f"{events.epoch}-1", "now").seq == 1
    with pytest.raises(errors.InvalidCursor):
        events.place(f"{events.epoch}-2", "now")


def test_a_category_that_does_not_exist_is_refused() -> None:
    with pytest.raises(errors.UnknownCategory) as caught:
        known_categories(["lane", "lanes"])
    assert "lane" in caught.value.hint


def test_memory_is_bounded_and_a_busy_project_drops_only_its_own() -> None:
    events = Events(Clock(), Budget(ring_events=100, events=500, bytes=10**6, rings=8, traces=50))
    events.publish("lane.create", project="prj_quiet")
    for turn in range(5000):
        events.publish("git.commit", project=f"prj_{turn % 4}", data={"n": turn})
    buffer = events._buffer
    assert buffer._count <= 500
    assert all(len(ring.events) <= 100 and len(ring.traces) <= 50 for ring in buffer._rings.values())
    quiet = replace(AGENT, project="prj_quiet")
    reading = events.read(View(quiet), events.start("oldest"), **EVERYTHING)
    assert types(reading) == ["lane.create"]
    for turn in range(100):
        events.publish("git.commit", project=f"prj_new_{turn}")
    assert len(buffer._rings) <= 8
    told = events.read(View(quiet), Cursor(events.epoch, 0), **EVERYTHING)
    assert told.gap is not None
    assert told.gap.missed is None, "a project that was forgotten as a whole: nobody can say how many"


def test_bytes_are_bounded_and_large_data_is_left_out() -> None:
    events = Events(Clock(), Budget(ring_bytes=100_000, bytes=150_000))
    for _ in range(100):
        events.publish("git.commit", project="prj_a", data={"text": "x" * 10_000})
        events.publish("git.commit", project="prj_b", data={"text": "x" * 10_000})
    assert events._buffer._bytes <= 150_000
    assert events._buffer._bytes == sum(ring.bytes for ring in events._buffer._rings.values())
    seq = events.publish("git.commit", data={"text": "x" * (DATA_LIMIT + 1)})
    [event] = events.read(View(OWNER), Cursor(events.epoch, seq - 1), **EVERYTHING).events
    assert event.data["left_out"] is True
    reading = events.read(View(OWNER), Cursor(events.epoch, seq - 3), limit=10, max_bytes=1)
    assert (len(reading.events), reading.more) == (1, True), "one event always comes"


def test_a_session_sees_its_project_and_of_the_machine_itself_only(events: Events) -> None:
    events.publish("lane.create", project="prj_a", subject="own")
    events.publish("lane.create", project="prj_b", subject="foreign")
    events.publish("session.start", session="ses_other", subject="other")
    events.publish("session.end", session="ses_a", subject="itself")
    events.publish("git.commit", project="prj_a", readers=["ses_b"], subject="private")
    events.publish("git.commit", project="prj_a", readers=["ses_a", "ses_b"], subject="shared")

    def subjects(identity: Identity) -> list[str | None]:
        return [e.subject for e in events.read(View(identity), events.start("oldest"), **EVERYTHING).events]

    assert subjects(AGENT) == ["own", "itself", "shared"]
    assert subjects(OWNER) == ["own", "foreign", "other", "itself", "private", "shared"]
    unbound = replace(AGENT, project=None)
    assert subjects(unbound) == ["own", "foreign", "other", "itself", "shared"]


def test_events_of_a_toolset_are_seen_by_those_who_see_it(
    events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ade_runtime.contracts import Toolset
    from ade_runtime.events import service, view

    lead = Toolset(name="lead", summary="", roles=("cto",), modes=("lead",), server="lead")
    monkeypatch.setitem(view.TOOLSETS, "lead", lead)
    kind = EventType(type="lane.led", category="lane", summary="", toolset="lead", from_action=False)
    monkeypatch.setitem(service.EVENTS, "lane.led", kind)
    events.publish("lane.led")
    for identity, wanted in (
        (OWNER, 0),
        (replace(OWNER, role="cto"), 0),
        (replace(AGENT, role="cto", mode="lead", project=None), 1),
        (replace(AGENT, role="agent", mode="lead", project=None), 0),
    ):
        reading = events.read(View(identity), events.start("oldest"), **EVERYTHING)
        assert (len(reading.events), reading.gap) == (wanted, None)


def test_what_no_spec_declares_is_not_published(events: Events) -> None:
    with pytest.raises(KeyError):
        events.publish("lane.list")
    assert events.start("now").seq == 0


# -- waiting


async def until(truth: Callable[[], object]) -> None:
    """Let others have their turn until something is true."""
    while not truth():  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0)


async def test_a_poll_ends_with_the_first_event_that_fits(events: Events) -> None:
    view = View(OWNER, known_categories(["lane"]))
    task = asyncio.create_task(events.poll(view, events.start("now"), wait=60, **EVERYTHING))
    await until(lambda: events.waiting)
    for _ in range(3):
        events.publish("git.commit")
        await asyncio.sleep(0)
    assert not task.done()
    events.publish("lane.create")
    assert types(await task) == ["lane.create"]
    assert events.waiting == 0


async def test_a_poll_ends_when_its_time_is_over_or_the_runtime_ends(events: Events) -> None:
    reading = await events.poll(View(OWNER), events.start("now"), wait=0.01, **EVERYTHING)
    assert (reading.events, reading.more) == ([], False)
    task = asyncio.create_task(events.poll(View(OWNER), reading.cursor, wait=60, **EVERYTHING))
    await until(lambda: events.waiting)
    events.close()
    assert (await task).events == []
    assert (await events.poll(View(OWNER), reading.cursor, wait=60, **EVERYTHING)).events == []


async def test_a_hundred_that_wait_all_see_it_and_a_cancelled_one_leaves_nothing(events: Events) -> None:
    view, cursor = View(OWNER), events.start("now")
    tasks = [asyncio.create_task(events.poll(view, cursor, wait=60, **EVERYTHING)) for _ in range(100)]
    await until(lambda: events.waiting == 100)
    tasks[0].cancel()
    await asyncio.wait([tasks[0]])
    events.publish("lane.create")
    assert all(types(one) == ["lane.create"] for one in await asyncio.gather(*tasks[1:]))
    assert events.waiting == 0
