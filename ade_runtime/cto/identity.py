"""Who the CTO of a project is: a text that its prompt begins with, changed by nobody but itself and the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from ade_generated import errors
from ade_runtime.memory.records import Core
from ade_runtime.redaction import redacted
from ade_runtime.storage.schema import cto_identities
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

_C = cto_identities.c


def read(db: Connection, project: str) -> Core:
    """The identity; revision 0 where none was given."""
    row = db.execute(select(cto_identities).where(_C.project_id == project)).one_or_none()
    if row is None:
        return Core()
    return Core(text=row.text, revision=row.revision, author=row.author, updated_at=from_ms(row.updated_at))


async def replace(services: Services, call: Call, text: str, expected: int | None) -> Core:
    """Put another identity there, without secrets; raises ``cto_identity_changed`` when its revision is not the expected
    one. The same text again changes nothing."""
    clean, _ = redacted(text.replace("\r\n", "\n").strip())
    author = call.identity.session or "owner"
    project, now = call.project.id, to_ms(services.clock.now())

    def write(db: Connection) -> Core:
        before = read(db, project)
        if expected is not None and expected != before.revision:
            raise errors.CtoIdentityChanged(revision=before.revision, expected=expected)
        if before.revision and before.text == clean:
            return before
        values = {"text": clean, "revision": before.revision + 1, "author": author, "updated_at": now}
        if before.revision:
            db.execute(update(cto_identities).where(_C.project_id == project).values(**values))
        else:
            db.execute(insert(cto_identities).values(project_id=project, **values))
        return read(db, project)

    return await services.database.write(write)
