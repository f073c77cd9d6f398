"""Rows of evidence: plain functions over a connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_runtime.proof.records import ProofRecord, from_row

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

DEFAULT_BYTES = 5 * 2**30
DEFAULT_DAYS = 90


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept on this machine: bytes of contents, each counted once, and days that something unpinned stays."""

    max_bytes: int = DEFAULT_BYTES
    max_age_days: int = DEFAULT_DAYS


@dataclass(frozen=True, slots=True)
class Filter:
    """Which of a project's evidence is meant; ``None`` for any."""

    lane: str | None = None
    session: str | None = None
    about: str | None = None
    kind: str | None = None
    pinned: bool | None = None


def insert(db: Connection, record: ProofRecord) -> None:
    from ade_runtime.storage.schema import proofs

    db.execute(proofs.insert().values(**record.row()))


def get(db: Connection, project: str, proof: str) -> ProofRecord | None:
    from sqlalchemy import select

    from ade_runtime.storage.schema import proofs

    row = db.execute(select(proofs).where(proofs.c.id == proof, proofs.c.project_id == project)).one_or_none()
    return None if row is None else from_row(row)


def page(
    db: Connection, project: str, wanted: Filter, after: str | None, limit: int
) -> tuple[list[ProofRecord], int, bool]:
    """The newest first, at most ``limit`` after the one called ``after``; how many there are in all; whether more follow.

    Raises ``LookupError`` where ``after`` is none of them.
    """
    from sqlalchemy import func, or_, select

    from ade_runtime.storage.schema import proofs

    where = _where(project, wanted)
    total = int(db.execute(select(func.count()).select_from(proofs).where(*where)).scalar_one())
    query = select(proofs).where(*where)
    if after is not None:
        last = db.execute(
            select(proofs.c.created_at).where(proofs.c.id == after, *where)
        ).scalar_one_or_none()
        if last is None:
            raise LookupError(after)
        older = (proofs.c.created_at == last) & (proofs.c.id < after)
        query = query.where(or_(proofs.c.created_at < last, older))
    query = query.order_by(proofs.c.created_at.desc(), proofs.c.id.desc()).limit(limit + 1)
    rows = [from_row(row) for row in db.execute(query)]
    return rows[:limit], total, len(rows) > limit


def change(db: Connection, proof: str, values: dict[str, Any]) -> None:
    from ade_runtime.storage.schema import proofs

    db.execute(proofs.update().where(proofs.c.id == proof).values(**values))


def delete(db: Connection, ids: Iterable[str]) -> None:
    from ade_runtime.storage.schema import proofs

    for proof in ids:
        db.execute(proofs.delete().where(proofs.c.id == proof))


def limits(db: Connection) -> Limits:
    from sqlalchemy import select

    from ade_runtime.storage.schema import proof_limits

    row = db.execute(select(proof_limits)).one_or_none()
    return Limits() if row is None else Limits(row.max_bytes, row.max_age_days)


def set_limits(db: Connection, wanted: Limits) -> None:
    from ade_runtime.storage.schema import proof_limits

    db.execute(proof_limits.delete())
    values = {"max_bytes": wanted.max_bytes, "max_age_days": wanted.max_age_days}
    db.execute(proof_limits.insert().values(id=1, **values))


def used(db: Connection) -> tuple[int, int, int, int]:
    """On the whole machine: bytes of contents, each once; contents; pieces; pinned pieces."""
    from sqlalchemy import func, select

    from ade_runtime.storage.schema import proofs

    each = select(proofs.c.sha256, func.max(proofs.c.size).label("size")).group_by(proofs.c.sha256).subquery()
    size, contents = db.execute(select(func.coalesce(func.sum(each.c.size), 0), func.count())).one()
    pieces = db.execute(
        select(func.count(), func.coalesce(func.sum(proofs.c.pinned), 0)).select_from(proofs)
    ).one()
    return int(size), int(contents), int(pieces[0]), int(pieces[1])


def oldest_first(db: Connection) -> list[tuple[str, str, int, int, bool]]:
    """Id, content, bytes, age stamp (milliseconds) and whether it is pinned, of everything there is."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import proofs

    columns = (proofs.c.id, proofs.c.sha256, proofs.c.size, proofs.c.created_at, proofs.c.pinned)
    rows = db.execute(select(*columns).order_by(proofs.c.created_at, proofs.c.id))
    return [(row.id, row.sha256, row.size, row.created_at, bool(row.pinned)) for row in rows]


def contents(db: Connection) -> set[str]:
    """The hashes that any piece has."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import proofs

    return set(db.execute(select(proofs.c.sha256).distinct()).scalars())


def _where(project: str, wanted: Filter) -> list[ColumnElement[bool]]:
    from ade_runtime.storage.schema import proofs

    where = [proofs.c.project_id == project]
    if wanted.lane is not None:
        where.append(proofs.c.lane_id == wanted.lane)
    if wanted.session is not None:
        where.append(proofs.c.session_id == wanted.session)
    if wanted.about is not None:
        where.append(proofs.c.about == wanted.about)
    if wanted.kind is not None:
        where.append(proofs.c.kind == wanted.kind)
    if wanted.pinned is not None:
        where.append(proofs.c.pinned == int(wanted.pinned))
    return where
