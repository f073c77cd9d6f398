"""Documents as text: whole for a pipe, fitted to a terminal, and harmless whatever they hold."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.cli.clean import cells, clean, clean_line
from ade_runtime.cli.render import Screen, render


def layout(kind: str, *columns: tuple[str, str] | tuple[str, str, str], **more: Any) -> Any:
    made = [SimpleNamespace(field=c[0], label=c[1], format=c[2] if len(c) > 2 else None) for c in columns]
    return SimpleNamespace(
        **{
            "kind": kind,
            "headline": None,
            "rows": None,
            "body": None,
            "empty": None,
            "columns": made,
            "parts": (),
            **more,
        }
    )


TABLE = layout(
    "table",
    ("name", "Name"),
    ("status.dirty", "Dirty"),
    ("at", "When", "time"),
    rows="items",
    empty="No lanes.",
)
PLAIN = Screen()
TERMINAL = Screen(width=40, terminal=True, color=True)


def test_a_card() -> None:
    card = layout(
        "card",
        ("name", "Name"),
        ("status.ahead", "Ahead"),
        ("gone", "Gone"),
        ("head", "Commit", "commit"),
        headline="Lane {name} ({status.state})",
    )
    document = {
        "name": "fix-login",
        "status": {"ahead": 2, "state": "clean"},
        "gone": None,
        "head": "0123456789abcdef",
    }
    assert (
        render(document, card, PLAIN)
        == "Lane fix-login (clean)\n  Name:   fix-login\n  Ahead:  2\n  Commit: 0123456789\n"
    )


def test_a_table() -> None:
    document = {
        "items": [
            {"name": "fix", "status": {"dirty": True}, "at": "2026-11-30T10:20:30+02:00"},
            {"name": "日本", "status": {"dirty": False}, "at": None},
        ],
        "total": 5,
        "next": "c2",
    }
    assert render(document, TABLE, PLAIN).splitlines() == [
        "NAME  DIRTY  WHEN",
        "fix   yes    2026-11-30 08:20 UTC",
        "日本  no     -",
        "2 of 5 shown; go on with --cursor c2",
    ]


def test_an_empty_table_says_so() -> None:
    assert render({"items": [], "total": 0, "next": None}, TABLE, PLAIN) == "No lanes.\n"


def test_a_block_keeps_its_lines() -> None:
    block = layout("block", body="patch", headline="{file}")
    assert render({"file": "a.py", "patch": "@@\n-\tx\n+\ty"}, block, PLAIN) == "a.py\n@@\n-\tx\n+\ty\n"


def test_what_belongs_to_a_block_stands_below_it() -> None:
    block = layout("block", ("backup", "Copy"), ("notes", "Notes"), body="content")
    document = {"content": "a: 1\n", "backup": None, "notes": ["Trust it once."]}
    assert render(document, block, PLAIN) == "a: 1\n  Notes: Trust it once.\n"


def test_a_list_shows_each_row_as_a_card_and_without_columns_all_that_it_holds() -> None:
    named = layout("list", ("id", "Chat"), ("problem", "Problem"), rows="items", headline="Wants attention")
    items: list[dict[str, Any]] = [{"id": "a", "problem": None}, {"id": "b", "problem": "It ended."}]
    shown = "Wants attention\n  Chat: a\n\n  Chat:    b\n  Problem: It ended.\n"
    assert render({"items": items, "next": None}, named, PLAIN) == shown
    whole = layout("list", rows="items", empty="Nothing in this section.")
    item = {
        "stage": "rounds",
        "pendingQuestion": None,
        "rounds": [
            {"index": 1, "askedAt": "2026-11-30T10:20:30Z"},
            {"index": 2, "answers": {"db": "two\nlines"}},
        ],
        "tags": ["a", "b"],
    }
    assert render({"items": [item]}, whole, PLAIN).splitlines() == [
        "  Stage:      rounds",
        "  Rounds 1:",
        "    Index:    1",
        "    Asked at: 2026-11-30 10:20 UTC",
        "  Rounds 2:",
        "    Index:    2",
        "    Answers:",
        "      Db:     two lines",
        "  Tags:       a, b",
    ]
    assert render({"items": []}, whole, PLAIN) == "Nothing in this section.\n"


def test_rows_that_are_all_alike_are_a_table_also_where_no_layout_names_their_fields() -> None:
    whole = layout("list", rows="items")
    alike = [{"id": "planning", "isDone": True}, {"id": "wrapup", "isDone": False}]
    assert render({"items": alike}, whole, PLAIN).splitlines() == [
        "ID        IS DONE",
        "planning  yes",
        "wrapup    no",
    ]
    assert "Id:" in render({"items": [*alike, {"id": "x"}]}, whole, PLAIN)


def test_a_page_shows_its_parts_and_leaves_out_those_with_nothing_to_show() -> None:
    numbers = layout("card", ("lanes", "Lanes"))
    chats = layout("table", ("state", "State"), rows="chats", empty="No chats.")
    wants = layout("list", ("id", "Chat"), rows="wants", headline="Wants attention")
    text = layout("block", body="text", headline="Told")
    page = layout("page", headline="Project {name}", parts=(numbers, chats, wants, text))
    document = {"name": "x", "lanes": 2, "chats": [], "wants": [], "text": "", "notes": ["Look."]}
    assert render(document, page, PLAIN) == "Project x\n  Lanes: 2\n\nNo chats.\nnote: Look.\n"
    document |= {"wants": [{"id": "a"}], "text": "You are Ada."}
    assert render(document, page, PLAIN).endswith(
        "No chats.\n\nWants attention\n  Chat: a\n\nTold\nYou are Ada.\nnote: Look.\n"
    )


def test_a_path_through_a_list_leads_into_each_of_its_elements() -> None:
    card = layout(
        "card", ("parts.text", "Asks"), ("parts.choices.label", "Choices"), ("parts.nowhere", "Nothing")
    )
    parts = [{"text": "One?", "choices": [{"label": "a"}, {"label": "b"}]}, {"text": "Two?", "choices": []}]
    assert render({"parts": parts}, card, PLAIN).splitlines() == ["  Asks:    One?, Two?", "  Choices: a, b"]


def test_fault_28_what_could_not_be_looked_at_is_told_under_every_layout() -> None:
    document = {
        "items": [],
        "notes": ["2 lanes were left\x1b out"],
        "failures": [{"lanes": ["a", "b"], "code": "lane_missing", "message": "It is gone."}],
    }
    lines = render(document, TABLE, PLAIN).splitlines()
    assert lines[0] == "No lanes."
    assert lines[1].startswith("note: 2 lanes were left") and "\x1b" not in lines[1]
    assert lines[2] == "failed: a, b lane_missing It is gone."
    assert render({"items": [], "notes": [], "failures": []}, TABLE, PLAIN) == "No lanes.\n"
    own = layout("card", ("notes", "Notes"))
    assert render({"notes": ["once"]}, own, PLAIN).count("once") == 1


def test_without_a_layout_every_field_is_shown() -> None:
    text = render(
        {"status": "ok", "list": [1, 2], "rows": [{"a": 1, "b": "x"}], "deep": {"a": {"b": 1}}, "none": None},
        None,
        PLAIN,
    )
    assert text.splitlines() == [
        "  status: ok",
        "  list:   1, 2",
        "  rows:   1 x",
        '  deep:   {"a":{"b":1}}',
        "  none:   -",
    ]


def test_nothing_is_cut_for_a_pipe() -> None:
    path = "/home/" + "x" * 300
    assert path in render({"items": [{"name": path}]}, TABLE, PLAIN)


def test_a_terminal_gets_its_width_and_no_more() -> None:
    text = render({"items": [{"name": "word " * 40, "status": {"dirty": True}, "at": None}]}, TABLE, TERMINAL)
    assert max(cells(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in text.splitlines()) <= 40
    assert "\x1b[" in text


def test_no_colour_means_no_escape() -> None:
    assert "\x1b" not in render(
        {"items": [{"name": "a"}]}, TABLE, Screen(width=40, terminal=True, color=False)
    )


@pytest.mark.parametrize("screen", [PLAIN, TERMINAL])
@given(text=st.text(max_size=50))
def test_data_never_reaches_the_terminal_raw(screen: Screen, text: str) -> None:
    hostile = f"\x1b]0;owned\x07{text}\u202e\x9b31m\x00[red]"
    document = {"name": hostile, "items": [{"name": hostile}], "total": 9, "next": hostile, "patch": hostile}
    shapes = [TABLE, layout("card", ("name", "N"), headline="{name}"), layout("block", body="patch"), None]
    for shape in shapes:
        shown = render(document, shape, screen)
        ours = re.sub("\x1b\\[[0-9;]*m", "", shown) if screen.color else shown
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", ours)
        assert "[red]" in ours.replace("\n", "") or screen.terminal


def test_markup_is_text() -> None:
    text = render(
        {"items": [{"name": "[bold]x[/bold] :smile:"}]}, TABLE, Screen(width=200, terminal=True, color=True)
    )
    assert "[bold]x[/bold] :smile:" in text


def test_cleaning_keeps_what_people_write() -> None:
    plain = "naïve 日本語 🎉 e\u0301\ttab\nline"
    assert clean(plain) == plain
    assert clean_line("a\nb") == "a\\nb"
    assert clean("\x1b[31m") == "\\x1b[31m"
    assert cells("日本") == 4
    assert cells("e\u0301") == 1


def test_sentences_are_broken_between_words_on_a_terminal_alone() -> None:
    long = layout("table", ("name", "Name"), rows="items", headline="{lane}: {state}", empty="{empty}")
    document = {
        "lane": "fix-login",
        "state": "0 staged, 0 changed, 28 untracked, 0 in conflict; 日本語 日本語 日本語 日本語 日本語",
        "empty": "Nothing is here yet; begin with `ade lanes create NAME`.",
        "items": [],
        "notes": [f"allow it with ade config trust sha256:{'0' * 64} if you mean it to be run"],
    }
    text = render(document, long, Screen(width=40, terminal=True))
    lines = text.splitlines()
    assert [line for line in lines if cells(line) > 40] == [f"  sha256:{'0' * 64}"], "no word is broken"
    whole = render(document, long, PLAIN)
    assert " ".join(text.split()) == " ".join(whole.split())
    assert len(whole.splitlines()) == 3, "a pipe gets whole lines"


def test_a_number_in_a_path_is_the_place_of_an_element() -> None:
    rows = layout("table", ("said.0.by", "BY"), ("said.1.by", "THEN"), rows="items")
    document = {"items": [{"said": [{"by": "ada"}, {"by": "grace"}]}, {"said": []}]}
    assert render(document, rows, Screen()).splitlines() == ["BY   THEN", "ada  grace", "-    -"]


def test_what_to_do_next_is_not_taken_for_a_cursor() -> None:
    rows = layout("table", ("name", "NAME"), rows="items")
    told = render({"items": [{"name": "a"}], "next": "`ade prs watch 3` waits."}, rows, Screen())
    assert told.splitlines()[-1] == "next: `ade prs watch 3` waits."
