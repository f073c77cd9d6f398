"""An index in SQLite's FTS5, a file a project. Rows are numbered by time, so that the newest are looked at first."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from ade_runtime.search.documents import LONGEST_BODY, LONGEST_TITLE, Batch, Document
from ade_runtime.search.query import Query, joined, segmented
from ade_runtime.search.sqlite_schema import TEXTS, discard, open_index
from ade_runtime.search.store import MARK_END, MARK_START, Filters, Hit, Hits

T = TypeVar("T")
log = logging.getLogger("ade.search")

MOST_COUNTED = 10_000
"""Of the fitting documents only the newest so many are ranked: more would take longer than an answer may."""
MOST_RANKED = 500
SNIPPET_WORDS = 24
_WEIGHTS = "10.0, 6.0, 1.0"
_HALF_LIFE_MS = 30 * 86_400_000
_RECENT = 0.6
"""How much more a document of today counts than an old one that fits as well."""
_SLOTS = 1024
_LONGEST_NAMES = 2000


class SqliteSearch:
    """``path`` is made when first used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ade-search")
        self._connection: sqlite3.Connection | None = None

    async def cursors(self) -> dict[str, str]:
        return await self._run(lambda db: dict(db.execute("SELECT kind, cursor FROM cursors")))

    async def apply(self, kind: str, before: str | None, batch: Batch) -> bool:
        return await self._run(lambda db: _apply(db, kind, before, batch))

    async def find(self, query: Query, filters: Filters, *, offset: int, limit: int, now: int) -> Hits:
        return await self._run(lambda db: _find(db, query, filters, offset, limit, now))

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self._close)
        self._worker.shutdown(wait=False)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._guarded, work)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work; a damaged file is thrown away and begun anew, once."""
        try:
            return work(self._open())
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as problem:
            log.warning("the search index %s is made anew: %s", self._path.name, problem)
            self._close()
            discard(self._path)
            return work(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = open_index(self._path)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _apply(db: sqlite3.Connection, kind: str, before: str | None, batch: Batch) -> bool:
    db.execute("BEGIN IMMEDIATE")
    try:
        row = db.execute("SELECT cursor FROM cursors WHERE kind = ?", (kind,)).fetchone()
        if (row[0] if row else None) != before:
            db.execute("ROLLBACK")
            return False
        fresh = {doc.id: (doc, _hash(doc)) for doc in batch.put}
        every = batch.whole or batch.keep is not None
        known = _known(db, kind, None if every else [*batch.drop, *fresh])
        stay = fresh.keys() | set(batch.keep or ()) if every else known.keys() - set(batch.drop)
        going = known.keys() - stay
        changed = {key: one for key, one in fresh.items() if known.get(key, (0, b""))[1] != one[1]}
        _remove(db, [known[key][0] for key in (*going, *changed) if key in known])
        for number, doc in _numbered(db, [doc for doc, _ in changed.values()]):
            _insert(db, number, doc, changed[doc.id][1])
        db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", (kind, batch.cursor))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return True


def _known(db: sqlite3.Connection, kind: str, ids: list[str] | None) -> dict[str, tuple[int, bytes]]:
    """Row and hash of the kind's documents by their ids, of all or of some."""
    query, values = "SELECT id, rowid, hash FROM documents WHERE kind = ?", [kind]
    if ids is not None:
        query += " AND id IN (SELECT value FROM json_each(?))"
        values.append(_json(ids))
    return {key: (number, digest) for key, number, digest in db.execute(query, values)}


def _numbered(db: sqlite3.Connection, docs: list[Document]) -> Iterable[tuple[int, Document]]:
    """Each document with a free row number that follows its time, in rising order, as FTS5 takes them in best."""
    last = None
    for doc in sorted(docs, key=lambda doc: doc.at):
        first = min(max(doc.at, -(2**52)), 2**52) * _SLOTS
        number = first if last is None or last < first else last + 1
        while db.execute("SELECT 1 FROM documents WHERE rowid = ?", (number,)).fetchone():
            number += 1
        last = number
        yield number, doc


def _insert(db: sqlite3.Connection, number: int, doc: Document, digest: bytes) -> None:
    row = (number, doc.kind, doc.id, doc.lane, doc.author, doc.at, doc.reader, digest)
    db.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    db.execute("INSERT OR IGNORE INTO readers VALUES (?)", (doc.reader,))
    texts = (doc.title[:LONGEST_TITLE], doc.names[:_LONGEST_NAMES], doc.body[:LONGEST_BODY])
    values = (number, *map(segmented, texts))
    db.execute("INSERT INTO texts (rowid, title, names, body) VALUES (?, ?, ?, ?)", values)


def _remove(db: sqlite3.Connection, numbers: list[int]) -> None:
    for number in sorted(numbers):
        db.execute("DELETE FROM texts WHERE rowid = ?", (number,))
        db.execute("DELETE FROM documents WHERE rowid = ?", (number,))


def _hash(doc: Document) -> bytes:
    parts = (doc.title, doc.body, doc.names, doc.lane, doc.author, doc.at, doc.reader)
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _find(db: sqlite3.Connection, query: Query, filters: Filters, offset: int, limit: int, now: int) -> Hits:
    for prefixes in (False, True):
        expression = query.expression(prefixes=prefixes)
        ranked, total = _ranked(db, expression, filters, now)
        if ranked:
            break
    page = ranked[offset : offset + limit]
    return Hits(items=_hits(db, expression, page), total=total, reachable=len(ranked))


def _ranked(
    db: sqlite3.Connection, expression: str, filters: Filters, now: int
) -> tuple[list[tuple[int, float]], int]:
    """Row and score of the best hits, the best first, and how many there are."""
    where, values = _conditions(db, filters)
    join = "JOIN documents d ON d.rowid = texts.rowid" if where else ""
    more = "".join(f" AND {condition}" for condition in where)
    rows = db.execute(
        f"WITH hits AS MATERIALIZED (SELECT texts.rowid AS number, bm25(texts, {_WEIGHTS}) AS rank FROM texts {join}"
        f" WHERE texts MATCH ?{more} ORDER BY texts.rowid DESC LIMIT {MOST_COUNTED}),"
        f" best AS (SELECT number, rank FROM hits ORDER BY rank LIMIT {MOST_RANKED})"
        " SELECT best.number, best.rank, documents.at, (SELECT count(*) FROM hits)"
        " FROM best JOIN documents ON documents.rowid = best.number",
        [expression, *values],
    ).fetchall()
    scored = [(number, -rank * _recency(at, now)) for number, rank, at, _ in rows]
    scored.sort(key=lambda pair: (-pair[1], -pair[0]))
    return scored, rows[0][3] if rows else 0


def _recency(at: int, now: int) -> float:
    return 1.0 + _RECENT * float(0.5 ** (max(now - at, 0) / _HALF_LIFE_MS))


def _conditions(db: sqlite3.Connection, filters: Filters) -> tuple[list[str], list[Any]]:
    """What a row must fulfil. Readers are left out only where the caller may read everything there is."""
    where: list[str] = []
    values: list[Any] = []

    def among(column: str, given: Collection[str]) -> None:
        where.append(f"{column} IN (SELECT value FROM json_each(?))")
        values.append(_json(sorted(given)))

    if not {row[0] for row in db.execute("SELECT reader FROM readers")} <= set(filters.readers):
        among("d.reader", filters.readers)
    if filters.kinds:
        among("d.kind", filters.kinds)
    if filters.lane is not None:
        where.append("(d.lane = ? OR d.id IN (SELECT value FROM json_each(?)))")
        values += [filters.lane, _json(sorted(filters.lane_ids))]
    if filters.author is not None:
        where.append("instr(lower(d.author), lower(?)) > 0")
        values.append(filters.author)
    if filters.since is not None:
        where.append("d.at >= ?")
        values.append(filters.since)
    return where, values


def _hits(db: sqlite3.Connection, expression: str, page: list[tuple[int, float]]) -> list[Hit]:
    if not page:
        return []
    rows = db.execute(
        "SELECT texts.rowid, texts.title, texts.names, texts.body, d.kind, d.id, d.lane, d.author, d.at, d.reader"
        " FROM documents d JOIN texts ON texts.rowid = d.rowid"
        " WHERE d.rowid IN (SELECT value FROM json_each(?))",
        (_json([number for number, _ in page]),),
    ).fetchall()
    snippets = _snippets(expression, [row[:4] for row in rows])
    scores = dict(page)
    found = {row[0]: _hit(row, snippets.get(row[0], ""), scores[row[0]]) for row in rows}
    return [found[number] for number, _ in page if number in found]


def _snippets(expression: str, texts: list[tuple[Any, ...]]) -> dict[int, str]:
    """Where each text fits. The few are indexed for themselves: in the whole index each would cost a search of its own."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute(TEXTS)
        db.executemany("INSERT INTO texts (rowid, title, names, body) VALUES (?, ?, ?, ?)", texts)
        marks = f"'{MARK_START}', '{MARK_END}', '…', {SNIPPET_WORDS}"
        query = f"SELECT rowid, snippet(texts, 2, {marks}), snippet(texts, -1, {marks}) FROM texts WHERE texts MATCH ?"
        rows = db.execute(query, (expression,)).fetchall()
        return {number: body if MARK_START in body else anywhere for number, body, anywhere in rows}
    finally:
        db.close()


def _hit(row: tuple[Any, ...], snippet: str, score: float) -> Hit:
    _, title, _, _, kind, key, lane, author, at, reader = row
    return Hit(
        kind=kind,
        id=key,
        title=joined(title),
        snippet=joined(snippet),
        lane=lane,
        author=author,
        at=at,
        reader=reader,
        score=score,
    )


def _json(values: Iterable[Any]) -> str:
    return json.dumps(list(values))
