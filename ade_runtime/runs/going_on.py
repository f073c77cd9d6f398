"""Has those who work for a run go on when a runtime starts after one that was killed during their turn.

Nobody has asked for that end, and whoever could have them go on was broken off with them: the lead by the same kill, the user
perhaps by nothing but being asleep. Each turn that was broken off is told of once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_runtime.chat import store as chats
from ade_runtime.chat.leftovers import GONE
from ade_runtime.runs import outbox, store
from ade_runtime.runs.wanted import OVER

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.services import Services

TEXT = (
    "(ADE was ended during your turn {turn}, and runs again. What you were doing may be half done: look how things stand, and"
    " go on.)"
)


async def go_on(services: Services) -> int:
    """Promise each of them that word, and give to how many it was."""
    now = services.sessions.now()

    def write(db: Connection) -> int:
        left = {one.session: one for one in chats.in_state(db, "interrupted") if one.problem == GONE}
        told = 0
        for run in store.active(db) if left else ():
            for row in store.load(db, run)["agents"]:
                chat = left.get(row["sessionId"])
                if chat is None or row["status"] in OVER:
                    continue
                outbox.enqueue(
                    db,
                    run,
                    kind="lead_status" if row["role"] == "lead" else "ping",
                    target=chat.session,
                    text=TEXT.format(turn=chat.turn),
                    at=now,
                    once=f"broken:{chat.session}:{chat.turn}",
                )
                told += 1
        return told

    return await services.database.write(write)
