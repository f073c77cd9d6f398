"""Runs and their history in the database; every function works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.runs.document import Manifest, instant, normalise
from ade_runtime.runs.invariants import problems
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

ETAG = "etg"
State = Literal["active", "cancelled"]
Phase = Literal["planning", "developing", "validating", "wrapup"]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as lists show it. ``state`` is active or cancelled; ``lead`` is the session that leads it."""

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
    lead = next(one["sessionId"] for one in manifest["agents"] if one["role"] == "lead")
    row = {"id": manifest["runId"], "project_id": project, "lane_id": manifest["laneId"], "lead": lead}
    row |= {"state": "active", "created_at": to_ms(at)} | _columns(manifest, at)
    db.execute(insert(runs).values(row))
    _remember(db, manifest, actor, "created", f"Run made: {manifest['title']}", at)
    return record(db, manifest["runId"])


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
        query = query.where(runs.c.state == "active")
    query = query.order_by(runs.c.created_at.desc(), runs.c.id)
    return [_record(row) for row in db.execute(query).mappings()]


def load(db: Connection, run: str) -> Manifest:
    """The manifest, brought up to date; raises ``run_suspended`` where what is stored is not this run's."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import runs

    text = db.execute(select(runs.c.manifest).where(runs.c.id == run)).scalar_one_or_none()
    if text is None:
        raise errors.RunNotFound(run=run)
    manifest = normalise(orjson.loads(text))
    if manifest["runId"] != run:
        raise errors.RunSuspended(run=run, reason=f"its manifest is that of {manifest['runId']}")
    return manifest


def save(db: Connection, manifest: Manifest, actor: str, kind: str, summary: str, at: datetime) -> None:
    """Store a changed manifest under a new etag, provided that nothing is wrong with it, and remember the change."""
    from sqlalchemy import update

    from ade_runtime.storage.schema import runs

    before = manifest["etag"]
    manifest["etag"] = new_id(ETAG)
    manifest["serverGeneration"] += 1
    manifest["updatedAt"] = instant(at)
    _check(manifest)
    fits = (runs.c.id == manifest["runId"], runs.c.etag == before)
    if db.execute(update(runs).where(*fits).values(_columns(manifest, at))).rowcount != 1:
        raise errors.EtagConflict(run=manifest["runId"], etag=before)
    _remember(db, manifest, actor, kind, summary, at)


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


def _check(manifest: Manifest) -> None:
    found = problems(manifest)
    if found:
        details: dict[str, Any] = {"problems": list(found)}
        raise errors.RunInvalid(run=manifest["runId"], problem=found[0], details=details)


def _columns(manifest: Manifest, at: datetime) -> dict[str, Any]:
    return {
        "title": manifest["title"],
        "phase": manifest["currentPhase"],
        "etag": manifest["etag"],
        "generation": manifest["serverGeneration"],
        "manifest": orjson.dumps(manifest).decode(),
        "updated_at": to_ms(at),
    }


def _remember(db: Connection, manifest: Manifest, actor: str, kind: str, summary: str, at: datetime) -> None:
    from sqlalchemy import insert

    from ade_runtime.storage.schema import run_history

    row = {"run_id": manifest["runId"], "generation": manifest["serverGeneration"], "at": to_ms(at)}
    row |= {"actor": actor, "kind": kind, "summary": summary[:500], "etag": manifest["etag"]}
    db.execute(insert(run_history).values(row))


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
