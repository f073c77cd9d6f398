"""Rows of facts: every statement runs on the database's own thread."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from ade_generated import errors
from ade_runtime.memory.records import Audience, Core, Fact, Note, fact_from
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import memory_core, memory_facts, memory_state
from ade_runtime.storage.times import from_ms, to_ms

KEPT_FACTS = 1000
KEPT_CHARACTERS = 262_144
ARCHIVED_FACTS = 10_000
PINS = 50
PINNED_CHARACTERS = 16_000
"""How much one project may have of each, for each audience."""

_C = memory_facts.c


def add(db: Connection, project: str, audience: Audience, note: Note) -> tuple[Fact, bool, int]:
    """The fact, whether it is new, and how many made room for it. One that was archived is brought back."""
    digest = note.digest
    mine = _of(project, audience)
    row = db.execute(select(memory_facts).where(*mine, _C.digest == digest)).mappings().one_or_none()
    if row is not None and row["archived_at"] is None:
        return fact_from(row), False, 0
    at = to_ms(note.at)
    if row is not None:
        values: dict[str, Any] = {"archived_at": None, "created_at": at}
        db.execute(update(memory_facts).where(_C.id == row["id"]).values(**values))
        fact = row["id"]
    else:
        fact = new_id("mem")
        db.execute(insert(memory_facts).values(id=fact, **_values(project, audience, note, digest, at)))
    archived = _make_room(db, project, audience, at, fact)
    _changed(db, project)
    return find(db, project, (audience,), fact), True, archived


def find(db: Connection, project: str, audiences: Sequence[Audience], fact: str) -> Fact:
    """The fact with this id; raises ``fact_not_found`` for one that is another audience's, too."""
    query = select(memory_facts).where(_C.project_id == project, _C.audience.in_(audiences), _C.id == fact)
    row = db.execute(query).mappings().one_or_none()
    if row is None:
        raise errors.FactNotFound(fact=fact)
    return fact_from(row)


def listed(db: Connection, project: str, audiences: Sequence[Audience], *, archived: bool) -> list[Fact]:
    """Facts, pinned ones first, then the newest."""
    query = select(memory_facts).where(_C.project_id == project, _C.audience.in_(audiences))
    if not archived:
        query = query.where(_C.archived_at.is_(None))
    query = query.order_by(_C.pinned_at.is_(None), _C.created_at.desc(), _C.id.desc())
    return [fact_from(row) for row in db.execute(query).mappings()]


def pin(db: Connection, project: str, fact: Fact, at: int) -> Fact:
    """Pin a fact; raises ``memory_pins_full``. An archived one is brought back."""
    if not fact.pinned:
        count, characters = db.execute(
            select(func.count(), func.coalesce(func.sum(func.length(_C.text)), 0)).where(
                *_of(project, fact.audience), _C.pinned_at.is_not(None)
            )
        ).one()
        if count >= PINS or characters + len(fact.text) > PINNED_CHARACTERS:
            raise errors.MemoryPinsFull(pinned=count, characters=characters)
        db.execute(update(memory_facts).where(_C.id == fact.id).values(pinned_at=at, archived_at=None))
        _changed(db, project)
    return find(db, project, (fact.audience,), fact.id)


def unpin(db: Connection, project: str, fact: Fact) -> Fact:
    """Unpin a fact; one that is not pinned stays as it is."""
    if fact.pinned:
        db.execute(update(memory_facts).where(_C.id == fact.id).values(pinned_at=None))
        _changed(db, project)
    return find(db, project, (fact.audience,), fact.id)


def remove(db: Connection, project: str, fact: Fact) -> None:
    """Delete a fact's row."""
    db.execute(delete(memory_facts).where(_C.id == fact.id))
    _changed(db, project)


def revision(db: Connection, project: str) -> int:
    """Grows with every change of a fact; 0 while there was none."""
    query = select(memory_state.c.revision).where(memory_state.c.project_id == project)
    return int(db.execute(query).scalar() or 0)


def core(db: Connection, project: str) -> Core:
    """The core of the project's prompts."""
    row = db.execute(select(memory_core).where(memory_core.c.project_id == project)).one_or_none()
    if row is None:
        return Core()
    return Core(text=row.text, revision=row.revision, author=row.author, updated_at=from_ms(row.updated_at))


def set_core(db: Connection, project: str, note: Note, expected: int | None) -> Core:
    """Replace the core; raises ``memory_core_changed`` when its revision is not the expected one."""
    before = core(db, project)
    if expected is not None and expected != before.revision:
        raise errors.MemoryCoreChanged(revision=before.revision, expected=expected)
    if before.revision and before.text == note.text:
        return before
    values = {
        "text": note.text,
        "revision": before.revision + 1,
        "author": note.author,
        "updated_at": to_ms(note.at),
    }
    if before.revision:
        db.execute(update(memory_core).where(memory_core.c.project_id == project).values(**values))
    else:
        db.execute(insert(memory_core).values(project_id=project, **values))
    return core(db, project)


def ensure_state(db: Connection, project: str) -> None:
    """Make the project's row of counters, if there is none."""
    if (
        db.execute(select(memory_state.c.project_id).where(memory_state.c.project_id == project)).scalar()
        is None
    ):
        db.execute(
            insert(memory_state).values(
                project_id=project, revision=0, stream_end=0, delivered=0, acknowledged=0
            )
        )


def _of(project: str, audience: Audience) -> list[ColumnElement[bool]]:
    return [_C.project_id == project, _C.audience == audience]


def _values(project: str, audience: Audience, note: Note, digest: str, at: int) -> dict[str, Any]:
    return {
        "project_id": project,
        "audience": audience,
        "text": note.text,
        "digest": digest,
        "tags": json.dumps(note.tags, ensure_ascii=False),
        "author": note.author,
        "session_id": note.session,
        "lane_id": note.lane,
        "redactions": note.redactions,
        "created_at": at,
    }


def _make_room(db: Connection, project: str, audience: Audience, at: int, newest: str) -> int:
    """Archive the oldest facts past the limits, never a pinned one nor the newest, and drop archived ones past theirs."""
    mine = _of(project, audience)
    active = select(_C.id, func.length(_C.text), _C.pinned_at).where(*mine, _C.archived_at.is_(None))
    count, characters, going = 0, 0, []
    newest_first = (_C.id == newest).desc(), _C.pinned_at.is_(None), _C.created_at.desc(), _C.id.desc()
    for fact, length, pinned_at in db.execute(active.order_by(*newest_first)):
        count, characters = count + 1, characters + length
        if (count > KEPT_FACTS or characters > KEPT_CHARACTERS) and fact != newest and pinned_at is None:
            going.append(fact)
    if going:
        db.execute(update(memory_facts).where(_C.id.in_(going)).values(archived_at=at))
        oldest = select(_C.id).where(*mine, _C.archived_at.is_not(None))
        oldest = (
            oldest.order_by(_C.archived_at.desc(), _C.created_at.desc()).offset(ARCHIVED_FACTS).limit(1000)
        )
        gone = [row.id for row in db.execute(oldest)]
        db.execute(delete(memory_facts).where(_C.id.in_(gone)))
    return len(going)


def _changed(db: Connection, project: str) -> None:
    ensure_state(db, project)
    columns = memory_state.c
    db.execute(
        update(memory_state).where(columns.project_id == project).values(revision=columns.revision + 1)
    )
