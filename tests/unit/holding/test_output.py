"""Output in files of bounded size: nothing is lost silently, and everything has an offset."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_runtime.holding import output
from ade_runtime.holding.output import Output, extent, read


def test_everything_is_there_while_it_fits(tmp_path: Path) -> None:
    out = Output(str(tmp_path), 10, 4)
    out.write(b"0123456789abcdefghij")
    out.write(b"klm")
    assert out.end == 23
    assert extent(str(tmp_path)) == (0, 23)
    assert read(str(tmp_path), 0, 100) == (0, b"0123456789abcdefghijklm")
    assert read(str(tmp_path), 8, 5) == (8, b"89abc")
    assert read(str(tmp_path), 23, 5) == (23, b"")


def test_the_oldest_is_let_go_and_a_reader_learns_how_much(tmp_path: Path) -> None:
    out = Output(str(tmp_path), 10, 2)
    out.write(bytes(range(35)))
    assert extent(str(tmp_path)) == (20, 35)
    assert read(str(tmp_path), 3, 100) == (20, bytes(range(20, 35)))
    assert len(list(tmp_path.iterdir())) == 2


def test_nothing_was_printed(tmp_path: Path) -> None:
    assert extent(str(tmp_path)) == (0, 0)
    assert read(str(tmp_path), 0, 10) == (0, b"")
    assert extent(str(tmp_path / "gone")) == (0, 0)
    assert read(str(tmp_path / "gone"), 5, 10) == (5, b"")


def test_a_full_disk_drops_bytes_and_tells_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Output(str(tmp_path), 100, 4)
    out.write(b"before")

    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(output.os, "write", full)
        out.write(b"lost")
    out.write(b"after")
    assert out.end == 15
    assert read(str(tmp_path), 0, 100) == (0, b"before")
    assert read(str(tmp_path), 6, 100) == (10, b"after")


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.binary(max_size=40), max_size=12), st.integers(1, 16), st.integers(1, 4), st.integers(1, 50)
)
def test_reading_on_gives_every_byte_or_says_how_many_are_gone(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], segment: int, keep: int, limit: int
) -> None:
    folder = str(tmp_path_factory.mktemp("out"))
    out, whole, cursor = Output(folder, segment, keep), b"", 0
    for part in parts:
        out.write(part)
        whole += part
        start, data = read(folder, cursor, limit)
        assert start >= cursor
        assert whole[start : start + len(data)] == data
        assert sum(os.stat(f"{folder}/{name}").st_size for name in os.listdir(folder)) <= segment * keep  # noqa: PTH116, PTH208
        cursor = start + len(data)
