"""What turns cost: how it is written into a transcript, and summed up again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from ade_runtime.storage.schema import chat_entries, chats
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

_TEXT = re.compile(r"(\d+) tokens in, (\d+) out(?:, (\d+\.\d+) USD)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """``cost_usd`` is ``None`` where no program said what it cost; ``turns`` are those that said what they used."""

    session: str = ""
    turns: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None

    def plus(self, other: Spent) -> Spent:
        """Both together, under this one's name."""
        costs = [one for one in (self.cost_usd, other.cost_usd) if one is not None]
        return Spent(
            session=self.session,
            turns=self.turns + other.turns,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=round(sum(costs), 4) if costs else None,
        )


def text(tokens_in: int, tokens_out: int, cost_usd: float | None) -> str:
    """What stands in the transcript."""
    paid = "" if cost_usd is None else f", {cost_usd:.4f} USD"
    return f"{tokens_in} tokens in, {tokens_out} out{paid}"


def read(said: str, session: str = "") -> Spent:
    """What such a text says; nothing spent where it says something else."""
    found = _TEXT.fullmatch(said)
    if found is None:
        return Spent(session=session)
    cost = None if found[3] is None else float(found[3])
    return Spent(session=session, turns=1, tokens_in=int(found[1]), tokens_out=int(found[2]), cost_usd=cost)


def spent(db: Connection, project: str, since: datetime | None) -> list[Spent]:
    """What each chat of a project has used, the one that used most tokens first; chats that used nothing are left out."""
    query = (
        select(chat_entries.c.session_id, chat_entries.c.text)
        .join(chats, chats.c.session_id == chat_entries.c.session_id)
        .where(chats.c.project_id == project, chat_entries.c.kind == "usage")
    )
    if since is not None:
        query = query.where(chat_entries.c.at >= to_ms(since))
    sums: dict[str, Spent] = {}
    for row in db.execute(query):
        one = read(row.text, row.session_id)
        sums[one.session] = sums[one.session].plus(one) if one.session in sums else one
    return sorted(sums.values(), key=lambda one: (-one.tokens_in - one.tokens_out, one.session))
