"""Comments that show proof: readable, bounded, and blind to what captions and contents try."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.proof.markdown import LONGEST, Shown, comment, url_problem
from ade_runtime.proof.records import ProofRecord


def record(**changes: Any) -> ProofRecord:
    facts: dict[str, Any] = {
        "id": "prf_1",
        "project": "prj_1",
        "lane": "lane_1",
        "session": None,
        "kind": "log",
        "name": "tests.log",
        "caption": "All tests pass.",
        "about": None,
        "source": "file",
        "sha256": "a" * 64,
        "size": 9,
        "width": None,
        "height": None,
        "pinned": False,
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    return ProofRecord(**facts | changes)


def test_a_text_stands_in_the_comment() -> None:
    body, left = comment("Proof", [Shown(record(), None, "12 passed")])
    facts = f"**All tests pass.**<br>File tests.log (log, 9 bytes), SHA-256 `{'a' * 64}`"
    block = "<details><summary>Its text</summary>\n\n```text\n12 passed\n```\n\n</details>\n"
    assert body == f"### Proof\n\n{facts}\n\n{block}"
    assert left == []


def test_only_the_beginning_of_a_long_text_stands_there_and_that_is_said() -> None:
    body, left = comment("Proof", [Shown(record(size=5000), None, "x" * 4096)])
    assert "The first of 5000 bytes" in body
    assert left == ["prf_1"]


def test_a_picture_is_shown_where_its_address_is_given_and_else_said_to_be_missing() -> None:
    picture = record(kind="png", name="login.png", caption=None, width=640, height=480, size=2048)
    body, left = comment("Proof", [Shown(picture, "https://example.org/a.png?x=1", None)])
    assert "![login.png](https://example.org/a.png?x=1)" in body
    assert "(png, 640×480, 2.0 KiB)" in body
    assert left == []
    body, left = comment("Proof", [Shown(picture, None, None)])
    assert "not in this comment" in body
    assert left == ["prf_1"]


def test_a_film_is_a_link_and_no_picture() -> None:
    body, _ = comment("Proof", [Shown(record(kind="mp4"), "https://example.org/a.mp4", None)])
    assert "\n[All tests pass.](https://example.org/a.mp4)" in body


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("@octocat look", "@octocat"),
        ("fixes #12", "#12"),
        ("<script>alert(1)</script>", "<script>"),
        ("[x](https://evil.example)", "[x]("),
        ("![x](https://evil.example/a.png)", "![x]("),
        ("a\n\n# Heading", "\n# Heading"),
        ("**bold**", "****bold"),
        ("a</details>b", "a</details>"),
        ("\u202eevil", "\u202e"),
    ],
)
def test_captions_and_names_are_just_text(text: str, never: str) -> None:
    body, _ = comment(text, [Shown(record(caption=text, name=text), None, "x")])
    assert never not in body


def test_a_content_cannot_end_its_block() -> None:
    body, _ = comment("Proof", [Shown(record(), None, "```\n</details>\n````\nafter")])
    assert body.count("`````") == 2


def test_it_stays_below_what_a_comment_may_have() -> None:
    many = [Shown(record(id=f"prf_{number}", caption="c" * 2000), None, "`" * 4000) for number in range(50)]
    body, left = comment("Proof", many)
    assert len(body) <= LONGEST
    assert left
    assert left[-1] == "prf_49", "what does not fit any more is named at least"


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_out(title: str, caption: str, content: str) -> None:
    body, _ = comment(title, [Shown(record(caption=caption or None), None, content)])
    lines = body.split("\n")
    assert lines[0].startswith("### ")
    outside = body[: body.index("<details>")]
    assert "<script" not in outside
    assert outside.count("\n") == 4, "title and facts stay on lines of their own"


@pytest.mark.parametrize("url", ["https://example.org/a.png", "HTTPS://example.org/a%20b?x=1#y"])
def test_addresses_that_may_be_shown(url: str) -> None:
    assert url_problem(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "javascript:alert(1)",
        "data:image/png;base64,x",
        "https://a b",
        "https://a)b",
        "https://a\nb",
        "https://<a>",
        "",
    ],
)
def test_addresses_that_may_not(url: str) -> None:
    assert url_problem(url) is not None
