"""Where earlier runtimes listened for Linear, asked when a runtime starts: without any, nothing more of it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def is_used(db: Connection) -> bool:
    """Whether any project was ever connected to Linear."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import linear_syncs

    return db.execute(select(linear_syncs.c.project_id).limit(1)).first() is not None


def ports(db: Connection) -> list[int]:
    """The ports of the projects that have a webhook."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import linear_syncs

    return list(db.execute(select(linear_syncs.c.port).where(linear_syncs.c.port.is_not(None))).scalars())
