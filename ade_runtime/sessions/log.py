"""The session log: a row for everything that decides what a session may do, each hashed over the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from ade_runtime.sessions.records import SessionRecord, from_row
from ade_runtime.storage.schema import session_log, sessions
from ade_runtime.storage.times import to_ms

BEGINNING = "0" * 64
PROBLEMS_TOLD = 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check of the whole log found. ``head`` is the hash of its last entry."""

    entries: int
    head: str
    problems: tuple[str, ...]


def append(db: Connection, session: str, at: int, event: str, data: dict[str, Any]) -> None:
    """Add one entry, in the transaction that makes it true. ``at`` is in milliseconds since the epoch."""
    newest = select(session_log.c.hash).order_by(session_log.c.id.desc()).limit(1)
    previous = db.execute(newest).scalar() or BEGINNING
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    values = {"session_id": session, "at": at, "event": event, "data": text}
    db.execute(insert(session_log).values(**values, hash=entry_hash(previous, session, at, event, text)))


def entry_hash(previous: str, session: str, at: int, event: str, data: str) -> str:
    """SHA-256 over an entry and the hash of the one before it."""
    return hashlib.sha256(json.dumps([previous, session, at, event, data]).encode()).hexdigest()


def prove(db: Connection) -> Proof:
    """Read the whole log: whether its hashes follow from each other, and whether the sessions are as it says."""
    problems: list[str] = []
    started: dict[str, dict[str, Any]] = {}
    ended: dict[str, int] = {}
    previous, expected, count = BEGINNING, None, 0
    for row in db.execute(select(session_log).order_by(session_log.c.id)).mappings():
        count += 1
        if expected is not None and row["id"] != expected:
            problems.append(f"entries between {expected - 1} and {row['id']} are missing")
        if row["hash"] != entry_hash(previous, row["session_id"], row["at"], row["event"], row["data"]):
            problems.append(f"entry {row['id']} was changed, or one before it removed")
        previous, expected = row["hash"], row["id"] + 1
        if row["event"] == "started":
            started[row["session_id"]] = json.loads(row["data"])
        elif row["event"] == "changed":
            started.setdefault(row["session_id"], {}).update(json.loads(row["data"]))
        elif row["event"] == "ended":
            ended.setdefault(row["session_id"], row["at"])
    records = [from_row(row) for row in db.execute(select(sessions)).mappings()]
    problems += _disagreements(records, started, ended)
    return Proof(count, previous, tuple(problems[:PROBLEMS_TOLD]))


def _disagreements(
    records: Iterable[SessionRecord], started: dict[str, dict[str, Any]], ended: dict[str, int]
) -> list[str]:
    problems = []
    known = set()
    for record in records:
        known.add(record.id)
        logged = started.get(record.id)
        if logged is None:
            problems.append(f"{record.id} is in no entry of the log")
        elif logged != record.facts():
            wrong = sorted(name for name, value in record.facts().items() if logged.get(name) != value)
            problems.append(f"{record.id} differs from its entry in {', '.join(wrong)}")
        end = None if record.ended_at is None else to_ms(record.ended_at)
        if logged is not None and ended.get(record.id) != end:
            problems.append(f"{record.id} ended otherwise than the log says")
    return problems + [
        f"{session} is in the log and nowhere else" for session in sorted(started.keys() - known)
    ]
