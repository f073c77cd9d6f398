"""Runs and their history in the database; every function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.runs.document import Manifest, instant, normalise
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.phases import is_completed
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

ETAG = "etg"
State = Literal["active", "cancelled", "completed", "imported"]
Phase = Literal["planning", "developing", "validating", "wrapup"]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as lists show it; ``lead`` is the session that leads it. One that is not active changes no more."""

    id: str
    project: str
    lane: str
    lead: str
    state: State
    title: str
    phase: Phase
    etag: str
    generation: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of a run: who made it, and the etag that it left."""

    generation: int
    at: datetime
    actor: str
    kind: str
    summary: str
    etag: str


def add(db: Connection, project: str, manifest: Manifest, actor: str, at: datetime) -> RunRecord:
    """Put a new run there, with its first entry of history."""
    from sqlalchemy import insert

    from ade_runtime.storage.schema import runs

    _check(manifest)
    row = {
        "id": manifest["runId"],
        "project_id": project,
        "lane_id": manifest["laneId"],
        "lead": _lead(manifest),
    }
    row |= {"state": "active", "created_at": to_ms(at)} | _columns(manifest, at)
    db.execute(insert(runs).values(row))
    _write_tasks(db, manifest["runId"], _task_texts(manifest))
    _remember(db, manifest, actor, "created", f"Run made: {manifest['title']}", at)
    return record(db, manifest["runId"])


def put(db: Connection, project: str, manifest: Manifest, entries: Iterable[HistoryEntry]) -> RunRecord:
    """Keep a run of elsewhere with its history, to be read only; raises ``run_exists`` where one has its id."""
    from sqlalchemy import insert, select

    from ade_runtime.storage.schema import run_history, runs

    run = manifest["runId"]
    if db.execute(select(runs.c.id).where(runs.c.id == run)).first() is not None:
        raise errors.RunExists(run=run)
    _check(manifest)
    made, changed = (datetime.fromisoformat(manifest[key]) for key in ("createdAt", "updatedAt"))
    row = {"id": run, "project_id": project, "lane_id": manifest["laneId"], "lead": _lead(manifest)}
    row |= {"state": "imported", "created_at": to_ms(made)} | _columns(manifest, changed)
    db.execute(insert(runs).values(row))
    _write_tasks(db, run, _task_texts(manifest))
    rows = {one.generation: _entry_row(run, one) for one in entries}
    if rows:
        db.execute(insert(run_history), list(rows.values()))
    return record(db, run)


def record(db: Connection, run: str) -> RunRecord:
    """The run without its manifest; raises ``run_not_found``."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import runs

    row = db.execute(select(*_shown(runs)).where(runs.c.id == run)).mappings().first()
    if row is None:
        raise errors.RunNotFound(run=run)
    return _record(row)


def listed(db: Connection, project: str, *, everything: bool) -> list[RunRecord]:
    """The runs of a project, the newest first."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import runs

    query = select(*_shown(runs)).where(runs.c.project_id == project)
    if not everything:
        query = query.where(runs.c.state != "cancelled")
    query = query.order_by(runs.c.created_at.desc(), runs.c.id)
    return [_record(row) for row in db.execute(query).mappings()]


def active(db: Connection) -> list[str]:
    """Ids of all runs that go on, the oldest first."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import runs

    query = select(runs.c.id).where(runs.c.state == "active").order_by(runs.c.created_at, runs.c.id)
    return list(db.execute(query).scalars())


def load(db: Connection, run: str) -> Manifest:
    """The manifest, brought up to date; raises ``run_suspended`` where what is stored is not this run's."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_tasks, runs

    text = db.execute(select(runs.c.manifest).where(runs.c.id == run)).scalar_one_or_none()
    if text is None:
        raise errors.RunNotFound(run=run)
    tasks = select(run_tasks.c.task).where(run_tasks.c.run_id == run).order_by(run_tasks.c.place)
    try:
        stored = orjson.loads(text) | {"tasks": [orjson.loads(one) for one in db.execute(tasks).scalars()]}
    except (orjson.JSONDecodeError, TypeError) as problem:
        raise errors.RunSuspended(run=run, reason="what is stored of it is damaged") from problem
    manifest = normalise(stored)
    if manifest["runId"] != run:
        raise errors.RunSuspended(run=run, reason=f"its manifest is that of {manifest['runId']}")
    return manifest


def save(
    db: Connection,
    manifest: Manifest,
    actor: str,
    kind: str,
    summary: str,
    at: datetime,
    *,
    before: Sequence[bytes] | None = None,
) -> Sequence[bytes]:
    """Store a changed manifest under a new etag, provided that nothing is wrong with it, and remember the change.

    Gives its tasks as JSON. Given back as ``before`` with the next change, they tell which tasks are new or changed: only those
    are written, and only the form of those is looked at, since that of the others was.
    """
    from sqlalchemy import update

    from ade_runtime.storage.schema import runs

    etag = manifest["etag"]
    manifest["etag"] = new_id(ETAG)
    manifest["serverGeneration"] += 1
    manifest["updatedAt"] = instant(at)
    texts = _task_texts(manifest)
    known = None if before is None else frozenset(before)
    named = zip(manifest["tasks"], texts, strict=True)
    _check(manifest, None if known is None else [task for task, text in named if text not in known])
    fits = (runs.c.id == manifest["runId"], runs.c.etag == etag)
    columns = _columns(manifest, at)
    if is_completed(manifest):
        columns["state"] = "completed"
    if db.execute(update(runs).where(*fits).values(columns)).rowcount != 1:
        raise errors.EtagConflict(run=manifest["runId"], etag=etag)
    _write_tasks(db, manifest["runId"], texts, before)
    _remember(db, manifest, actor, kind, summary, at)
    return texts


def changed(record: RunRecord, manifest: Manifest) -> RunRecord:
    """The record of a run whose manifest was just saved."""
    return replace(
        record,
        state="completed" if is_completed(manifest) else record.state,
        title=manifest["title"],
        phase=manifest["currentPhase"],
        etag=manifest["etag"],
        generation=manifest["serverGeneration"],
        updated_at=datetime.fromisoformat(manifest["updatedAt"]),
    )


def set_state(db: Connection, run: str, state: State) -> None:
    from sqlalchemy import update

    from ade_runtime.storage.schema import runs

    db.execute(update(runs).where(runs.c.id == run).values(state=state))


def history(db: Connection, run: str) -> list[HistoryEntry]:
    """Every change, the newest first."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_history

    query = select(run_history).where(run_history.c.run_id == run).order_by(run_history.c.generation.desc())
    return [
        HistoryEntry(
            row["generation"], from_ms(row["at"]), row["actor"], row["kind"], row["summary"], row["etag"]
        )
        for row in db.execute(query).mappings()
    ]


def _check(manifest: Manifest, tasks: Sequence[Any] | None = None) -> None:
    found = problems(manifest, tasks)
    if found:
        details: dict[str, Any] = {"problems": list(found)}
        raise errors.RunInvalid(run=manifest["runId"], problem=found[0], details=details)


def _columns(manifest: Manifest, at: datetime) -> dict[str, Any]:
    return {
        "title": manifest["title"],
        "phase": manifest["currentPhase"],
        "etag": manifest["etag"],
        "generation": manifest["serverGeneration"],
        "manifest": orjson.dumps({**manifest, "tasks": []}).decode(),
        "updated_at": to_ms(at),
    }


def _task_texts(manifest: Manifest) -> list[bytes]:
    return [orjson.dumps(one) for one in manifest["tasks"]]


def _write_tasks(
    db: Connection, run: str, texts: Sequence[bytes], before: Sequence[bytes] | None = None
) -> None:
    """Have these tasks stored in the place of ``before``, which is ``None`` where it is not known."""
    from sqlalchemy import bindparam, delete, insert, select

    from ade_runtime.storage.schema import run_tasks as table

    own = table.c.run_id == run
    if before is None:
        stored = select(table.c.task).where(own).order_by(table.c.place)
        before = [one.encode() for one in db.execute(stored).scalars()]
    changed = [place for place, text in enumerate(texts) if place >= len(before) or before[place] != text]
    if len(texts) < len(before):
        db.execute(delete(table).where(own, table.c.place >= len(texts)))
    if changed:
        db.execute(
            delete(table).where(own, table.c.place == bindparam("at")), [{"at": one} for one in changed]
        )
        rows = [{"run_id": run, "place": place, "task": texts[place].decode()} for place in changed]
        db.execute(insert(table), rows)


def _remember(db: Connection, manifest: Manifest, actor: str, kind: str, summary: str, at: datetime) -> None:
    from sqlalchemy import insert

    from ade_runtime.storage.schema import run_history

    entry = HistoryEntry(manifest["serverGeneration"], at, actor, kind, summary, manifest["etag"])
    db.execute(insert(run_history).values(_entry_row(manifest["runId"], entry)))


def _entry_row(run: str, entry: HistoryEntry) -> dict[str, Any]:
    row = {"run_id": run, "generation": entry.generation, "at": to_ms(entry.at), "actor": entry.actor}
    return row | {"kind": entry.kind, "summary": entry.summary[:500], "etag": entry.etag}


def _lead(manifest: Manifest) -> str:
    return next(str(one["sessionId"]) for one in manifest["agents"] if one["role"] == "lead")


def _shown(runs: Any) -> list[Any]:
    return [column for column in runs.c if column.name != "manifest"]


def _record(row: Any) -> RunRecord:
    return RunRecord(
        id=row["id"],
        project=row["project_id"],
        lane=row["lane_id"],
        lead=row["lead"],
        state=row["state"],
        title=row["title"],
        phase=row["phase"],
        etag=row["etag"],
        generation=row["generation"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
    )
