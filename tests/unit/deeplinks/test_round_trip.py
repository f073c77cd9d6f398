"""parse(mint(x)) == x for every target, and mint(parse(s)) is the one canonical spelling for every way to write a link."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_generated.models.types import Deeplink
from ade_runtime.deeplinks import LONGEST, DeeplinkProblem, mint, parse


def target(**fields: Any) -> Any:
    return Deeplink.from_wire({"link": "", "target": fields}).target


def words(longest: int, *, slash: bool = True) -> st.SearchStrategy[str]:
    """Any text that may be one part: no control characters, no dot segment."""
    refused = "" if slash else "/"
    kept = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=refused)
    return st.text(kept, min_size=1, max_size=longest).filter(lambda text: text not in (".", ".."))


PROJECT = st.none() | words(60)
COMMIT = st.text("0123456789abcdef", min_size=7, max_size=64)
NUMBER = st.integers(1, 2**31 - 1)
NAME = st.from_regex(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,20}", fullmatch=True)
REPOSITORY = st.builds("/".join, st.lists(NAME, min_size=2, max_size=2)) | st.builds(
    "{}/{}/{}".format, st.sampled_from(["git.example.org", "localhost"]), NAME, NAME
)
PATH = st.lists(words(12, slash=False), min_size=1, max_size=6).map("/".join)


@st.composite
def ranges(draw: Any) -> dict[str, int | None]:
    line = draw(st.none() | st.integers(1, 10**6))
    if line is None:
        return {"line": None, "column": None, "end_line": None, "end_column": None}
    column = draw(st.none() | st.integers(1, 500))
    end_line = draw(st.none() | st.integers(line, line + 1000))
    end_column = None
    if end_line is not None and column is not None:
        end_column = draw(st.none() | st.integers(column, column + 100))
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


@st.composite
def files(draw: Any) -> Any:
    fields = {"project": draw(PROJECT), "lane": draw(PROJECT), "commit": draw(st.none() | COMMIT)}
    return target(kind="file", path=draw(PATH), **fields, **draw(ranges()))


TARGETS = st.one_of(
    st.builds(lambda p, x: target(kind="lane", project=p, lane=x), PROJECT, words(120)),
    st.builds(lambda x: target(kind="session", session=x), words(60)),
    st.builds(lambda x: target(kind="run", run=x), words(60)),
    files(),
    st.builds(lambda p, x: target(kind="commit", project=p, commit=x), PROJECT, COMMIT),
    st.builds(lambda r, n: target(kind="pr", repository=r, number=n), REPOSITORY, NUMBER),
    st.builds(lambda r, n: target(kind="issue", issue=f"{r}#{n}"), REPOSITORY, NUMBER),
    st.builds(lambda n: target(kind="issue", issue=f"ENG-{n}"), NUMBER),
)


@given(TARGETS)
def test_a_target_comes_back_from_its_link(thing: Any) -> None:
    link = mint(thing)
    assert parse(link) == thing
    assert link.isascii()
    assert len(link) <= LONGEST
    assert re.fullmatch(r"[A-Za-z0-9\-._~%:/?=&#]+", link)


def respelt(link: str, draw: Any) -> str:
    """The same link as somebody else might write it: another case, more or fewer escapes, queries in another order."""
    body, hash_mark, fragment = link.partition("#")
    head, mark, query = body.partition("?")
    kind, slash, path = head.removeprefix("ade://").partition("/")
    if query:
        query = "&".join(draw(st.permutations(query.split("&"))))
    spell = draw(st.sampled_from([str, str.upper, str.title]))
    parts = [f"{spell('ade')}://{spell(kind)}{slash}", _loosely(path, draw), mark, _loosely(query, draw)]
    return "".join([*parts, hash_mark, fragment])


def _loosely(text: str, draw: Any) -> str:
    out, at = [], 0
    while at < len(text):
        if text[at] == "%":
            out.append(draw(st.sampled_from([text[at : at + 3], text[at : at + 3].lower()])))
            at += 3
            continue
        escape = text[at].isalnum() and draw(st.integers(0, 5)) == 0
        out.append(f"%{ord(text[at]):02x}" if escape else text[at])
        at += 1
    return "".join(out)


@given(TARGETS, st.data())
def test_every_spelling_has_the_same_canonical_one(thing: Any, data: Any) -> None:
    link = mint(thing)
    assert mint(parse(respelt(link, data.draw))) == link


@given(st.text(max_size=80) | st.text("ade:/lnfirsc%20?=&#L1C-.~", max_size=60).map("ade://{}".format))
def test_any_other_text_is_refused_or_has_a_canonical_spelling(text: str) -> None:
    try:
        thing = parse(text)
    except DeeplinkProblem as problem:
        assert problem.part
        assert problem.problem
        assert problem.at is not None
        assert 0 <= problem.at <= max(len(text), 0)
        return
    link = mint(thing)
    assert mint(parse(link)) == link
    assert parse(link) == thing


def test_raw_letters_of_any_script_are_taken_as_escaped() -> None:
    assert mint(parse("ade://lane/修正")) == "ade://lane/%E4%BF%AE%E6%AD%A3"


REFUSED = [
    ("", "scheme", 0),
    ("http://example.org/ade://lane/x", "scheme", 0),
    ("ade:lane/x", "scheme", 0),
    ("javascript:alert(1)", "scheme", 0),
    (" ade://lane/x", "text", 0),
    ("ade://lane/x\n", "text", 12),
    ("ade://lane/a b", "text", 12),
    ("ade://", "kind", 6),
    ("ade://planet/x", "kind", 6),
    ("ade://lane:80/x", "kind", 6),
    ("ade://me@lane/x", "kind", 6),
    ("ade://lane", "path", 6),
    ("ade://lane/", "path", 11),
    ("ade://lane/x/", "path", 13),
    ("ade://lane/x/y", "path", 13),
    ("ade://lane/..", "path", 11),
    ("ade://lane/%2e%2E", "path", 11),
    ("ade://lane/x%00", "path", 11),
    ("ade://lane/x%0", "path", 12),
    ("ade://lane/x%", "path", 12),
    ("ade://lane/x%zz", "path", 12),
    ("ade://lane/x%u0041", "path", 12),
    ("ade://lane/%ff", "path", 11),
    ("ade://lane/%C0%AF", "path", 11),
    ("ade://lane/%ED%A0%80", "path", 11),
    ("ade://lane/x?", "query", 13),
    ("ade://lane/x?project", "query.project", 13),
    ("ade://lane/x?project=", "query.project", 21),
    ("ade://lane/x?project=a&project=b", "query.project", 23),
    ("ade://lane/x?owner=a", "query", 13),
    ("ade://lane/x#L1", "fragment", 12),
    ("ade://session/s?project=a", "query", 16),
    ("ade://file", "path", 10),
    ("ade://file//etc/passwd", "path", 11),
    ("ade://file/../x", "path", 11),
    ("ade://file/a/%2E%2e/x", "path", 13),
    ("ade://file/a%2Fb", "path", 11),
    ("ade://file/a#", "fragment", 13),
    ("ade://file/a#l3", "fragment", 13),
    ("ade://file/a#L0", "fragment", 13),
    ("ade://file/a#L03", "fragment", 13),
    ("ade://file/a#L9-L3", "fragment", 13),
    ("ade://file/a#L3C5-L3C2", "fragment", 13),
    ("ade://file/a#L3-L9C2", "fragment", 13),
    ("ade://file/a#L99999999999", "fragment", 13),
    ("ade://commit/xyz", "commit", 6),
    ("ade://commit/abc", "commit", 6),
    ("ade://pr/octo/shop", "path", 6),
    ("ade://pr/octo/shop/007", "path", 19),
    ("ade://pr/octo/shop/1/2/3", "path", 23),
    ("ade://issue/eng-1", "issue", 6),
    ("ade://issue/octo/shop/x", "path", 22),
]


@pytest.mark.parametrize(("link", "part", "at"), REFUSED, ids=[repr(case[0])[:40] for case in REFUSED])
def test_what_is_no_link_is_refused_with_the_place(link: str, part: str, at: int) -> None:
    with pytest.raises(DeeplinkProblem) as caught:
        parse(link)
    assert (caught.value.part, caught.value.at) == (part, at), caught.value


def test_a_link_may_be_just_so_long() -> None:
    start = "ade://lane/x?project="
    with pytest.raises(DeeplinkProblem) as caught:
        parse(start + "a" * (LONGEST + 1 - len(start)))
    assert caught.value.part == "length"
    file = {"kind": "file", "project": None, "lane": None, "commit": None} | dict.fromkeys(
        ("line", "column", "end_line", "end_column")
    )
    with pytest.raises(DeeplinkProblem, match="the most"):
        mint(target(path="é" * 4000, **file))
    assert parse(mint(target(path="a" * 4096, **file))).path == "a" * 4096


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"column": 3}, "target.column"),
        ({"end_line": 3}, "target.end_line"),
        ({"line": 4, "end_line": 3}, "target.end_line"),
        ({"line": 4, "end_line": 5, "end_column": 1}, "target.end_column"),
        ({"line": 4, "end_column": 1}, "target.end_column"),
        ({"path": "/etc/passwd"}, "target.path"),
        ({"path": "a//b"}, "target.path"),
        ({"path": "a/../b"}, "target.path"),
        ({"path": "a\0b"}, "target.path"),
        ({"lane": "a\nb"}, "target.lane"),
        ({"project": ".."}, "target.project"),
    ],
)
def test_a_target_that_no_link_can_carry_is_refused(changes: dict[str, Any], part: str) -> None:
    whole = {"kind": "file", "project": None, "lane": None, "commit": None, "path": "a"} | dict.fromkeys(
        ("line", "column", "end_line", "end_column")
    )
    with pytest.raises(DeeplinkProblem) as caught:
        mint(target(**whole | changes))
    assert caught.value.part == part
