"""Bytes become the same frames however they are cut, and memory stays bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.server.framing import Fault, Frame, FrameReader, encode

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def bodies(found: list[Frame | Fault]) -> list[tuple[bytes, bool] | Fault]:
    return [item if isinstance(item, Fault) else (item.body.strip(), item.headed) for item in found]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (PING + b"\n", [(PING, False)]),
        (PING + b"\r\n", [(PING, False)]),
        (b"\n\r\n   \n" + PING + b"\n", [(PING, False)]),
        (PING + b"\n" + PING + b"\n", [(PING, False), (PING, False)]),
        (encode(PING, headed=True), [(PING, True)]),
        (b"content-length:40\r\nContent-Type: x; charset=utf-8\r\n\r\n" + PING, [(PING, True)]),
        (b"Content-Length: 40\n\n" + PING, [(PING, True)]),
        (
            encode(PING, headed=True) + PING + b"\n" + encode(PING, headed=True),
            [(PING, True), (PING, False), (PING, True)],
        ),
        (PING + b"\n" + encode(PING, headed=True), [(PING, False), (PING, True)]),
        (b"Content-Length: 0\r\n\r\n" + PING + b"\n", [(b"", True), (PING, False)]),
        (b"Content-Length: -5\r\n\r\n" + PING, [Fault.BAD_HEADER]),
        (b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", [Fault.BAD_HEADER]),
        (b"Content-Length: 99999999999999999999\r\n\r\n", [Fault.BAD_HEADER]),
        (b"Content-Type: x\r\n\r\n" + PING, [Fault.BAD_HEADER]),
        (b"Content-" + b"x" * 9000, [Fault.BAD_HEADER]),
        (b"cat\n" + PING + b"\n", [(b"cat", False), (PING, False)]),
    ],
)
def test_streams(stream: bytes, expected: list[object]) -> None:
    assert bodies(FrameReader().feed(stream)) == expected
    slow = FrameReader()
    assert bodies([item for byte in stream for item in slow.feed(bytes([byte]))]) == expected


@given(
    st.lists(
        st.tuples(st.binary(max_size=60).filter(lambda b: b.strip() and b"\n" not in b), st.booleans()),
        max_size=8,
    ),
    st.data(),
)
def test_any_cut_gives_the_same_frames(messages: list[tuple[bytes, bool]], data: st.DataObject) -> None:
    messages = [(b"{" + body, headed) for body, headed in messages]
    stream = b"".join(encode(body, headed=headed) for body, headed in messages)
    reader = FrameReader()
    found: list[Frame | Fault] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += reader.feed(stream[:size])
        stream = stream[size:]
    assert bodies(found) == [(body.strip(), headed) for body, headed in messages]


def test_a_line_over_the_limit_is_told_once_and_skipped() -> None:
    reader = FrameReader(limit=100)
    found = [item for _ in range(50) for item in reader.feed(b"x" * 10)]
    assert found == [Fault.TOO_LARGE]
    assert bodies(reader.feed(b"rest\n" + PING + b"\n")) == [(PING, False)]


def test_a_whole_line_over_the_limit_is_refused() -> None:
    assert bodies(FrameReader(limit=10).feed(b"{" + b"x" * 10 + b"\n" + b"{}\n")) == [
        Fault.TOO_LARGE,
        (b"{}", False),
    ]


def test_a_headed_frame_over_the_limit_is_skipped_by_its_length() -> None:
    reader = FrameReader(limit=100)
    assert reader.feed(b"Content-Length: 150\r\n\r\n" + b"y" * 100) == [Fault.TOO_LARGE]
    assert bodies(reader.feed(b"y" * 50 + PING + b"\n")) == [(PING, False)]


def test_memory_is_bounded_while_a_line_never_ends() -> None:
    reader = FrameReader(limit=1000)
    for _ in range(1000):
        reader.feed(b"x" * 1000)
        assert len(reader._buffer) <= 2001
