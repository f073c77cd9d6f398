"""Which hashes of a project's commands its owner trusts, and who may say so."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from ade_generated.roles import ROLES
from ade_runtime.storage.schema import config_trust
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Identity
    from ade_runtime.storage.database import Database

LEAST_ROLE = "cto"
"""Lowest role whose sessions may grant trust; the owner's own shell may whatever role it asks with."""


async def is_trusted(database: Database, project_id: str, hash_: str) -> bool:
    def look(db: Connection) -> bool:
        row = select(config_trust.c.hash).where(
            config_trust.c.project_id == project_id, config_trust.c.hash == hash_
        )
        return db.execute(row).first() is not None

    return await database.read(look)


async def grant(database: Database, project_id: str, hash_: str, by: str, now: datetime) -> None:
    """Trust one hash besides those trusted before, so that going back to an older file needs no new review."""

    def write(db: Connection) -> None:
        db.execute(
            delete(config_trust).where(config_trust.c.project_id == project_id, config_trust.c.hash == hash_)
        )
        db.execute(
            insert(config_trust).values(
                project_id=project_id, hash=hash_, granted_at=to_ms(now), granted_by=by
            )
        )

    await database.write(write)


async def withdraw(database: Database, project_id: str) -> None:
    await database.write(
        lambda db: db.execute(delete(config_trust).where(config_trust.c.project_id == project_id))
    )


def may_grant(identity: Identity) -> bool:
    """Agents may not: what they could trust is what they could write."""
    if identity.session is None:
        return identity.source == "owner"
    return ROLES[identity.role].rank >= ROLES[LEAST_ROLE].rank
