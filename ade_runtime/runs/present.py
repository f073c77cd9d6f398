"""Whether there is anything to do for runs, asked when a runtime starts: without it, nothing more of them is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.runs.outbox import OPEN

if TYPE_CHECKING:
    from sqlalchemy import Connection


def anything_to_do(db: Connection) -> bool:
    """Whether a run goes on, or one that is over has told its agents not everything yet."""
    from sqlalchemy import select

    from ade_runtime.storage.schema import run_outbox, runs

    for query in (
        select(runs.c.id).where(runs.c.state == "active"),
        select(run_outbox.c.id).where(run_outbox.c.state.in_(OPEN)),
    ):
        if db.execute(query.limit(1)).first() is not None:
            return True
    return False
