"""The index: whatever is typed is answered, what changed is found, and what may not be read is neither found nor counted."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ade_runtime.search import sqlite_store
from ade_runtime.search.documents import Batch, Document
from ade_runtime.search.query import joined, read, segmented
from ade_runtime.search.sqlite_store import SqliteSearch
from ade_runtime.search.store import Filters, Hits

DAY = 86_400_000
NOW = 20_000 * DAY
ALL = Filters(readers=["lane.show", "memory.list"])


def doc(key: str, title: str, body: str = "", **more: Any) -> Document:
    values: dict[str, Any] = {
        "kind": "memory",
        "id": key,
        "title": title,
        "body": body,
        "names": "",
        "lane": None,
        "author": None,
        "at": NOW,
        "reader": "memory.list",
    }
    return Document(**values | more)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteSearch]:
    made = SqliteSearch(tmp_path / "search" / "prj.db")
    yield made
    await made.close()


async def put(store: SqliteSearch, *docs: Document, kind: str = "memory") -> None:
    before = (await store.cursors()).get(kind)
    assert await store.apply(kind, before, Batch(put=docs, cursor=f"{before}+"))


async def find(
    store: SqliteSearch, text: str, filters: Filters = ALL, offset: int = 0, limit: int = 20
) -> Hits:
    return await store.find(read(text), filters, offset=offset, limit=limit, now=NOW)


async def ids(store: SqliteSearch, text: str, filters: Filters = ALL) -> list[str]:
    return [hit.id for hit in (await find(store, text, filters)).items]


HOSTILE = [
    '"', '""', '"unclosed', "a AND", "NOT", "NEAR(a b)", "a OR", "(", ")", "title:a", "{a b}: c", "^a", "a^", "-a", "a*b", "*",
    "a\0b", "'; DROP TABLE documents; --", "col : x", "+a", "a + b", "\ud7ff", "🙂", "é", "日本語", "a\nb", "\\", "%", "_", "…",
    "AND OR NOT", "a" * 400, '" " "', "ａｂｃ", "\u202e", "NEAR/2", "texts", "rank", "MATCH",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
async def test_whatever_is_typed_is_answered(store: SqliteSearch, text: str) -> None:
    await put(store, doc("1", "a b c title rank"))
    if read(text).terms:
        await find(store, text)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_text_is_a_syntax_error(tmp_path: Path, text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5 (a, prefix = '2 3')")
    query = read(text)
    for prefixes in (False, True):
        if query.terms:
            db.execute("SELECT * FROM t WHERE t MATCH ?", (query.expression(prefixes=prefixes),)).fetchall()
    db.close()


@given(st.text(alphabet="ab 日本語한글カナ", max_size=30))
def test_characters_set_apart_come_together_again(text: str) -> None:
    assert joined(segmented(text)).replace(" ", "") == text.replace(" ", "")


async def test_words_phrases_beginnings_and_forms(store: SqliteSearch) -> None:
    await put(
        store,
        doc("1", "Fix the login form", "Empty passwords were accepted"),
        doc("2", "Forms of logins", "An empty form, a password"),
        doc("3", "日本語の検索を直す"),
        doc("4", "parse_date in src/dates.py"),
        doc("5", "Résumé ändern", names="3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c"),
    )
    assert set(await ids(store, "login")) == {"1", "2"}
    assert await ids(store, '"empty passwords"') == ["1"]
    assert set(await ids(store, "passw*")) == {"1", "2"}
    assert await ids(store, "passw") == await ids(store, "passw*"), "where no word fits, beginnings do"
    assert await ids(store, "検索") == ["3"]
    assert await ids(store, "parse_date") == ["4"]
    assert await ids(store, "dates.py") == ["4"]
    assert await ids(store, "RESUME") == await ids(store, "résumé") == ["5"]
    assert await ids(store, "3f2a9c1") == ["5"]
    assert await ids(store, "login zebra") == []


async def test_snippets_show_where_it_fits(store: SqliteSearch) -> None:
    await put(store, doc("1", "Title", "word " * 100 + "needle " + "word " * 100), doc("2", "日本語の検索"))
    [hit] = (await find(store, "needle")).items
    assert "\x02needle\x03" in hit.snippet and len(hit.snippet) < 200
    [hit] = (await find(store, "検索")).items
    assert (hit.title, hit.snippet) == ("日本語の検索", "日本語の\x02検索\x03")


async def test_newer_goes_before_equal_older(store: SqliteSearch) -> None:
    await put(store, *(doc(str(age), "the same words", at=NOW - age * DAY) for age in (400, 3, 90, 0)))
    assert await ids(store, "words") == ["0", "3", "90", "400"]


async def test_a_title_counts_more_than_a_body(store: SqliteSearch) -> None:
    await put(
        store, doc("body", "something else", "about login", at=NOW), doc("title", "login", at=NOW - 500 * DAY)
    )
    assert await ids(store, "login") == ["title", "body"]


async def test_what_may_not_be_read_is_neither_found_nor_counted(store: SqliteSearch) -> None:
    await put(store, doc("1", "plan"), doc("2", "plan", reader="cto_memory.read"))
    found = await find(store, "plan")
    assert ([hit.id for hit in found.items], found.total) == (["1"], 1)
    assert (await find(store, "plan", Filters(readers=[]))).total == 0
    everything = Filters(readers=["memory.list", "cto_memory.read"])
    assert (await find(store, "plan", everything)).total == 2


async def test_filters_narrow_down(store: SqliteSearch) -> None:
    await put(
        store,
        doc("1", "plan", lane="lane_a", author="Ada <ada@example.org>"),
        doc("2", "plan", author="Grace", at=NOW - 9 * DAY),
        doc("3", "plan"),
    )
    assert await ids(store, "plan", Filters(readers=["memory.list"], lane="lane_a")) == ["1"]
    widened = Filters(readers=["memory.list"], lane="lane_a", lane_ids=["3"])
    assert set(await ids(store, "plan", widened)) == {"1", "3"}
    assert await ids(store, "plan", Filters(readers=["memory.list"], author="EXAMPLE.org")) == ["1"]
    assert await ids(store, "plan", Filters(readers=["memory.list"], author="%")) == []
    assert set(await ids(store, "plan", Filters(readers=["memory.list"], since=NOW - DAY))) == {"1", "3"}
    assert await ids(store, "plan", Filters(readers=["memory.list"], kinds=["lane"])) == []


async def test_documents_change_and_go(store: SqliteSearch) -> None:
    await put(store, doc("1", "one"), doc("2", "two"))
    assert await store.apply("memory", "None+", Batch(put=[doc("1", "eins")], drop=["2"], cursor="b"))
    assert (await ids(store, "one"), await ids(store, "eins"), await ids(store, "two")) == ([], ["1"], [])
    assert await store.apply("memory", "b", Batch(put=[doc("3", "drei")], cursor="c", whole=True))
    assert (await ids(store, "eins"), await ids(store, "drei")) == ([], ["3"])


async def test_a_batch_is_taken_in_once_whoever_brings_it(store: SqliteSearch, tmp_path: Path) -> None:
    other = SqliteSearch(tmp_path / "search" / "prj.db")
    batch = Batch(put=[doc("1", "one")], cursor="a")
    assert sorted(
        await asyncio.gather(store.apply("memory", None, batch), other.apply("memory", None, batch))
    ) == [
        False,
        True,
    ]
    assert await ids(other, "one") == ["1"]
    await other.close()


async def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "search" / "prj.db"
    store = SqliteSearch(path)
    await put(store, doc("1", "one"))
    await store.close()
    path.write_bytes(b"This is no database. " * 400)
    again = SqliteSearch(path)
    assert await again.cursors() == {}
    await put(again, doc("1", "one"))
    assert await ids(again, "one") == ["1"]
    await again.close()
    assert path.stat().st_mode & 0o077 == 0


async def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "search" / "prj.db"
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE documents (other)")
        db.execute("PRAGMA user_version = 999")
    db.close()
    store = SqliteSearch(path)
    await put(store, doc("1", "one"))
    assert await ids(store, "one") == ["1"]
    await store.close()


async def test_many_of_one_moment_and_times_beyond_all_bounds(store: SqliteSearch) -> None:
    times: Iterable[int] = [0, 0, -(2**60), 2**60, -1, NOW, NOW, NOW]
    await put(store, *(doc(str(place), "same", at=at) for place, at in enumerate(times)))
    assert len(await ids(store, "same")) == 8


async def test_only_the_newest_are_ranked_and_pages_end(
    store: SqliteSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "MOST_COUNTED", 30)
    monkeypatch.setattr(sqlite_store, "MOST_RANKED", 12)
    await put(store, *(doc(f"{place:02}", "same", at=NOW - (50 - place) * DAY) for place in range(50)))
    found = await find(store, "same", limit=5)
    assert (found.total, found.reachable) == (30, 12)
    seen = [
        hit.id for offset in (0, 5, 10) for hit in (await find(store, "same", offset=offset, limit=5)).items
    ]
    assert len(seen) == len(set(seen)) == 12
    assert seen[0] == "49"
