"""What is typed into ``ade inbox``: keys out of bytes, answers out of texts, and a screen of any size."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ade_runtime.client.inbox.answers import ANSWER_LIMIT, AnswerError, markers, read_answer
from ade_runtime.client.inbox.state import Item, State
from ade_runtime.client.inbox.view import View
from ade_runtime.client.live.keys import Keys

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
TYPED = "aé\x1b[A\x1bOB\x1b[5~\r\x7f\x1b[200~x\r\ny\x1b[201~\x03\x1b[97;5uz".encode()
READ = [
    ("text", "a"),
    ("text", "é"),
    ("up", ""),
    ("down", ""),
    ("page up", ""),
    ("enter", ""),
    ("backspace", ""),
    ("text", "x\ny"),
    ("interrupt", ""),
    ("text", "z"),
]


def choices(*labels: str) -> list[dict[str, Any]]:
    return [{"label": label, "description": None} for label in labels]


def part(*labels: str, multiple: bool = False, free: bool = False) -> dict[str, Any]:
    return {"id": "p", "text": "?", "choices": choices(*labels), "multiple": multiple, "free": free}


@given(st.lists(st.integers(0, len(TYPED)), max_size=6))
def test_keys_are_the_same_wherever_what_is_typed_is_cut(cuts: list[int]) -> None:
    keys, start = Keys(), 0
    found: list[tuple[str, str]] = []
    for end in [*sorted(cuts), len(TYPED)]:
        found += keys.read(TYPED[start:end])
        start = end
    assert found == READ


def test_an_escape_waits_for_what_may_follow() -> None:
    keys = Keys()
    assert list(keys.read(b"\x1b")) == []
    assert keys.waiting
    assert list(keys.flush()) == [("escape", "")]
    assert list(keys.read(b"\x1bx")) == [("escape", ""), ("text", "x")]


@given(st.binary(max_size=80))
def test_no_bytes_break_the_keys(data: bytes) -> None:
    keys = Keys()
    for name, text in [*keys.read(data), *keys.flush()]:
        assert (name == "text") == bool(text)


@pytest.mark.parametrize(
    ("asked", "typed", "values"),
    [
        (part(), " anything, at all ", ["anything, at all"]),
        (part("Yes", "No"), "2", ["No"]),
        (part("Yes", "No"), "yes", ["Yes"]),
        (part("10", "2"), "2", ["2"]),
        (part("10", "2"), "a", ["10"]),
        (part("1", "b"), "#1", ["1"]),
        (part("a", "b", "c", multiple=True), "3,1 , 3", ["c", "a"]),
        (part("x, y", "z", multiple=True), "x, y", ["x, y"]),
        (part("Yes", "No", free=True), "maybe", ["maybe"]),
        (part("a", "b", multiple=True, free=True), "1, or not", ["1, or not"]),
    ],
)
def test_an_answer_is_a_label_its_marker_or_a_text(
    asked: dict[str, Any], typed: str, values: list[str]
) -> None:
    assert read_answer(asked, typed) == values


@pytest.mark.parametrize(
    ("asked", "typed", "told"),
    [
        (part(), "  ", "type an answer"),
        (part("Yes"), "", "type 1"),
        (part("Yes", "No"), "3", "type 1 to 2"),
        (part("Yes", "No"), "1, 2", "type 1 to 2"),
        (part("a", "b", multiple=True), "1, 4", "type 1 to 2, or several"),
        (part(), "x" * (ANSWER_LIMIT + 1), "at most"),
    ],
)
def test_what_is_no_answer_says_what_to_type(asked: dict[str, Any], typed: str, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        read_answer(asked, typed)


def test_markers_are_never_labels() -> None:
    for labels in (["x", "y"], ["1", "2"], ["1", "a"]):
        assert not set(markers(choices(*labels))) & set(labels)


def item(identifier: str, title: str, body: str) -> Item:
    question = {"body": body, "parts": [part("Yes", title, free=True)]}
    return {
        "kind": "question",
        "id": identifier,
        "title": title,
        "project": None,
        "session": None,
        "asked_by": title,
        "created_at": (NOW - timedelta(minutes=5)).isoformat(),
        "question": question,
        "approval": None,
    }


@given(
    st.integers(1, 40),
    st.integers(1, 120),
    st.lists(st.tuples(st.text(max_size=30), st.text(max_size=200)), max_size=5),
    st.text(max_size=60),
    st.sampled_from(["choose", "answer", "dismiss"]),
)
def test_every_screen_fits_and_holds_no_controls_of_others(
    rows: int, columns: int, texts: list[tuple[str, str]], typed: str, mode: Any
) -> None:
    state = State(lambda *_: None)
    state.show([item(str(place), *pair) for place, pair in enumerate(texts)])
    if texts:
        state.mode = mode
        state.typed = typed
    drawn = View(plain=True).draw(state, rows, columns, NOW).decode()
    body = drawn.removeprefix("\x1b[?25l\x1b[H").partition("\x1b[J")[0]
    lines = body.split("\r\n")
    assert len(lines) == rows
    for line in lines:
        shown = line.removesuffix("\x1b[K")
        assert "\x1b" not in shown
        assert "\n" not in shown
        if columns >= 8:
            assert cell_len(shown) <= columns, repr(shown)


def test_nothing_is_sent_for_an_item_that_moved_under_the_key() -> None:
    sent: list[tuple[str, str]] = []
    state = State(lambda item, action, *_: sent.append((item["id"], action)))
    first, second = item("one", "One", ""), item("two", "Two", "")
    state.show([first, second])
    state.show([second])
    state.key("text", "d")
    state.key("text", "y")
    assert sent == []
    state.key("down", "")
    state.key("text", "d")
    state.key("text", "y")
    assert sent == [("two", "user.respond")]
    state.key("text", "d")
    assert state.mode == "choose", "one answer at a time"
