"""Terminal output as plain text, cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.client.modes import Modes
from ade_runtime.terminals.keys import KEYS, control_key
from ade_runtime.terminals.text import first_character, plain, whole

PLAIN = {
    b"hello\r\nworld\r\n": "hello\nworld\n",
    b"\x1b[1;31mred\x1b[0m": "red",
    b"\x1b]0;title\x07text": "text",
    b"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\": "link",
    b"\x1bPq#0;2;0;0;0\x1b\\sixel": "sixel",
    b"\x1b(B\x1b)0charset": "charset",
    b"\x1b[?2004h$ ls\x1b[?2004l\r\n": "$ ls\n",
    b" 10%\r 50%\r100%\r\n": "100%\n",
    b"100%\r": "100%",
    b"ab\x08c\r\n": "ac\n",
    b"\x08\x08a": "a",
    b"a\x07b\x00c": "abc",
    b"tab\there": "tab\there",
    "grün 修正 🙂".encode(): "grün 修正 🙂",
    b"\xff\xfe": "\ufffd\ufffd",
    b"\x1b[31": "31",
}


@pytest.mark.parametrize(("printed", "text"), PLAIN.items())
def test_plain(printed: bytes, text: str) -> None:
    if printed == b"\x1b[31":
        assert "\x1b" not in plain(printed)
    else:
        assert plain(printed) == text


WHOLE = {
    b"abc": 3,
    "grü".encode()[:-1]: 2,
    "修".encode()[:2]: 0,
    "🙂".encode()[:3]: 0,
    "🙂".encode(): 4,
    b"ab\x1b": 2,
    b"ab\x1b[": 2,
    b"ab\x1b[38;5;1": 2,
    b"ab\x1b[0m": 6,
    b"ab\x1b]0;tit": 2,
    b"ab\x1b]0;tit\x1b": 2,
    b"ab\x1b]0;tit\x1b\\": 11,
    b"ab\x1b(": 2,
    b"\xff": 1,
}


@pytest.mark.parametrize(("data", "length"), WHOLE.items())
def test_an_unfinished_end_waits_for_its_rest(data: bytes, length: int) -> None:
    assert whole(data) == length


PIECES = st.lists(
    st.sampled_from(
        [
            b"word ",
            b"\r\n",
            b"\x1b[1m",
            b"\x1b[38;5;12m",
            b"\x1b]0;t\x07",
            b"\x1b]2;x\x1b\\",
            "ü修🙂".encode(),
            b"\t",
            b"\x1b(B",
        ]
    ),
    max_size=30,
)


@given(PIECES, st.integers(1, 40))
def test_reading_in_pieces_gives_what_reading_at_once_does(pieces: list[bytes], size: int) -> None:
    data = b"".join(pieces)
    text, cursor, held = "", 0, 0
    while cursor < len(data):
        part = data[cursor : cursor + size + held]
        length = whole(part) if cursor + len(part) < len(data) else len(part)
        if length == 0:
            held += size
            continue
        text, cursor, held = text + plain(part[:length].replace(b"\r", b"")), cursor + length, 0
    assert text == plain(data.replace(b"\r", b""))


def test_a_tail_begins_with_a_whole_character() -> None:
    data = "🙂ab".encode()
    assert [first_character(data[start:]) for start in range(5)] == [0, 3, 2, 1, 0]


def test_keys_are_what_terminals_send() -> None:
    assert control_key("ctrl-\\") == b"\x1c"
    assert control_key("ctrl-]") == b"\x1d"
    assert control_key("ctrl-a") == b"\x01"
    assert control_key("none") == b""
    assert KEYS["enter"] == "\r"


def test_modes_that_a_program_left_on_are_switched_off() -> None:
    modes = Modes()
    modes.note(b"\x1b[?1049h\x1b[?25l\x1b[?1000;10")
    modes.note(b"06h text \x1b[?2004h\x1b[?2004l\x1b[?7727h")
    undone = modes.undo()
    for sequence in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1006l"):
        assert sequence in undone
    assert b"2004" not in undone
    assert b"7727" not in undone


def test_a_program_that_only_printed_text_changes_nothing() -> None:
    modes = Modes()
    modes.note(b"just text\r\n")
    assert modes.undo() == b""
