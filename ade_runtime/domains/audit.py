"""Actions about the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import audit as models
from ade_generated.models.types import AuditEntry
from ade_generated.roles import ROLES
from ade_runtime.pipeline.identity import session_key
from ade_runtime.pipeline.reach import BOUND_UP_TO, FREE_FROM
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from ade_runtime.audit.store import Allowed
    from ade_runtime.pipeline.call import Call, Identity
    from ade_runtime.services import Services


class AuditHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def list(self, call: Call, args: models.AuditListInput) -> models.AuditListOutput:
        from ade_runtime.audit import store

        project = None if args.project is None else await self._services.projects.meant(call, args.project)
        wanted = store.Wanted(
            action=args.action,
            identity=args.identity if args.session is None else session_key(args.session),
            project=None if project is None else project.id,
            subject=args.subject,
            outcome=args.outcome,
            since=args.since,
            until=args.until,
        )
        before, allowed = _place(args.cursor), _allowed(call.identity)
        rows, total = await self._services.database.read(
            lambda db: store.page(db, wanted, allowed, before, args.limit)
        )
        shown = rows[: args.limit]
        rest = str(shown[-1].id) if len(rows) > args.limit else None
        return models.AuditListOutput(items=[_entry(row) for row in shown], total=total, next=rest)


def _allowed(who: Identity) -> Allowed:
    """The owner's shell reads all. Whoever leads reads its project, the cto of no project all; others read what they did."""
    from ade_runtime.audit.store import ALL, Allowed

    if who.session is None:
        return ALL
    rank = ROLES[who.role].rank
    if rank <= ROLES[BOUND_UP_TO].rank:
        return Allowed(session=who.session)
    if who.project is None and rank >= ROLES[FREE_FROM].rank:
        return ALL
    return Allowed(project=who.project, session=who.session)


def _place(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise errors.InvalidCursor(cursor=cursor)
    return int(cursor)


def _entry(row: Any) -> AuditEntry:
    _, _, session = row.identity.partition("session:")
    return AuditEntry(
        id=row.id,
        at=from_ms(row.at),
        identity=row.identity,
        session=session or None,
        role=row.role,
        transport=row.transport,
        action=row.action,
        effect=row.effect,
        project=row.project,
        subject=row.subject,
        request_id=row.request_id,
        outcome=row.outcome,
        duration_ms=max(row.duration_ms, 0),
    )
