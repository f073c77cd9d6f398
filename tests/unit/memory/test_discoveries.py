"""The queue of discoveries: whatever happens between reading and acknowledging, nothing is passed over."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from ade_generated import errors
from ade_runtime.memory import discoveries
from ade_runtime.storage.engine import OpenDatabase, open_database
from ade_runtime.storage.schema import memory_discoveries, projects
from tests.unit.memory.test_facts import note

PROJECT = "prj_sample"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[OpenDatabase]:
    opened = open_database(tmp_path / "state.db")
    row = {"id": PROJECT, "root": "/p", "git_dir": "/p/.git", "name": "p", "added_at": 0, "last_used_at": 0}
    with opened.transaction(True) as db:
        db.execute(insert(projects).values(**row))
    yield opened
    opened.close()


def append(database: OpenDatabase, text: str) -> str:
    with database.transaction(True) as db:
        return discoveries.append(db, PROJECT, note(text))[0]


def read(
    database: OpenDatabase, acknowledge: int | None = None, limit: int = 50, max_bytes: int = 65536
) -> discoveries.Batch:
    with database.transaction(True) as db:
        return discoveries.read(db, PROJECT, acknowledge=acknowledge, limit=limit, max_bytes=max_bytes)


def test_a_reader_that_dies_before_it_acknowledges_is_given_the_same(database: OpenDatabase) -> None:
    for number in range(3):
        append(database, f"discovery {number}")
    first = read(database, limit=2)
    assert read(database, limit=2) == first
    following = read(database, acknowledge=first.cursor)
    assert [item.text for item in following.items] == ["discovery 2"]
    assert following.waiting == 1
    nothing = read(database, acknowledge=following.cursor)
    assert (nothing.items, nothing.waiting, nothing.cursor) == ((), 0, following.cursor)


def test_a_cursor_within_an_entry_gives_that_entry_again(database: OpenDatabase) -> None:
    append(database, "one")
    append(database, "two")
    batch = read(database)
    for cursor in range(batch.items[0].end, batch.items[1].end):
        assert [item.text for item in read(database, acknowledge=cursor).items] == ["two"]


def test_nothing_is_acknowledged_that_was_never_read(database: OpenDatabase) -> None:
    append(database, "one")
    append(database, "two")
    seen = read(database, limit=1).cursor
    with pytest.raises(errors.DiscoveryCursorUnknown):
        read(database, acknowledge=seen + 1)
    assert [item.text for item in read(database).items] == ["one", "two"]


def test_going_back_changes_nothing(database: OpenDatabase) -> None:
    append(database, "one")
    seen = read(database).cursor
    assert read(database, acknowledge=seen).waiting == 0
    assert read(database, acknowledge=0).acknowledged == seen


def test_the_same_waits_once_and_may_come_again_later(database: OpenDatabase) -> None:
    first = append(database, "The door is open.")
    assert append(database, "the door  is open") == first
    read(database, acknowledge=read(database).cursor)
    assert append(database, "The door is open.") != first


def test_a_full_queue_says_so(database: OpenDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discoveries, "MOST_WAITING", 2)
    append(database, "one")
    append(database, "two")
    with pytest.raises(errors.DiscoveriesFull):
        append(database, "three")
    read(database, acknowledge=read(database).cursor)
    append(database, "three")


def test_the_first_is_given_however_long_it_is(database: OpenDatabase) -> None:
    append(database, "x" * 4000)
    append(database, "short")
    batch = read(database, max_bytes=1024)
    assert [len(item.text) for item in batch.items] == [4000]


@pytest.mark.parametrize("seed", range(20))
def test_by_chance_every_one_is_delivered_in_order_and_none_is_passed_over(
    database: OpenDatabase, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discoveries, "DEALT_WITH_KEPT", 3)
    chance = random.Random(seed)
    sent: list[str] = []
    dealt_with: list[str] = []
    cursor: int | None = None
    pending: list[str] = []
    for step in range(120):
        if chance.random() < 0.5:
            text = f"{step} {'é' * chance.randrange(200)}"
            append(database, text)
            sent.append(text)
            continue
        acknowledge = (
            cursor if chance.random() < 0.6 else None
        )  # else the reader died, and a new one knows no cursor
        if acknowledge is not None:
            dealt_with += pending
        batch = read(database, acknowledge, chance.randrange(1, 6), chance.choice([1024, 65536]))
        cursor, pending = batch.cursor, [item.text for item in batch.items]
        assert pending == sent[len(dealt_with) :][: len(pending)]
        assert batch.waiting == len(sent) - len(dealt_with)
        if not pending:
            assert len(dealt_with) == len(sent)


def test_the_stream_has_no_gaps_and_keeps_little_of_what_was_dealt_with(
    database: OpenDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discoveries, "DEALT_WITH_KEPT", 4)
    for number in range(20):
        append(database, f"discovery {number}")
    read(database, acknowledge=read(database, limit=15).cursor)
    with database.transaction(False) as db:
        rows = db.execute(select(memory_discoveries).order_by(memory_discoveries.c.start)).all()
    assert len(rows) == 9
    assert all(one.end == two.start for one, two in itertools.pairwise(rows))
