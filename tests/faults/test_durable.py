"""D9: an answer is sent only once what it tells is on the disk. ``make stress`` looks at a hundred."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command, command
from tests.support.strace import FILES, answers_before_their_sync, unsynced_answers

CALLS = 15


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def test_d9_every_answer_to_a_write_follows_its_sync(ade: Command, tmp_path: Path) -> None:
    assert answers_before_their_sync(ade, tmp_path / "trace", CALLS) == (CALLS, [])


def test_the_reader_of_traces_sees_an_answer_that_came_too_early() -> None:
    write = '7 pwrite64(9</h/state.db>, "x", 1, 0) = 1'
    sync = "7 fdatasync(9</h/state.db>) = 0"
    begun, ended = "7 fdatasync(9</h/state.db> <unfinished ...>", "7 <... fdatasync resumed>) = 0"
    send = '5 write(8<UNIX-STREAM:[1->2]>, "answer", 6) = 6'
    other = '5 write(3</h/logs/runtime.log>, "line", 4) = 4'

    def early(*lines: str) -> int:
        return len(unsynced_answers(lines, '"answer"', FILES)[1])

    assert early(write, sync, other, send) == 0
    assert early(write, begun, ended, send) == 0
    assert early(write, send) == 1
    assert early(write, begun, send, ended) == 1
    assert early(write, sync, write, send) == 1
    assert early(write, sync, send, send) == 1
    assert early(write, "7 fdatasync(9</h/other.db>) = 0", send) == 1
