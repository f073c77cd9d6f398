"""What turns cost: written down beside the transcript's words, and summed up by the database."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select

from ade_runtime.storage.schema import chat_usage, chats
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from ade_runtime.chat.records import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """``cost_usd`` is ``None`` where no program said what it cost; ``turns`` are those that said what they used."""

    session: str = ""
    turns: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None


def text(tokens_in: int, tokens_out: int, cost_usd: float | None) -> str:
    """What stands in the transcript."""
    paid = "" if cost_usd is None else f", {cost_usd:.4f} USD"
    return f"{tokens_in} tokens in, {tokens_out} out{paid}"


def add(
    db: Connection, session: str, entry: Entry, tokens_in: int, tokens_out: int, cost_usd: float | None
) -> None:
    """Write down what the turn of a transcript entry used."""
    db.execute(
        insert(chat_usage).values(
            entry_id=entry.id,
            session_id=session,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost_usd=cost_usd,
            at=to_ms(entry.at),
        )
    )


def of_session(db: Connection, session: str) -> Spent:
    """What one chat has used so far."""
    query = select(*_sums()).where(chat_usage.c.session_id == session)
    return replace(_spent(db.execute(query).mappings().one()), session=session)


def spent(db: Connection, project: str, since: datetime | None) -> list[Spent]:
    """What each chat of a project has used, the one that used most tokens first; chats that used nothing are left out."""
    used = func.sum(chat_usage.c.tokens_in + chat_usage.c.tokens_out)
    query = (
        select(chat_usage.c.session_id.label("session"), *_sums())
        .where(*_inside(project, since))
        .group_by(chat_usage.c.session_id)
        .order_by(used.desc(), chat_usage.c.session_id)
    )
    return [_spent(row) for row in db.execute(query).mappings()]


def whole(db: Connection, project: str, since: datetime | None) -> Spent:
    """What all chats of a project have used together."""
    return _spent(db.execute(select(*_sums()).where(*_inside(project, since))).mappings().one())


def _sums() -> list[ColumnElement[Any]]:
    return [
        func.count().label("turns"),
        func.coalesce(func.sum(chat_usage.c.tokens_in), 0).label("tokens_in"),
        func.coalesce(func.sum(chat_usage.c.tokens_out), 0).label("tokens_out"),
        func.sum(chat_usage.c.cost_usd).label("cost_usd"),
    ]


def _inside(project: str, since: datetime | None) -> list[ColumnElement[bool]]:
    own = select(chats.c.session_id).where(chats.c.project_id == project)
    found: list[ColumnElement[bool]] = [chat_usage.c.session_id.in_(own)]
    return found if since is None else [*found, chat_usage.c.at >= to_ms(since)]


def _spent(row: Any) -> Spent:
    cost = row["cost_usd"]
    return Spent(
        session=row.get("session", ""),
        turns=int(row["turns"]),
        tokens_in=int(row["tokens_in"]),
        tokens_out=int(row["tokens_out"]),
        cost_usd=None if cost is None else round(float(cost), 4),
    )
